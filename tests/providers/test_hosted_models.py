"""Models behind an address: the vendors' real clients against scripted servers, on each wire format."""

import logging
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from commonplace.config import ModelSettings
from commonplace.errors import ConfigError, ModelFailed
from commonplace.flows.modelcalls import complete
from commonplace.ports import ChatModel
from commonplace.providers.chatmodels import chat_model
from commonplace.providers.chatmodels.surroundings import Surroundings
from commonplace.types import ChatMessage, Finished, Reply, TextPart, ToolCall, ToolSpec, Usage
from tests.wire.dialects import ANSWERED, ASKED, ChatCompletions, Dialect
from tests.wire.server import Answer, WireServer

HELLO = [ChatMessage("user", "Hello")]
KEY = "sk-invented-0123456789abcdef"
SPEC = ToolSpec("save_memory", "Saves a fact.", {"type": "object", "properties": {"content": {"type": "string"}}})


@dataclass
class Bench:
    """A model, the server it asks, and how long it waited between its tries."""

    wire: WireServer
    dialect: Dialect
    waits: list[float] = field(default_factory=list[float])
    environment: dict[str, str] = field(default_factory=dict[str, str])
    made: dict[ModelSettings, ChatModel] = field(default_factory=dict[ModelSettings, ChatModel])

    def model(self, **more: Any) -> ChatModel:
        settings = self.dialect.settings(self.wire.url, **{"timeout": 5.0, **more})
        if settings not in self.made:
            model = chat_model(settings, Surroundings(self.environment, self.waits.append))
            assert model is not None
            self.made[settings] = model
        return self.made[settings]

    def ask(self, *script: Answer, **more: Any) -> Reply:
        self.wire.script = list(script)
        return complete(self.model(**more), HELLO)

    def fail(self, *script: Answer, **more: Any) -> ModelFailed:
        with pytest.raises(ModelFailed) as caught:
            self.ask(*script, **more)
        return caught.value


@pytest.fixture
def bench(wire: WireServer, dialect: Dialect) -> Bench:
    return Bench(wire, dialect)


def test_text_arrives_piece_by_piece_with_its_end_and_the_count_of_tokens(bench: Bench) -> None:
    bench.wire.script = [bench.dialect.text("Good ", "mor", "ning, ", "世界 🌍")]
    assert list(bench.model().stream(HELLO)) == [
        TextPart("Good "),
        TextPart("mor"),
        TextPart("ning, "),
        TextPart("世界 🌍"),
        Finished("end", Usage(ASKED, ANSWERED)),
    ]


def test_bytes_may_arrive_in_any_portions(bench: Bench) -> None:
    for size in (1, 7, 64):
        whole = bench.dialect.text("Grüße, ", "世界 🌍").bytes
        portions = tuple(whole[at : at + size] for at in range(0, len(whole), size))
        assert bench.ask(Answer(portions)).text == "Grüße, 世界 🌍"


def test_tool_calls_are_put_together_from_their_pieces(bench: Bench) -> None:
    reply = bench.ask(
        bench.dialect.tool_calls(
            ("c1", "save_memory", ['{"con', 'tent": "Likes ', "trains 🚆", '"}']), ("c2", "read_memory", [])
        )
    )
    assert reply.tool_calls == (
        ToolCall("c1", "save_memory", {"content": "Likes trains 🚆"}),
        ToolCall("c2", "read_memory", {}),
    )
    assert reply.reason == "tool_calls"


def test_arguments_that_cannot_be_read_are_told_and_the_call_is_not_lost(bench: Bench) -> None:
    for arguments in ('{"content": "Li', "[1, 2]", "null", "{]", "[" * 100_000):
        calls = (("c1", "save_memory", [arguments]), ("c2", "read_memory", ["{}"]))
        broken, good = bench.ask(bench.dialect.tool_calls(*calls)).tool_calls
        assert (broken.id, broken.name, broken.arguments) == ("c1", "save_memory", {})
        assert "arguments are not" in broken.trouble
        assert not good.trouble


def test_a_call_that_the_token_limit_cut_off_is_known_by_its_trouble(bench: Bench) -> None:
    reply = bench.ask(bench.dialect.tool_calls(("c1", "save_memory", ['{"content": "Li']), reason="length"))
    assert reply.reason == "length"
    assert reply.tool_calls[0].trouble


