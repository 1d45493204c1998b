"""Text to search terms, for every script."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.language import STOP_WORDS, stem, terms, words

PORTER = """
caresses caress, ponies poni, ties ti, cats cat, feed feed, agreed agre, plastered plaster, bled bled, motoring motor,
sing sing, conflated conflat, troubled troubl, sized size, hopping hop, tanned tan, falling fall, hissing hiss,
fizzed fizz, failing fail, filing file, happy happi, sky sky, relational relat, conditional condit, rational ration,
valenci valenc, digitizer digit, conformabli conform, radicalli radic, differentli differ, vileli vile,
analogousli analog, vietnamization vietnam, predication predic, operator oper, feudalism feudal, decisiveness decis,
hopefulness hope, callousness callous, formaliti formal, sensitiviti sensit, sensibiliti sensibl, triplicate triplic,
formative form, formalize formal, electriciti electr, electrical electr, hopeful hope, goodness good, revival reviv,
allowance allow, inference infer, airliner airlin, gyroscopic gyroscop, adjustable adjust, defensible defens,
irritant irrit, replacement replac, adjustment adjust, dependent depend, adoption adopt, homologou homolog,
communism commun, activate activ, angulariti angular, homologous homolog, effective effect, bowdlerize bowdler,
probate probat, rate rate, cease ceas, controll control, roll roll, generalizations gener, oscillators oscil,
by by, is is, y y, yes ye, possibly possibl, archaeology archaeolog
"""


@pytest.mark.parametrize(("word", "expected"), [pair.split() for pair in PORTER.replace("\n", " ").split(",")])
def test_the_stemmer_does_what_porter_published(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.req("SRCH-6")
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("def parseConfig(path):", "parse config"),
        ("def parseConfig(path):", "parseConfig"),
        ("def parseConfig(path):", "PARSECONFIG"),
        ("max_retry_count = 3", "retry count"),
        ("max_retry_count = 3", "max_retry_count"),
        ("class HTTPServer2:", "http server"),
        ("class HTTPServer2:", "HTTPServer2"),
        ("needs python3", "python"),
        ("the Café in Zürich", "cafe zurich"),
        ("cafe\u0301", "CAFÉ"),
        ("GROẞE Straße", "grosse strasse"),
        ("Ёлка во дворе", "елка"),
        ("живёт в Москве", "МОСКВЕ"),
        ("η οδός Ερμού", "ΟΔΟΣ ΕΡΜΟΥ"),
        ("كَتَبَ الدرسَ", "كتب الدرس"),
        ("أحمد", "احمد"),
        ("שָׁלוֹם", "שלום"),
        ("वह दिल्ली में रहता है", "दिल्ली"),
        ("ฉันชอบชาเขียว", "ชาเขียว"),
        ("我喜欢喝绿茶", "绿茶"),
        ("東京に住んでいます", "東京"),
        ("ｶﾞﾗｽ", "ガラス"),
        ("저는 서울에 삽니다", "서울"),
        ("ＨＴＴＰ　ｓｅｒｖｅｒ", "http server"),
        ("ﬁnal oﬀer", "final offer"),
        ("x² + ½", "x2"),
        ("ran 10km in №5 shoes", "10km"),
        ("runs and running", "run"),
    ],
)
def test_a_question_shares_its_terms_with_the_text(text: str, question: str) -> None:
    asked = terms(question)
    assert asked
    assert set(asked) <= set(terms(text)) | {term for term in asked if len(term) == 1}


def test_stop_words_and_emoji_carry_nothing() -> None:
    assert terms("What is the and of to be, or not?") == []
    assert terms("🎉 👩‍👩‍👧 … — !!! ___") == []
    assert terms("") == []
    assert all(terms(word) == [] for word in STOP_WORDS)


def test_order_and_repeats_are_kept() -> None:
    assert terms("tea, Tea and coffee") == ["tea", "tea", "coffe"]
    assert terms("日本語") == ["日", "本", "語", "日本", "本語"]
    assert terms("使用Python写") == ["使", "用", "使用", "python", "写"]


@pytest.mark.parametrize("unit", ["x", "日", "aB", "नम", "e\u0301"])
def test_a_line_of_a_million_characters_takes_a_moment(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    before = time.process_time()
    terms(text)
    assert time.process_time() - before < 10


@pytest.mark.req("SRCH-6")
@given(st.text())
def test_any_text_has_terms_that_can_be_stored_and_are_the_same_each_time(text: str) -> None:
    found = terms(text)
    assert found == terms(text)
    assert all(found)
    assert terms(text.upper().lower()) is not None
    assert words(text) == words(text)


def test_texts_that_say_the_same_have_the_same_words() -> None:
    assert words("Likes green tea.") == words("likes GREEN tea")
    assert words("does not like tea") != words("does like tea")
    assert words("喜欢绿茶。") == words("喜欢绿茶")
    assert words("茶") == {"茶"}
