"""Other languages as rough English."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.language import glossing
from commonplace.language.glossing import english, in_english, language, rough_english
from commonplace.memory import Memory
from commonplace.types.saving import Alike

LISTS = sorted(Path(glossing.__file__).with_name("glosses").glob("*.tsv"))
TOLD = {
    "ar": ("يسكن في القاهرة منذ سنة", "lives in Cairo"),
    "de": ("Wohnt seit 2019 in Basel", "lives since 2019 in Basel"),
    "es": ("Es alérgico a los cacahuetes", "allergic"),
    "fr": ("Il travaille à l'hôpital", "hospital"),
    "hi": ("मेरे पास एक बिल्ली है", "cat"),
    "it": ("Il suo gatto si chiama Miele", "cat is called Miele"),
    "ja": ("ピーナッツアレルギーがある", "peanut"),
    "ko": ("나는 서울에서 산다", "Seoul lives"),
    "nl": ("Woont met haar zoon in Utrecht", "lives with her son in Utrecht"),
    "pl": ("Mieszka we Wrocławiu", "lives in Wroclaw"),
    "pt": ("Trabalha como enfermeira", "nurse"),
    "ru": ("Живёт в Москве с женой", "lives in Moscow with"),
    "sv": ("Jag dricker kaffe varje morgon", "coffee"),
    "tr": ("Kahve içmiyor", "coffee does not drink"),
    "zh": ("用户对花生过敏", "peanut allerg"),
}
ENGLISH = [
    "Lives in Bern",
    "User pays 1,150 euros rent.",
    "Clara goes to Escola da Ponte",
    "Prefers vim keybindings",
    "[git] Conventional Commits",
    "Client Marlowe pays net 14",
    "api.paging = cursor; api.page_size = 200",
    "Vet is Dr. Moss",
    "Sings alto",
    "Mina dislikes avocado.",
    "Deploy host is deploy.hartwell.dev",
]


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_every_list_has_each_word_once_with_its_meaning(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    words = [line.split("\t")[0] for line in lines]
    assert all(line.count("\t") == 1 for line in lines)
    assert len(set(words)) == len(words) > 5000
    assert all(word and word == word.lower() and " " not in word for word in words)


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_the_first_and_the_last_word_of_a_list_are_found_like_any_other(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    for word in (lines[0].split("\t")[0], lines[-1].split("\t")[0]):
        assert glossing._has_any(frozenset({word}), path.stem)  # pyright: ignore[reportPrivateUsage]


def test_there_is_a_list_for_every_language_that_is_told() -> None:
    assert {path.stem for path in LISTS} == set(TOLD)


@pytest.mark.parametrize("code", TOLD)
def test_a_text_in_another_language_is_known_and_read(code: str) -> None:
    text, meaning = TOLD[code]
    assert language(text) == code
    assert meaning in english(text, code)


@pytest.mark.parametrize("text", ENGLISH)
def test_english_stays_as_it_is(text: str) -> None:
    assert rough_english(text) == text


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("Trinkt nicht mehr", "drinks no longer"),
        ("Isst kein Fleisch mehr", "eats no longer meat"),
        ("Il ne fume plus", "he no longer smoke"),
        ("Non mangia più carne", "no longer eats meat"),
        ("Já não mora em Lisboa", "no longer lives in Lisbon"),
        ("Ya no trabaja en Madrid", "no longer works in Madrid"),
        ("Больше не пьёт кофе", "no longer drinks coffee"),
        ("Nie pije już kawy", "no longer drinks coffee"),
        ("Drinkt geen koffie meer", "drinks no longer coffee"),
        ("Dricker inte kaffe längre", "drinks no longer coffee"),
    ],
)
def test_what_has_ended_is_read_as_ended(text: str, meaning: str) -> None:
    assert rough_english(text) == meaning


def test_names_addresses_and_code_are_not_words() -> None:
    text = "Der Server heißt mond.example, das Repo acme/was-ist-das, Marker 8f3c1a9e"
    read = rough_english(text)
    assert all(kept in read for kept in ("mond.example", "acme/was-ist-das", "8f3c1a9e"))


def test_people_and_towns_keep_their_names() -> None:
    assert rough_english("Frau Stein wohnt in Kassel") == "woman Stein lives in Kassel"
    assert rough_english("Habla con Rosa en Londres") == "speaks with Rosa in London"


@pytest.mark.req("GATE-1")
def test_chinese_names_are_no_words_and_each_is_its_own() -> None:
    first, second = rough_english("我的经理是王明"), rough_english("我的经理是王亮")
    assert first.startswith("my manager is ")
    assert second.startswith("my manager is ")
    assert len({first, second, "my manager is king bright"}) == 3
    assert rough_english("王明住在上海").split()[:2] == first.split()[-2:]
    assert rough_english("买了一张桌子") == "bought a table"


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_no_word_of_the_trade_is_another_word_in_a_language(path: Path) -> None:
    listed = dict(line.split("\t") for line in path.read_text("utf-8").splitlines())
    trade = glossing._TRADE  # pyright: ignore[reportPrivateUsage]
    assert {word: listed[word] for word in trade if listed.get(word, word).lower() != word} == {}


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("O repo está no GitHub", "repo"),
        ("Das Backend ist in Go geschrieben", "Backend is in Go written"),
        ("Mój kot jest chory", "my cat is ill"),
        ("Sentry prend les erreurs", "Sentry takes the errors"),
    ],
)
def test_words_of_the_trade_stay_as_they_are(text: str, meaning: str) -> None:
    assert meaning in rough_english(text)


def test_a_compound_is_read_by_its_parts() -> None:
    assert "lessons" in rough_english("Jakob hat montags Schlagzeugunterricht.")


def test_what_stands_under_a_heading_is_read_by_itself() -> None:
    assert rough_english("Preferences: Trinkt keinen Kaffee") == "Preferences: drinks no coffee"


def test_dates_are_read_as_dates() -> None:
    assert "20 November" in rough_english("儿子的生日是11月20日")
    assert "March" in rough_english("3月に生まれた")


def test_joined_words_are_looked_up_together() -> None:
    assert "grandmother" in rough_english("Sa grand-mère habite à Lyon")
    assert rough_english("Il travaille aujourd'hui").endswith("today")


def test_letters_may_be_written_in_parts() -> None:
    text = "Wohnt seit März in Zürich"
    assert rough_english(unicodedata.normalize("NFD", text)) == rough_english(text)


def test_capitals_are_those_of_the_language() -> None:
    assert english("İki kedisi var", "tr").startswith("two")


@pytest.mark.parametrize("text", ["Test framework: Jest", "Dentist: Dr. Lang", "Washer: Miele W1"])
def test_what_stands_behind_a_label_is_mostly_a_name(text: str) -> None:
    assert rough_english(text) == text


def test_what_could_be_either_is_in_the_language_of_the_other() -> None:
    assert in_english("Usa pnpm", "Ahora usa zsh en el terminal")[0] == "uses pnpm"
    assert in_english("No come carne", "El usuario es vegetariano")[0] == "no eats meat"


def test_two_other_languages_are_each_read_as_what_they_are() -> None:
    new, old = in_english("Trinkt Kaffee nur ohne Zucker", "Toma el café sin azúcar")
    assert "without sugar" in new
    assert "without sugar" in old


@given(st.text(max_size=300), st.sampled_from([*TOLD, None]))
def test_any_text_can_be_read_in_any_language(text: str, code: str | None) -> None:
    assert isinstance(english(text, code), str)
    assert isinstance(rough_english(text), str)


def test_a_long_text_is_left_as_it_is() -> None:
    text = "Wohnt in Basel und arbeitet in Bern. " * 1000
    assert rough_english(text) == text


@pytest.mark.req("GATE-1")
@pytest.mark.parametrize(
    ("new", "old", "relation"),
    [
        ("Wohnt jetzt in Basel", "Wohnt in Bern", "newer"),
        ("Ist nach Hamburg gezogen", "Lives in Berlin", "newer"),
        ("用户不再喝咖啡", "用户喜欢喝咖啡", "newer"),
        ("У пользователя есть кошка", "User has a cat", "same"),
        ("Es alérgico a las avellanas", "Ist allergisch gegen Haselnüsse", "same"),
    ],
)
def test_other_languages_are_compared_like_english(new: str, old: str, relation: str, tmp_path: Path) -> None:
    memory = Memory.open(tmp_path / "book")
    memory.remember(old)
    told = memory.remember(new)
    assert isinstance(told, Alike)
    assert told.verdict.rule == {"same": "same_fact", "newer": "newer_value"}[relation]