def test_calls_that_all_have_the_same_number_are_told_apart_by_their_ids(wire: WireServer) -> None:
    dialect = ChatCompletions()
    reply = Bench(wire, dialect).ask(dialect.whole_tool_calls(("a", "save_memory", "{}"), ("b", "read_memory", "{}")))
    assert [(call.id, call.name) for call in reply.tool_calls] == [("a", "save_memory"), ("b", "read_memory")]
    assert reply.reason == "tool_calls"


def test_calls_without_an_id_get_one(wire: WireServer) -> None:
    dialect = ChatCompletions()
    bench = Bench(wire, dialect)
    ids = {bench.ask(dialect.whole_tool_calls(("", "read_memory", "{}"))).tool_calls[0].id for _ in range(3)}
    assert len(ids) == 3
    assert all(ids)


def test_tokens_are_estimated_where_the_server_does_not_count(wire: WireServer) -> None:
    dialect = ChatCompletions()
    usage = Bench(wire, dialect).ask(dialect.without_usage("Three words here")).usage
    assert 2 <= usage.output_tokens <= 6
    assert usage.input_tokens > 0


def test_a_refusal_is_an_answer_with_its_own_reason(bench: Bench) -> None:
    reply = bench.ask(bench.dialect.refusal("I cannot help with that."))
    assert (reply.text, reply.reason) == ("I cannot help with that.", "refusal")
    assert bench.ask(bench.dialect.text("I can", reason="refusal")).reason == "refusal"


def test_an_empty_answer_is_empty_and_is_asked_only_once(bench: Bench) -> None:
    reply = bench.ask(bench.dialect.text())
    assert (reply.text, reply.tool_calls, reply.reason) == ("", (), "end")
    assert len(bench.wire.requests) == 1


def test_an_answer_at_the_token_limit_says_so(bench: Bench) -> None:
    reply = bench.ask(bench.dialect.text("And then the", reason="length"))
    assert (reply.text, reply.reason) == ("And then the", "length")


# -- failures ---------------------------------------------------------------------------------------------------


def listen(model: ChatModel) -> tuple[str, ModelFailed | None]:
    """What a reader heard, and how it failed, if it did."""
    heard = ""
    try:
        for event in model.stream(HELLO):
            heard += event.text if isinstance(event, TextPart) else ""
    except ModelFailed as failure:
        return heard, failure
    return heard, None


def test_a_stream_cut_anywhere_is_a_failure_that_reports_what_came(bench: Bench) -> None:
    """Never a short answer, never a beginning that is heard twice. What was said whole is whole without its goodbye."""
    text = "Good morning, 世界 🌍"
    whole = bench.dialect.text("Good mor", "ning, ", "世界 🌍").bytes
    model = bench.model()
    last = len(b"".join(bench.dialect.begun("Good mor", "ning, ", "世界 🌍")))
    for at in range(1, len(whole), 13):
        bench.wire.script = [Answer((whole[:at],), ending="cut"), *[Answer((), ending="cut")] * 3]
        heard, failure = listen(model)
        if failure is None:
            assert at > last
            assert heard == text
        else:
            assert failure.retryable
            assert failure.partial == heard
            assert text.startswith(heard)


def test_a_stream_that_has_begun_is_not_asked_again(bench: Bench) -> None:
    begun = Answer(bench.dialect.begun("Some ", "text"), ending="cut")
    failure = bench.fail(begun, bench.dialect.text("Never heard"))
    assert failure.partial == "Some text"
    assert "broke off" in failure.message
    assert len(bench.wire.requests) == 1


def test_a_stream_that_just_ends_without_its_end_is_cut_off(bench: Bench) -> None:
    failure = bench.fail(Answer(bench.dialect.begun("Some ", "text")))
    assert "broke off" in failure.message
    assert failure.partial == "Some text"


def test_a_connection_that_breaks_before_anything_was_said_is_tried_again(bench: Bench) -> None:
    assert bench.ask(Answer((), ending="cut"), bench.dialect.text("Here")).text == "Here"
    assert len(bench.waits) == 1


def test_passing_trouble_is_tried_again(bench: Bench) -> None:
    for status in (408, 409, 429, 500, 502, 503, 529):
        assert bench.ask(bench.dialect.error(status, "busy"), bench.dialect.text("Here")).text == "Here"


