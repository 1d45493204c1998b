"""A secret that is said in a conversation is nowhere afterwards: in no file, index or history, and in no request."""

import json
import subprocess
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from commonplace.agent.conversation import Conversation
from commonplace.config import EmbedderSettings, GateSettings, Settings
from commonplace.memory import Memory
from commonplace.testing import Answer, HashingEmbedder, ScriptedChatModel, StoppedClock
from commonplace.types import ChatMessage, Message, ToolCall
from tests.gate.made_secrets import made, pem
from tests.stores import Place, stored

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
KEY = made("AKIA<U16>", 1)[0]
TOKEN = made("ghp_<A36>", 2)[0]
PASSWORD = "Tr0ub" + "4dor&3"
PIN = "48" + "2195"
PEM = pem("PRIVATE KEY")
PEM_LINE = PEM.splitlines()[2]
ALL = (KEY, TOKEN, PASSWORD, PIN, PEM_LINE)
TOLD = f"My key is {KEY}, the wifi password is {PASSWORD}, the alarm PIN is {PIN}, GitHub: {TOKEN}\n{PEM}"


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock(NOON)


@pytest.fixture
def embedder() -> HashingEmbedder:
    return HashingEmbedder()


@pytest.fixture
def memory(place: Place, clock: StoppedClock, embedder: HashingEmbedder) -> Memory:
    return Memory.open(place, clock=clock, embedder=embedder)


def everything(memory: Memory) -> str:
    """All bytes of a book: files raw and decompressed, and every object of its history."""
    found = stored(memory.book.storage)
    folder = Path(memory.address)  # elsewhere than in a folder there is none
    for path in folder.rglob("*"):
        found.append(path.name.encode())
        if path.is_file():
            found.append(path.read_bytes())
            try:
                found.append(zlib.decompress(path.read_bytes()))
            except zlib.error:
                pass
    repository = folder / ".commonplace" / "history.git"
    if repository.exists():
        command = ["git", "--git-dir", str(repository), "cat-file", "--batch-all-objects", "--batch", "--unordered"]
        found.append(subprocess.run(command, capture_output=True, check=True).stdout)
    return b"\n".join(found).decode("utf-8", "replace")


def left_in(seen: str) -> list[str]:
    forms = {secret: (secret, json.dumps(secret)[1:-1]) for secret in ALL}
    return [secret for secret, written in forms.items() if any(form in seen for form in written)]


@pytest.mark.req("S4", "GATE-2")
def test_nothing_that_memory_writes_by_itself_holds_a_secret(memory: Memory, embedder: HashingEmbedder) -> None:
    session = memory.start_session(f"Ask about {TOKEN}").id
    memory.say(session, "user", TOLD)
    memory.say(
        session, "tool", f"done with {TOKEN}", name="deploy", arguments={"env": {"password": PASSWORD}, "all": [TOLD]}
    )
    memory.add_message(session, Message("m1", "assistant", TOLD, NOON, {"arguments": {"pin": f"PIN {PIN}"}}))
    memory.rename_session(session, f"Deploy with {KEY}")
    memory.log(TOLD, reason=f"because of {TOKEN}")
    memory.remember("Likes tea", reason=f"said beside {KEY}")
    memory.forget("Likes tea", reason=f"the password is {PASSWORD}")
    memory.log_session(session, None)
    memory.search(f"what is {TOKEN}?")
    memory.reindex()
    list(memory.changes())
    assert left_in(everything(memory)) == []
    assert left_in("\n".join(embedder.texts)) == []
    assert "[secret removed: GitHub token]" in memory.transcript(session).messages[1].text
    assert memory.session_info(session).title == "Deploy with [secret removed: AWS access key]"


