"""Only what was said becomes memory: which of the user's messages carry a fact, and what of it they do not say."""

from datetime import UTC, datetime

import pytest

from commonplace.config import EmbedderSettings, Settings
from commonplace.distill.supporting import Degree, is_statement, spoken, states, support
from commonplace.memory import Memory
from commonplace.testing import ScriptedChatModel
from commonplace.types import Message
from commonplace.types.sessions import LogReport
from tests.stores import Place

AT = datetime(2026, 11, 18, 9, 0, tzinfo=UTC)


def degree(fact: str, *talk: str) -> Degree:
    messages = [line.split("|", 1) for line in talk]
    said = [(f"m{n}", {"U": "user", "A": "assistant"}[who], text, AT.date()) for n, (who, text) in enumerate(messages)]
    return support(fact, spoken(said), None).degree


@pytest.mark.req("LOG-8")
@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("Lives in Bern", "U|I live in Bern and work as a nurse."),
        ("Does not eat meat", "U|I don't eat meat."),
        ("Loves Python", "U|I don't like Java but I love Python."),
        ("Has lived in Bern since 2019", "U|Ich wohne seit 2019 in Bern."),
        ("Prefiere respuestas cortas", "U|Prefiero respuestas cortas."),
        ("Allergic to peanuts", "U|我住在上海，对花生过敏。"),
        ("The user's name is Oleg", "U|Меня зовут Олег, я живу в Москве."),
        ("Brother lives in Bern", "U|My brother lives in Bern."),
        ("Birthday is 12 March 1990", "U|My birthday is 12.03.1990."),
        ("Is usually free after 16:00", "U|btw i'm usually free after 4pm"),
        ("Has two dogs and three cats", "U|I have two dogs and three cats."),
        ("Omar is a welder", "U|My cousin Greta is a baker and lives in Ghent, my cousin Omar is a welder."),
        ("app1 runs nginx with 8 workers", "U|app1 runs nginx with 8 workers, app2 runs caddy with 4 workers"),
        ("Tom is coeliac", "U|Lena is allergic to nuts and Tom is coeliac, they both like cake"),
        ("Works at the mill and lives in Leeds", "U|I work at the mill and live in Leeds"),
    ],
)
def test_what_the_user_said_carries_a_fact_in_any_language(fact: str, said: str) -> None:
    assert degree(fact, said) is Degree.WHOLE


@pytest.mark.req("LOG-8")
@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("The user's name is John Doe", "U|How do I reverse a list in Python?"),
        ("Lives in New York with two children", "U|How do I reverse a list in Python?"),
        ("Eats meat", "U|I don't eat meat."),
        ("Drinks no coffee", "U|I drink coffee every day."),
        ("Lives in Bern", "U|My brother lives in Bern."),
        ("Has three dogs", "U|I have two dogs and three cats."),
        ("Lives in Bern", "U|I used to live in Bern."),
        ("Moves to Bern", "U|I might move to Bern next year."),
        ("The Vivaro is due on 3 June", "U|The Transit is due on 3 June and the Vivaro on 19 September."),
        ("Lives in Bern since 2019", "U|I live in Bern."),
        ("Works at Zalando", "U|I ordered shoes from Zalando and they're late"),
        ("Hates broccoli", "U|I have two kids and they hate broccoli"),
        ("Has weekly meetings with Anna", "U|I have a meeting with Anna on Friday"),
        ("Cousin Omar is a baker", "U|My cousin Greta is a baker and lives in Ghent, my cousin Omar is a welder."),
        ("Omar lives in Ghent", "U|My cousin Greta is a baker and lives in Ghent, my cousin Omar is a welder."),
        ("app2 runs nginx", "U|app1 runs nginx with 8 workers, app2 runs caddy with 4 workers"),
        ("app2 runs caddy with 8 workers", "U|app1 runs nginx with 8 workers, app2 runs caddy with 4 workers"),
        ("Works at the railway", "U|Mein Bruder wohnt in Köln und arbeitet bei der Bahn"),
        ("Is allergic to shellfish", "U|My brother is visiting and is allergic to shellfish"),
        ("Lives in Kassel", "U|She is called Hedwig, is 91 and lives with us in Kassel."),
    ],
)
def test_what_the_user_did_not_say_so_does_not(fact: str, said: str) -> None:
    assert degree(fact, said) is not Degree.WHOLE


