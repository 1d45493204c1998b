"""Chat models as the command line shows them: what fails is visible, and a key never is."""

import pytest

from tests.cli.conftest import Cli
from tests.wire.dialects import ChatCompletions
from tests.wire.server import Answer, WireServer

KEY = "sk-invented-0123456789abcdef"
WIRE = ChatCompletions()
SUMMARY = WIRE.text("## Daily Summary\n- Asked about a train.\n\n## Long-term Facts\nNone")


@pytest.fixture
def model(wire: WireServer, monkeypatch: pytest.MonkeyPatch) -> WireServer:
    """A model that is configured in the environment and answers what the test says."""
    settings = {"PROVIDER": "openai", "NAME": "small", "URL": f"{wire.url}/v1", "KEY_VARIABLE": "MY_KEY"}
    for name, value in settings.items():
        monkeypatch.setenv(f"COMMONPLACE_MODEL_{name}", value)
    monkeypatch.setenv("MY_KEY", KEY)
    return wire


def test_a_question_is_answered_by_the_model_of_the_settings(cli: Cli, model: WireServer) -> None:
    model.script = [WIRE.text("At ", "21:40."), SUMMARY]
    ran = cli("ask", "When does the train leave?")
    assert (ran.status, ran.out.strip()) == (0, "At 21:40.")
    assert model.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("options", [[], ["--json"], ["--debug"]])
def test_a_refusal_is_told_without_the_key(cli: Cli, model: WireServer, options: list[str]) -> None:
    model.script = [WIRE.error(401, f"Incorrect key: {KEY}"), SUMMARY]
    ran = cli("ask", "When does the train leave?", *options)
    assert ran.status == 9
    assert "Incorrect key: [key]" in ran.out + ran.err
    assert KEY not in ran.out + ran.err
    assert KEY not in cli("config", "--json").out + cli("doctor").out


def test_an_answer_that_broke_off_is_shown_as_far_as_it_came_and_told(cli: Cli, model: WireServer) -> None:
    model.script = [Answer(WIRE.begun("At 21", ":4"), ending="cut"), SUMMARY]
    ran = cli("ask", "When does the train leave?")
    assert "At 21:4" in ran.out
    assert "broke off" in ran.err


def test_a_cap_that_is_reached_is_told_and_nothing_is_asked(
    cli: Cli, model: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMMONPLACE_MODEL_DAILY_TOKENS", "10")
    ran = cli("ask", "When does the train leave?")
    assert ran.status == 9
    assert "tokens allowed for today are used up" in ran.err
    assert model.requests == []