def test_each_wait_is_longer_than_the_one_before_and_the_last_failure_is_told(bench: Bench) -> None:
    failure = bench.fail(*[bench.dialect.error(500, "the disk is on fire")] * 9)
    assert len(bench.wire.requests) == 4
    assert bench.waits == sorted(bench.waits)
    assert bench.waits[-1] > 2 * bench.waits[0]
    assert failure.retryable
    assert "HTTP 500" in failure.message
    assert "the disk is on fire" in failure.message


def test_the_wait_is_the_one_the_provider_asks_for(bench: Bench) -> None:
    for header in ({"retry_after": "7"}, {"retry_after": "0.5"}, {"retry_after_ms": "80"}):
        busy = bench.dialect.error(429, "slow down", **header)
        assert bench.ask(busy, bench.dialect.text("Here")).text == "Here"
    assert bench.waits == [7.0, 0.5, 0.08]


def test_a_time_to_come_back_may_be_a_date(bench: Bench) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    bench.ask(bench.dialect.error(503, "later", retry_after=later), bench.dialect.text("Here"))
    assert 25 < bench.waits[0] <= 30


def test_a_time_to_come_back_that_is_nonsense_is_ignored(bench: Bench) -> None:
    bench.ask(bench.dialect.error(503, "later", retry_after="soon"), bench.dialect.text("Here"))
    assert 0 < bench.waits[0] < 1


def test_nobody_waits_for_an_hour(bench: Bench) -> None:
    failure = bench.fail(bench.dialect.error(429, "come back later", retry_after="3600"))
    assert failure.retryable
    assert failure.after == 3600
    assert bench.waits == []


def test_a_request_that_cannot_work_is_made_once(bench: Bench) -> None:
    statuses = (400, 401, 403, 404, 413, 422)
    for status in statuses:
        failure = bench.fail(bench.dialect.error(status, "no such model", kind="invalid_request_error"))
        assert not failure.retryable
        assert failure.hint
    assert len(bench.wire.requests) == len(statuses)


def test_a_quota_that_is_used_up_does_not_come_back_by_waiting(bench: Bench) -> None:
    assert not bench.fail(bench.dialect.error(429, "pay first", kind="insufficient_quota")).retryable


def test_a_provider_that_says_not_to_come_back_is_obeyed(bench: Bench) -> None:
    assert not bench.fail(bench.dialect.error(500, "broken", x_should_retry="false")).retryable


def test_an_error_within_a_stream_is_a_failure(bench: Bench) -> None:
    failure = bench.fail(bench.dialect.error_within("overloaded", "Some ", "text"))
    assert (failure.partial, failure.retryable) == ("Some text", True)
    assert "overloaded" in failure.message
    assert not bench.fail(bench.dialect.error_within("bad", kind="invalid_request_error")).retryable
    assert bench.ask(bench.dialect.error_within("overloaded"), bench.dialect.text("Here")).text == "Here"


def test_an_event_that_is_not_json_is_a_failure(bench: Bench) -> None:
    for data in ("{", "not json", "\ufffd", '{"type": '):
        assert bench.ask(Answer((bench.dialect.garbage(data),)), bench.dialect.text("Here")).text == "Here"
        failure = bench.fail(Answer((*bench.dialect.begun("Some ", "text"), bench.dialect.garbage(data))))
        assert "broke off" in failure.message
        assert failure.partial == "Some text"
    garbage = Answer((bench.dialect.garbage("{"),))
    assert "no answer" in bench.fail(garbage, garbage, garbage, garbage).message


ODD_EVENTS = [
    "42", "null", "[]", '"text"', "{}", '{"type": 5}', '{"choices": null}', '{"choices": [null]}', '{"choices": 3}',
    '{"choices": [{"delta": {"content": 5, "tool_calls": [null, 7, {"function": 1}]}}]}',
    '{"choices": [{"delta": {"tool_calls": [{"index": [], "id": 5, "function": {"name": {}, "arguments": []}}]}}]}',
    '{"type": "content_block_delta", "index": {}, "delta": null}',
    '{"type": "content_block_start", "index": null, "content_block": {"type": "tool_use"}}',
    '{"type": "message_delta", "delta": {"stop_reason": 3}, "usage": 4}',
]  # fmt: skip


def test_an_event_of_another_shape_does_not_bring_down_the_program(bench: Bench) -> None:
    whole = bench.dialect.text("Some ", "text").pieces
    for data in ODD_EVENTS:
        bench.wire.script = [Answer((*whole[:2], bench.dialect.garbage(data), *whole[2:]))] * 4
        heard, failure = listen(bench.model())
        assert failure is not None or heard.startswith("Some text")