SIBLINGS = "U|Meine Söhne: Falk ist 7 Jahre alt und spielt Geige, Jannik ist 13 und rudert."


@pytest.mark.req("LOG-8")
@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("Jannik ist 13 und rudert", SIBLINGS),
        ("Falk spielt Geige", SIBLINGS),
        ("La vecina se llama Pilar", "U|Mi dentista se llama Andrés y mi vecina Pilar, siempre los confundo."),
        ("Ne fume plus depuis mars", "U|Je ne fume plus depuis mars."),
        ("用户在苏州教钢琴", "U|我在苏州教钢琴，学生都很小。"),
    ],
)
def test_what_stands_in_the_users_own_words_needs_no_dictionary(fact: str, said: str) -> None:
    assert degree(fact, said) is Degree.WHOLE


@pytest.mark.req("LOG-8")
@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("Falk ist 13", SIBLINGS),
        ("Jannik spielt Geige", SIBLINGS),
        ("La vecina se llama Andrés", "U|Mi dentista se llama Andrés y mi vecina Pilar, siempre los confundo."),
        ("Fume une pipe", "U|Je ne fume plus de pipe, tu as des idées de cadeau ?"),
        ("Le rendez-vous est à 9h45", "U|Le rendez-vous est à 9h15, pas à 9h45."),
        ("用户在苏州教钢琴", "U|我在杭州教钢琴，学生都很小。"),
        ("Wohnt in Köln", "U|Mein Bruder wohnt in Köln."),
        ("Est allergique aux noix", "U|Ma soeur est allergique aux noix."),
        ("Работает врачом", "U|Моя жена работает врачом."),
        ("Arbeitet bei Siemens", "U|Früher habe ich bei Siemens gearbeitet."),
        ("Zieht nach Bern", "U|Vielleicht ziehe ich nach Bern."),
    ],
)
def test_nor_is_more_in_them_than_the_user_said(fact: str, said: str) -> None:
    assert degree(fact, said) is not Degree.WHOLE


@pytest.mark.req("LOG-8")
def test_whom_a_sentence_is_about_may_stand_in_an_earlier_one_but_not_in_the_place_of_the_user() -> None:
    talk = (
        "U|My aunt Wilma needs a new phone.",
        "U|And she is nearly deaf in one ear.",
        "U|I hate phones.",
    )
    assert degree("Wilma is nearly deaf in one ear", *talk) is Degree.WHOLE
    assert degree("Wilma hates phones", *talk) is not Degree.WHOLE


@pytest.mark.req("LOG-8")
def test_who_lists_them_has_counted_them() -> None:
    assert degree("Has two ferrets, Nip and Tuck", "U|I have ferrets, Nip and Tuck.") is Degree.WHOLE
    assert degree("Has three ferrets, Nip and Tuck", "U|I have ferrets, Nip and Tuck.") is not Degree.WHOLE


@pytest.mark.req("LOG-8")
def test_what_a_fact_denies_may_stand_in_another_message_than_the_rest() -> None:
    talk = ("U|I am a surgical nurse, my phone is in a locker then", "U|I can't answer the phone at work, call Wang")
    assert degree("Surgical nurse, cannot answer the phone", *talk) is Degree.WHOLE
    assert degree("Surgical nurse, cannot answer the phone", talk[0]) is Degree.NONE


@pytest.mark.req("LOG-8")
def test_answers_and_agreement_carry_what_was_asked_and_the_assistant_alone_carries_nothing() -> None:
    assert degree("Lives in Bern", "A|Where do you live?", "U|Bern") is Degree.WHOLE
    assert degree("Prefers dark mode", "A|So you prefer dark mode?", "U|Yes, exactly.") is Degree.WHOLE
    assert degree("Does not eat meat", "A|Do you eat meat?", "U|No.") is Degree.WHOLE
    assert degree("Eats meat", "A|Do you eat meat?", "U|No.") is Degree.NONE
    assert degree("Lives in Bern", "A|Do you live in Bern or in Basel?", "U|Basel") is not Degree.WHOLE
    assert degree("Loves jazz", "A|I think you love jazz.", "U|What's the weather?") is Degree.NONE