@pytest.mark.req("S4", "GATE-2")
def test_a_conversation_with_secrets_leaves_none_behind_and_sends_none(
    memory: Memory, clock: StoppedClock, embedder: HashingEmbedder
) -> None:
    saving = ToolCall("c1", "save_memory", {"content": f"The deploy token is {TOKEN}", "category": "projects"})

    def answer(messages: Sequence[ChatMessage]) -> Answer:
        if not any("Today is " in message.text for message in messages):
            told = f"- They set up the wifi password, the alarm PIN and the key {KEY}."
            return f"## Daily Summary\n{told}\n\n## Long-term Facts\n- The wifi password is {PASSWORD}"
        if any(message.role == "tool" for message in messages):
            return f"I keep it to myself. The password is {PASSWORD}, and the key {KEY}."
        return (saving,)

    model = ScriptedChatModel(answer, window=100_000)
    conversation = Conversation(memory, model, clock)
    list(conversation.say(TOLD))
    list(conversation.say(f"And again: the alarm PIN is {PIN}"))
    assert conversation.session is not None
    memory.log_session(conversation.session, model)
    memory.search("wifi")
    clock.move(timedelta(days=1))
    list(conversation.say("What did I tell you?"))
    conversation.lifecycle.close()

    assert len(model.requests) > 3
    assert left_in(everything(memory)) == []
    assert left_in(str(model.requests)) == []
    assert left_in("\n".join(embedder.texts)) == []


@pytest.mark.folder
@pytest.mark.req("S4", "GATE-2")
def test_what_a_person_wrote_by_hand_is_neither_indexed_nor_sent(
    memory: Memory, clock: StoppedClock, embedder: HashingEmbedder
) -> None:
    memory.remember("Likes tea")
    page = memory.path / "MEMORY.md"
    page.write_text(f"{page.read_text()}\n- The deploy token is {TOKEN}\n- The wifi password is {PASSWORD}\n")
    (memory.path / "sessions").mkdir(exist_ok=True)
    line = {"id": "m1", "role": "user", "text": TOLD, "at": NOON.isoformat()}
    (memory.path / "sessions" / "by-hand.jsonl").write_text(json.dumps(line) + "\n")

    found = memory.search("deploy token", limit=10)
    assert any("[secret removed: GitHub token]" in hit.text for hit in found.hits)
    assert left_in(repr(found)) == []
    model = ScriptedChatModel(["You told me.", "## Daily Summary\n- They talked.\n\n## Long-term Facts\nNone"])
    conversation = Conversation(memory, model, clock)
    list(conversation.say("Which deploy token do I use?"))
    assert "The deploy token is [secret removed: GitHub token]" in str(model.requests[0])
    assert left_in(str(model.requests)) == []
    assert left_in("\n".join(embedder.texts)) == []
    index = "".join(f.read_bytes().decode("latin-1") for f in (memory.path / ".commonplace/index").iterdir())
    assert left_in(index) == []
    assert TOKEN in page.read_text()


def test_the_rule_can_be_switched_off_for_what_is_kept(tmp_path: Path, clock: StoppedClock) -> None:
    settings = Settings(embedder=EmbedderSettings(name="none"), gate=GateSettings(secret=None))
    memory = Memory.open(tmp_path / "book", settings=settings, clock=clock)
    memory.say("s", "user", TOLD)
    memory.log(TOLD)
    assert memory.transcript("s").messages[0].text == TOLD
    assert PASSWORD in memory.read_log(NOON.date())
    assert any(PASSWORD in hit.text for hit in memory.search("wifi").hits)


def test_switching_the_rule_on_again_cleans_the_index(tmp_path: Path, clock: StoppedClock) -> None:
    quiet = EmbedderSettings(name="none")
    off = Settings(embedder=quiet, gate=GateSettings(secret=None))
    Memory.open(tmp_path / "book", settings=off, clock=clock).log(f"The wifi password is {PASSWORD}")
    assert PASSWORD in Memory.open(tmp_path / "book", settings=off, clock=clock).search("wifi").hits[0].text
    assert PASSWORD not in Memory.open(tmp_path / "book", settings=Settings(embedder=quiet)).search("wifi").hits[0].text