def test_a_web_page_instead_of_an_answer_is_a_failure(bench: Bench) -> None:
    page = Answer((b"<html><body>Sign in to the hotel's network</body></html>",), kind="text/html")
    assert bench.fail(page, page, page, page).retryable


def test_silence_is_a_failure_after_the_time_limit(bench: Bench) -> None:
    silent = Answer((), ending="silent")
    failure = bench.fail(silent, silent, silent, silent, timeout=0.2)
    assert "silent for 0.2 seconds" in failure.message
    assert failure.retryable
    assert len(bench.wire.requests) == 4
    assert bench.ask(silent, bench.dialect.text("Here"), timeout=0.2).text == "Here"


def test_silence_in_the_middle_reports_what_came(bench: Bench) -> None:
    failure = bench.fail(Answer(bench.dialect.begun("Some ", "text"), ending="silent"), timeout=0.3)
    assert failure.partial == "Some text"
    assert len(bench.wire.requests) == 1


@pytest.mark.req("R6")
def test_an_answer_that_drips_for_ever_is_a_failure_after_the_limit_for_the_whole(bench: Bench) -> None:
    bench.ask(bench.dialect.text("Hello"), timeout=600.0, total_timeout=600.0)  # the client is loaded by then
    begun = bench.dialect.begun("Some ", "text")
    failure = bench.fail(Answer(begun, ending="dripping"), timeout=60.0, total_timeout=4.0)
    assert "did not come to an end within 4 seconds" in failure.message
    assert "Some text".startswith(failure.partial)  # as far as it came by then
    assert failure.retryable
    assert "model.total_timeout" in failure.hint
    assert bench.wire.hung_up.wait(120)
    assert bench.ask(bench.dialect.text("Still here"), timeout=60.0, total_timeout=60.0).text == "Still here"


@pytest.mark.req("R6")
def test_the_limit_for_the_whole_holds_before_anything_is_answered_and_for_all_tries(bench: Bench) -> None:
    bench.ask(bench.dialect.text("Hello"), timeout=600.0, total_timeout=600.0)
    endless_header = Answer((), status=0)
    failure = bench.fail(endless_header, endless_header, timeout=60.0, total_timeout=4.0)  # a busy machine needs some
    assert "within 4 seconds" in failure.message
    assert len(bench.wire.requests) == 2
    bench.fail(*[bench.dialect.error(429, "later", retry_after="30")] * 4, total_timeout=20.0)
    assert bench.waits == []


@pytest.mark.req("R6")
def test_an_answer_far_beyond_what_was_asked_for_is_cut_off_as_a_failure(bench: Bench) -> None:
    failure = bench.fail(bench.dialect.text(*["all work and no play " * 500] * 100))
    assert "far beyond the 4096 tokens" in failure.message
    assert len(failure.partial) < 100_000


def test_arguments_that_never_end_are_cut_off(bench: Bench) -> None:
    endless = bench.dialect.tool_calls(("c1", "save_memory", ["x" * 100_000] * 30))
    assert "do not end" in bench.fail(endless, endless, endless, endless).message


@pytest.mark.req("S4")
def test_a_redirect_is_not_followed_with_the_conversation_in_its_body(bench: Bench) -> None:
    with WireServer() as elsewhere:
        elsewhere.script = [bench.dialect.text("Thank you for the conversation")]
        for status in (301, 302, 303, 307, 308):
            sent_on = Answer((b"",), status, "text/plain", {"Location": f"{elsewhere.url}/v1/messages"})
            failure = bench.fail(sent_on)
            assert elsewhere.url in failure.message
            assert not failure.retryable
        assert elsewhere.requests == []


def test_nobody_at_the_address_is_a_failure(bench: Bench) -> None:
    settings = bench.dialect.settings("http://127.0.0.1:9")
    model = chat_model(settings, Surroundings({}, bench.waits.append))
    assert model is not None
    with pytest.raises(ModelFailed, match="cannot be reached") as caught:
        complete(model, HELLO)
    assert caught.value.retryable
    assert len(bench.waits) == 3


def test_closing_the_answer_closes_the_connection(bench: Bench) -> None:
    bench.wire.script = [Answer(bench.dialect.begun("Some ", "text"), ending="silent")]
    events = bench.model().stream(HELLO)
    assert next(events) == TextPart("Some ")
    events.close()
    assert bench.wire.hung_up.wait(10)
    assert bench.ask(bench.dialect.text("Still here")).text == "Still here"