@pytest.mark.req("LOG-10")
def test_a_statement_of_oneself_states_a_preference_and_an_act_or_a_question_does_not() -> None:
    assert states("I prefer tabs.", "Prefers tabs")
    assert states("Prefiero respuestas cortas.", "Prefers short answers")
    assert states("Antworten sollten immer kurz sein.", "Prefers short answers")
    assert not states("Switch to dark mode please", "Prefers dark mode")
    assert not states("Do I prefer tabs?", "Prefers tabs")


# -- through a flush


@pytest.fixture
def memory(place: Place) -> Memory:
    return Memory.open(place, settings=Settings(embedder=EmbedderSettings(name="none")))


def flush(memory: Memory, session: str, said: str, *facts: str) -> LogReport:
    """A conversation of one message, and a model that takes these facts from it."""
    memory.add_message(session, Message(f"{session}-1", "user", said, AT))
    answer = "\n".join(["## Daily Summary", f"- {said}", "## Long-term Facts", *(f"- {fact}" for fact in facts)])
    return memory.log_session(session, ScriptedChatModel([answer]))


def kept(memory: Memory) -> list[str]:
    return [entry.text for entry in memory.entries()]


@pytest.mark.req("LOG-8")
def test_what_nobody_said_is_dropped_and_counted(memory: Memory) -> None:
    report = flush(
        memory, "a", "How do I reverse a list in Python?", "[profile] The user's name is John Doe", "None of them"
    )
    assert report.unsupported == ("The user's name is John Doe",)
    assert (kept(memory), memory.inbox()) == ([], [])


@pytest.mark.req("LOG-8")
def test_what_was_said_in_part_waits_with_its_sentence(memory: Memory) -> None:
    report = flush(memory, "a", "I live in Bern.", "[profile] Has lived in Bern since 2019")
    (item,) = memory.inbox()
    assert (item.rule, item.session, item.messages, item.said) == ("unsupported", "a", ("a-1",), "I live in Bern.")
    assert [held.waiting.text for held in report.held] == ["Has lived in Bern since 2019"]
    memory.accept(item.id)
    assert memory.why("Has lived in Bern since 2019").changes[0].note.messages == ("a-1",)


@pytest.mark.req("LOG-8", "BOOK-6")
def test_a_fact_knows_the_messages_that_it_rests_on(memory: Memory) -> None:
    flush(memory, "a", "Hello there! I live in Bern.", "[profile] Lives in Bern")
    note = memory.why("Lives in Bern").changes[0].note
    assert (note.session, note.messages) == ("a", ("a-1",))


@pytest.mark.req("LOG-10")
def test_an_inferred_preference_waits_until_a_second_conversation_and_not_the_same_one_again(memory: Memory) -> None:
    flush(memory, "a", "Switch to dark mode please", "[preferences] Prefers dark mode")
    memory.add_message("a", Message("a-2", "user", "Switch to dark mode again please", AT))
    memory.log_session("a", ScriptedChatModel(["- dark mode\n## Long-term Facts\n- [preferences] Prefers dark mode"]))
    assert kept(memory) == []
    assert [item.rule for item in memory.inbox()] == ["inferred"]
    flush(memory, "b", "dark mode please, my eyes hurt", "[preferences] Prefers dark mode")
    assert (kept(memory), memory.inbox()) == (["Prefers dark mode"], [])
    assert "second conversation" in str(memory.why("Prefers dark mode").changes[0].note.reason)


@pytest.mark.req("LOG-10")
def test_what_the_person_rejected_is_not_proposed_again(memory: Memory) -> None:
    flush(memory, "a", "Switch to dark mode please", "[preferences] Prefers dark mode")
    memory.reject("Prefers dark mode")
    assert memory.inbox() == []
    for session in ("b", "c"):
        flush(memory, session, "Switch to dark mode please", "[preferences] Prefers dark mode")
    assert (kept(memory), memory.inbox()) == ([], [])
    flush(memory, "d", "I prefer dark mode.", "[preferences] Prefers dark mode")
    assert kept(memory) == ["Prefers dark mode"], "but what the user states is theirs"


@pytest.mark.req("LOG-10")
def test_a_newer_value_takes_the_place_of_the_older_and_the_history_has_both(memory: Memory) -> None:
    flush(memory, "a", "I prefer dark mode in all apps.", "[preferences] Prefers dark mode in all apps")
    report = flush(memory, "b", "Actually, I prefer light mode now.", "[preferences] Prefers light mode")
    assert [one.after.text for one in report.revised] == ["Prefers light mode"]
    assert kept(memory) == ["Prefers light mode"]
    sessions = [change.note.session for change in memory.why("Prefers light mode").changes]
    assert sessions == ["b", "a"]


