"""What passes is told from what lasts, by the text alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.gate.passing import one_off, transient

ACTS = 0.5


def passes(text: str) -> bool:
    return any(found is not None and found.certainty >= ACTS for found in (transient(text), one_off(text)))


@pytest.mark.req("GATE-4")
@pytest.mark.parametrize(
    "text",
    [
        "User switched to Claude Sonnet.",
        "The active model is now GPT-5 mini.",
        "User is now using Llama through Ollama.",
        "Currently on branch feature/csv-export.",
        "User has src/auth/login.ts open in the editor.",
        "The laptop battery is at 14%.",
        "I'm pretty tired this evening.",
        "npm install is failing at the moment.",
        "Nutzer hat gerade auf das Modell Claude Sonnet umgeschaltet",
        "El usuario acaba de cambiar a GPT-5.",
        "Пользователь переключился на модель Gemini.",
        "用户刚刚把模型切换成了 DeepSeek V3",
        "ユーザーはいまモデルをGPT-5に切り替えた",
    ],
)
def test_a_passing_state_is_recognised(text: str) -> None:
    found = transient(text)
    assert found is not None
    assert found.certainty >= ACTS
    assert found.reason.endswith(".")


@pytest.mark.req("GATE-4")
@pytest.mark.parametrize(
    "text",
    [
        "User asked for a haiku about autumn leaves.",
        "The rug in the screenshot is dark red with cream borders.",
        "User thanked the assistant for the help.",
        "User seems impatient.",
        "User had a tuna sandwich for lunch today.",
        "The web page said that entry is free.",
        "L'utilisatrice a demandé un haïku sur la pluie.",
        "На присланной фотографии рыжий кот лежит на диване.",
        "用户问了珠穆朗玛峰有多高",
        "사용자가 시를 써 달라고 부탁했다",
    ],
)
def test_a_single_event_is_recognised(text: str) -> None:
    found = one_off(text)
    assert found is not None
    assert found.certainty >= ACTS


@pytest.mark.req("GATE-4")
@pytest.mark.parametrize(
    "text",
    [
        "Uses Sonnet for drafting and Opus only for marking essays, as a rule.",
        "Switched careers from nursing to software testing in 2023.",
        "Currently in the third year of an apprenticeship as an electrician.",
        "Married Tobias in June 2025 in a small ceremony in Visby.",
        "Was diagnosed with coeliac disease in spring 2024.",
        "Decided to drop MongoDB for PostgreSQL because reports need joins.",
        "Builds scale models of trams in H0.",
        "Prefers dark mode.",
        "User lives in Tampere.",
        "Always answer in Dutch unless the message is in English.",
        "Préfère quatre espaces d'indentation en Python",
        "Сейчас в декретном отпуске до сентября 2026 года",
        "每周三晚上打羽毛球",
    ],
)
def test_a_lasting_fact_is_left_alone(text: str) -> None:
    assert not passes(text)


def test_the_mark_of_a_request_changes_nothing() -> None:
    assert not passes("User requested: Writes commit messages in the imperative mood.")
    assert not passes("")
    assert not passes("   ")


@given(st.text(max_size=200))
def test_certainty_is_a_share(text: str) -> None:
    for found in (transient(text), one_off(text)):
        assert found is None or 0 < found.certainty <= 1