# -- what is sent -----------------------------------------------------------------------------------------------


def conversation() -> list[ChatMessage]:
    calls = (ToolCall("c1", "save_memory", {"content": "é"}), ToolCall("c2", "read_memory", {}))
    return [
        ChatMessage("user", "Remember é"),
        ChatMessage("assistant", "", calls),
        ChatMessage("tool", "saved", tool_call_id="c1"),
        ChatMessage("tool", "# Long-term Memory", tool_call_id="c2"),
        ChatMessage("user", "Thanks"),
    ]


def sent(bench: Bench, messages: Sequence[ChatMessage], system: str = "") -> dict[str, Any]:
    bench.wire.script = [bench.dialect.text("ok")]
    complete(bench.model(), messages, system=system, tools=[SPEC] if system else (), max_tokens=77)
    return bench.wire.requests[-1].body


def test_a_conversation_is_sent_as_each_format_wants_it(bench: Bench) -> None:
    body = sent(bench, conversation(), "Be kind.")
    assert body["max_tokens"] == 77
    if isinstance(bench.dialect, ChatCompletions):
        assert [message["role"] for message in body["messages"]] == [
            "system", "user", "assistant", "tool", "tool", "user"
        ]  # fmt: skip
        assert body["messages"][2]["tool_calls"][0]["function"]["arguments"] == '{"content": "é"}'
        assert body["messages"][3] == {"role": "tool", "tool_call_id": "c1", "content": "saved"}
        assert body["tools"][0]["function"]["parameters"] == SPEC.parameters
        return
    assert body["system"][0]["text"] == "Be kind."
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert [block["type"] for block in body["messages"][1]["content"]] == ["tool_use", "tool_use"]
    assert [block["type"] for block in body["messages"][2]["content"]] == ["tool_result", "tool_result", "text"]
    assert body["tools"][0]["input_schema"] == SPEC.parameters


def test_what_is_not_needed_is_not_sent(bench: Bench) -> None:
    body = sent(bench, HELLO)
    assert "tools" not in body
    assert "system" not in body


def test_bytes_that_were_never_text_do_not_stop_a_request(bench: Bench) -> None:
    body = sent(bench, [ChatMessage("user", "caf\udce9")])
    assert "caf?" in str(body["messages"])


# -- keys, names, addresses ---------------------------------------------------------------------------------------


def key_sent(bench: Bench) -> bool:
    return any(KEY in value for value in bench.wire.requests[-1].headers.values())


def test_the_key_comes_from_the_variable_that_the_settings_name(bench: Bench) -> None:
    bench.environment["MY_KEY"] = f" {KEY}\n"
    bench.ask(bench.dialect.text("ok"), key_variable="MY_KEY")
    assert key_sent(bench)