@pytest.mark.req("LOG-10")
def test_two_facts_of_one_message_are_both_kept(place: Place) -> None:
    memory = Memory.open(place)
    said = (
        "At work I write C++ for a maker of car parts in Nagoya, and I have been teaching myself Rust since last month."
    )
    facts = ("Works with C++ at a maker of car parts in Nagoya", "Teaching themselves Rust since last month")
    flush(memory, "a", said, *facts)
    assert len(kept(memory)) == 2


@pytest.mark.req("LOG-10")
def test_what_was_wished_once_waits_as_a_candidate(place: Place) -> None:
    memory = Memory.open(place)
    flush(memory, "a", "make it a table", "[preferences] Prefers tables")
    assert (kept(memory), [item.text for item in memory.inbox()]) == ([], ["Prefers tables"])


@pytest.mark.req("TOOL-9")
def test_what_was_to_be_forgotten_is_gone_after_a_flush_if_nobody_heard_it_before(memory: Memory) -> None:
    memory.remember("Plays squash on Fridays")
    memory.remember("Keeps bees in Didsbury")
    flush(memory, "a", "Also, forget that I play squash on Fridays, my knee is gone.")
    assert kept(memory) == ["Keeps bees in Didsbury"]


@pytest.mark.req("GATE-2")
def test_what_is_only_guessed_to_be_a_secret_waits_for_a_yes(place: Place) -> None:
    memory = Memory.open(place)
    flush(memory, "a", "just type marmalade77 on the login screen", "Just type marmalade77 on the login screen")
    assert kept(memory) == []
    assert [(item.rule, "marmalade77" in item.text) for item in memory.inbox()] == [("secret", True)]


@pytest.mark.req("LOG-10")
def test_a_fuller_wording_takes_the_place_of_the_shorter_one(place: Place) -> None:
    memory = Memory.open(place)
    flush(memory, "a", "I play the cello.", "[interests] Plays the cello")
    flush(memory, "b", "I play the cello in an orchestra.", "[interests] Plays the cello in an orchestra")
    assert kept(memory) == ["Plays the cello in an orchestra"]


@pytest.mark.req("LOG-10", "GATE-4")
@pytest.mark.parametrize("said", ["Switch to Haiku please", "go back to haiku, opus is too slow", "/model haiku"])
def test_a_bid_for_the_moment_confirms_no_preference(place: Place, said: str) -> None:
    memory = Memory.open(place)
    for session in ("a", "b", "c"):
        flush(memory, session, said, "[preferences] Prefers Haiku")
    assert kept(memory) == []


@pytest.mark.req("LOG-8", "GATE-4")
def test_what_rests_on_a_bid_of_the_moment_alone_is_not_kept(memory: Memory) -> None:
    flush(memory, "a", "convert 350 F to celsius", "[notes] Needed to convert 350 F to Celsius")
    assert kept(memory) == []


@pytest.mark.req("LOG-10", "GATE-4")
@pytest.mark.parametrize("fact", ["User's preferred model is Haiku", "Uses Haiku as the model", "Prefers Claude Haiku"])
def test_which_model_was_in_use_is_kept_by_no_wording(memory: Memory, fact: str) -> None:
    for session in ("a", "b"):
        flush(memory, session, "switch to the model Claude Haiku", f"[preferences] {fact}")
    assert (kept(memory), memory.inbox()) == ([], [])


@pytest.mark.req("LOG-8")
def test_a_fact_of_several_pieces_is_not_told_without_whom_it_is_about(place: Place) -> None:
    memory = Memory.open(place)
    fact = "[profile] The grandmother is called Hedwig, is 91 and lives with the family in Kassel"
    flush(memory, "a", "My grandmother is called Hedwig, is 91 and lives with our family in Kassel.", fact)
    assert all("Hedwig" in text for text in kept(memory) if "Kassel" in text)


@pytest.mark.req("LOG-8")
@pytest.mark.parametrize(
    "said", ["I sing in a choir, where can I buy sheet music?", "我在合唱团唱歌，哪里可以买乐谱？"]
)
def test_what_is_told_before_a_question_is_told(said: str) -> None:
    assert is_statement(said)
    assert not is_statement("Where can I buy sheet music?")