def test_another_address_gets_no_key_that_was_not_meant_for_it(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        bench.environment[name] = KEY
        monkeypatch.setenv(name, KEY)
    bench.ask(bench.dialect.text("ok"))
    assert not key_sent(bench)


def test_the_vendors_own_address_needs_its_key(dialect: Dialect) -> None:
    settings = replace(dialect.settings(""), url="")
    model = chat_model(settings, Surroundings({}))
    assert model is not None
    with pytest.raises(ModelFailed, match=f"{settings.provider.upper()}_API_KEY is not set") as caught:
        complete(model, HELLO)
    assert not caught.value.retryable
    assert "keyring set commonplace" in caught.value.hint


def keyring_with(folder: Path, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package called keyring; the real one asks a desktop that is not there."""
    package = folder / "keyring"
    package.mkdir()
    (package / "__init__.py").write_text(f"from keyring import errors\ndef get_password(service, name):\n    {body}\n")
    (package / "errors.py").write_text("class KeyringError(Exception):\n    pass\n")
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    for name in ("keyring", "keyring.errors"):
        monkeypatch.setitem(sys.modules, name, None)  # so that what this test imports is forgotten after it
        del sys.modules[name]


def test_the_key_may_be_in_the_keyring(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keyring_with(tmp_path, f"return {{('commonplace', 'MY_KEY'): '{KEY}'}}.get((service, name))", monkeypatch)
    bench.ask(bench.dialect.text("ok"), key_variable="MY_KEY")
    assert key_sent(bench)
    assert "MY_OTHER_KEY is not set" in bench.fail(key_variable="MY_OTHER_KEY").message


def test_a_keyring_that_is_locked_is_no_key(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keyring_with(tmp_path, "raise errors.KeyringError('locked')", monkeypatch)
    assert "MY_KEY is not set" in bench.fail(key_variable="MY_KEY").message


@pytest.mark.parametrize("key", [f"{KEY}\n{KEY}", f"{KEY} {KEY}", f"{KEY}é"])
def test_a_key_that_is_none_is_refused_without_being_shown(bench: Bench, key: str) -> None:
    bench.environment["MY_KEY"] = key
    failure = bench.fail(key_variable="MY_KEY")
    assert "MY_KEY" in failure.message
    assert KEY not in all_that_is_shown(failure)


def all_that_is_shown(failure: ModelFailed) -> str:
    return "".join([*traceback.format_exception(failure), repr(vars(failure)), failure.hint])


def test_a_key_is_never_shown_even_if_the_server_echoes_it(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    bench.environment["MY_KEY"] = KEY
    scripts: list[Callable[[], Answer]] = [
        lambda: bench.dialect.error(401, f"Incorrect API key provided: {KEY}."),
        lambda: bench.dialect.error_within(f"the key {KEY} has expired", kind="invalid_request_error"),
        lambda: Answer((f'{{"detail": "Bearer {KEY}"}}'.encode(),), 403, "application/json"),
        lambda: Answer((KEY.encode(),), 400, "text/plain"),
    ]
    for script in scripts:
        failure = bench.fail(script(), key_variable="MY_KEY")
        assert key_sent(bench)
        assert KEY not in all_that_is_shown(failure)
        assert failure.__cause__ is not None
    model = bench.model(key_variable="MY_KEY")
    assert KEY not in repr(model) + str(vars(model))
    assert KEY not in caplog.text


def test_a_long_complaint_of_the_server_is_shortened(bench: Bench) -> None:
    assert len(bench.fail(bench.dialect.error(400, "x" * 100_000)).message) < 500


def test_a_package_that_is_not_installed_is_named_with_its_extra(
    dialect: Dialect, wire: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(wire, dialect)
    package = dialect.settings("").provider
    monkeypatch.setitem(sys.modules, package, None)
    failure = bench.fail()
    assert not failure.retryable
    assert re.fullmatch(rf"Install it: \S+ .*{package}.*", failure.hint)


def test_what_is_missing_is_known_without_asking_anybody(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = bench.dialect.settings(bench.wire.url, key_variable="MY_KEY")
    model = chat_model(settings, Surroundings(bench.environment))
    assert model is not None
    with pytest.raises(ModelFailed, match="MY_KEY is not set"):
        model.check()
    bench.environment["MY_KEY"] = KEY
    model.check()
    monkeypatch.setitem(sys.modules, settings.provider, None)
    with pytest.raises(ModelFailed, match="package is not installed"):
        model.check()
    assert bench.wire.requests == []


def test_a_model_is_known_by_its_provider_and_name(dialect: Dialect) -> None:
    settings = dialect.settings("http://user:word@127.0.0.1:1234", window=5000)
    elsewhere = chat_model(settings, Surroundings({}))
    at_home = chat_model(replace(settings, url="", window=0), Surroundings({}))
    assert elsewhere is not None
    assert at_home is not None
    assert (elsewhere.identity, elsewhere.window) == (f"127.0.0.1:1234/{settings.name}", 5000)
    assert at_home.identity == f"{settings.provider}/{settings.name}"
    assert at_home.window >= 100_000


@pytest.mark.parametrize("change", [{"name": ""}, {"url": "ftp://x"}, {"url": "localhost:11434"}, {"url": "https://"}])
def test_a_wrong_setting_is_told_before_anything_is_asked(dialect: Dialect, change: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match=r"model\.(name|url)"):
        chat_model(replace(dialect.settings("http://127.0.0.1:1"), **change), Surroundings({}))


def test_a_provider_that_does_not_exist_is_told_with_those_that_do() -> None:
    with pytest.raises(ConfigError) as caught:
        chat_model(ModelSettings(provider="oracle"), Surroundings({}))
    assert "anthropic, openai, command, none" in caught.value.hint
    assert chat_model(ModelSettings(), Surroundings({})) is None
