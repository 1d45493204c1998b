"""Files as other programs write them: realistic in their oddities, made anew for each test."""

import json
import random
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

START = 1_700_000_000.0  # 2023-11-14


def chatgpt_conversation(
    number: int, turns: Sequence[str], *, start: float | None = START, **more: Any
) -> dict[str, Any]:
    """A conversation with a hidden beginning, a branch that was left, thoughts, a tool's result and an image."""
    id = f"{number:08x}-0000-4000-8000-000000000000"
    nodes: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": ["sys"]}}
    last = "root"

    def add(
        key: str, role: str, parts: list[object], kind: str = "text", at: float | None = None, **extra: Any
    ) -> None:
        nonlocal last
        content: dict[str, Any] = {"content_type": kind, "parts": parts}
        message = {"id": f"{id}-{key}", "author": {"role": role}, "content": content, "create_time": at, "weight": 1.0}
        message |= {"recipient": "all", "metadata": {}} | extra
        nodes[key] = {"id": key, "message": message, "parent": last, "children": []}
        nodes[last]["children"].append(key)
        last = key

    add("sys", "system", [""], weight=0.0)
    add("ctx", "user", [], kind="user_editable_context", metadata={"is_visually_hidden_from_conversation": True})
    for turn, text in enumerate(turns):
        at = None if start is None else start + number * 86400 + turn * 60
        before = last
        if turn == 0:  # what was said first and then edited: a branch that is not open any more
            add(f"old{turn}", "user", [f"Left branch: {text}"], at=at)
            last = before
        role = "assistant" if turn % 2 else "user"
        if role == "assistant":
            add(f"think{turn}", "assistant", [], kind="thoughts", at=at)
            add(f"call{turn}", "assistant", ["search()"], kind="code", at=at, recipient="browser")
            add(f"tool{turn}", "tool", ["A web page says: the user is rich"], at=at)
        parts: list[object] = [text]
        if turn == 2:
            parts = [{"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}, text]
        add(f"m{turn}", role, parts, kind="multimodal_text" if turn == 2 else "text", at=at)
    created = None if start is None else start + number * 86400
    whole = {"conversation_id": id, "id": id, "title": f"Chat {number}", "create_time": created, "mapping": nodes}
    return {**whole, "current_node": last, **more}


def chatgpt_zip(path: Path, conversations: Sequence[dict[str, Any]], shards: int = 1) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("user.json", json.dumps({"id": "user-1", "email": "a@example.org"}))
        archive.writestr("chat.html", "<html></html>")
        archive.writestr("message_feedback.json", "[]")
        for shard in range(shards):
            name = "conversations.json" if shards == 1 else f"conversations-{shard:03}.json"
            archive.writestr(name, json.dumps(list(conversations[shard::shards])))
    return path


def claude_conversation(number: int, turns: Sequence[str]) -> dict[str, Any]:
    messages: list[dict[str, Any]] = []
    for turn, text in enumerate(turns):
        at = f"2024-03-{1 + number % 28:02}T10:{turn % 60:02}:00.000000Z"
        content: list[dict[str, Any]] = [{"type": "text", "text": text}]
        if turn % 2:
            content = [
                {"type": "thinking", "thinking": "hm"},
                {"type": "tool_use", "name": "web_search", "input": {}},
                {"type": "tool_result", "content": [{"type": "text", "text": "A page says: the user is rich"}]},
                *content,
            ]
        sender = "assistant" if turn % 2 else "human"
        message = {"uuid": f"c{number}-m{turn}", "sender": sender, "text": text, "content": content, "created_at": at}
        messages.append({**message, "attachments": [], "files": []})
    return {
        "uuid": f"c{number}",
        "name": f"Talk {number}",
        "created_at": f"2024-03-{1 + number % 28:02}T09:59:00Z",
        "chat_messages": messages,
    }


def claude_zip(path: Path, conversations: Sequence[dict[str, Any]], memory: str = "") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps(conversations))
        archive.writestr("users.json", json.dumps([{"uuid": "u", "full_name": "Ada"}]))
        archive.writestr("projects.json", json.dumps([{"uuid": "p", "docs": [], "prompt_template": "Be brief."}]))
        if memory:
            archive.writestr("memories.json", json.dumps([{"conversations_memory": memory, "account_uuid": "u"}]))
    return path


def claude_code_transcript(path: Path, said: Sequence[tuple[str, str]], session: str = "s1") -> Path:
    lines = [json.dumps({"type": "mode", "mode": "default", "sessionId": session})]
    for number, (role, text) in enumerate(said):
        content: object = text if role == "user" else [{"type": "text", "text": text}]
        message = {"role": role, "content": content, **({"id": f"msg-{session}-{number}"} if role != "user" else {})}
        line = {
            "type": role,
            "message": message,
            "uuid": f"{session}-u{number}",
            "sessionId": session,
            "isSidechain": False,
        }
        lines.append(json.dumps({**line, "timestamp": f"2026-05-04T10:{number % 60:02}:00.000Z"}))
    path.write_text("\n".join(lines) + "\n")
    return path


def codex_rollout(folder: Path, said: Sequence[tuple[str, str]], id: str = "0199-aaaa") -> Path:
    day = folder / "2026" / "05" / "04"
    day.mkdir(parents=True, exist_ok=True)
    path = day / f"rollout-2026-05-04T10-00-00-{id}.jsonl"
    items: list[dict[str, Any]] = [{"type": "session_meta", "payload": {"id": id, "cwd": "/x"}}]
    context = [{"type": "input_text", "text": "<environment_context>cwd</environment_context>"}]
    items.append({"type": "response_item", "payload": {"type": "message", "role": "user", "content": context}})
    for role, text in said:
        content = [{"type": "input_text" if role == "user" else "output_text", "text": text}]
        items.append({"type": "response_item", "payload": {"type": "message", "role": role, "content": content}})
    stamped = ({"timestamp": f"2026-05-04T10:{n:02}:00.000Z", **item} for n, item in enumerate(items))
    path.write_text("\n".join(map(json.dumps, stamped)) + "\n")
    return path


def mem0_json(path: Path, texts: Sequence[str], users: Sequence[str] = ("ada",)) -> Path:
    records = [
        {
            "id": f"00000000-0000-4000-8000-{number:012}",
            "memory": text,
            "hash": "x",
            "metadata": None,
            "created_at": f"2024-06-{1 + number % 28:02}T08:00:00-07:00",
            "updated_at": None,
            "user_id": users[number % len(users)],
        }
        for number, text in enumerate(texts)
    ]
    path.write_text(json.dumps({"results": records, "relations": []}))
    return path


def folder_of(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return root


OPENCLAW = {
    "SOUL.md": "# Soul\n\nYou are kind.\n",
    "AGENTS.md": "Always do what this file says.\n",
    "DREAMS.md": "Generated.\n",
    "USER.md": "# About\n\n- Lives in Lisbon with two cats\n",
    "MEMORY.md": "# Memory\n\n## Preferences\n\n- Prefers oat milk in coffee\n\n"
    "## Boat\n\n- The boat is called Margarida\n",
    "MEMORY.sync-conflict-20260101-101010-ABC.md": "- A copy\n",
    "memory/2026-02-03.md": "# 2026-02-03\n\n- Repaired the mast with Tomás\n\n---\n\n- Bought varnish\n",
    "memory/2026-02-04-regatta.md": "Finished fourth in the regatta.\n",
}
CLAUDE_MEMORY = {
    "MEMORY.md": "- [Package manager](pnpm.md) — uses pnpm\n- [Role](role.md) — who the user is\n",
    "pnpm.md": "---\nname: pnpm\ndescription: package manager\n"
    "metadata:\n  type: feedback\n---\n\nUse pnpm, never npm, in this repository.\n",
    "role.md": "---\nname: role\ndescription: role\n"
    "metadata:\n  type: user\n---\n\nThe user is a hydrologist in Basel.\n",
}
BASIC_MEMORY = {
    "coffee.md": "---\ntitle: Coffee Brewing\ntype: note\npermalink: coffee-brewing\ntags: [coffee]\n"
    "created: 2024-01-05\n---\n\n"
    "# Coffee Brewing\n\n## Observations\n- [method] Pour over takes four minutes with a medium grind "
    "#brewing (for one cup)\n"
    "- [preference] Water at 94 degrees suits light roasts\n\n## Relations\n- relates_to [[Coffee Beans]]\n",
}
OBSIDIAN = {
    ".obsidian/app.json": "{}",
    ".trash/old.md": "- Deleted note\n",
    "Garden.md": "---\ndate: 2024-04-02\n---\n# Garden\n\n- The [[Apple tree|old apple tree]] was planted "
    "by Grandfather Otto\n"
    "- ![[photo.png]]\n%% a secret comment %%\n\n```\ncode\n```\n",
    "2024-04-03.md": "Sowed carrots with [[Otto]].\n",
}


def many_conversations(count: int, messages: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """ChatGPT conversations of random words: as many as wanted, one at a time."""
    chance = random.Random(seed)
    words = "river bridge garden paper winter engine letter market copper window story harbour ladder cotton".split()
    for number in range(count):
        turns = [" ".join(chance.choices(words, k=chance.randint(6, 30))) for _ in range(messages)]
        yield chatgpt_conversation(number, turns)


def write_many(path: Path, count: int, messages: int) -> Path:
    """A conversations.json that was never in memory as a whole."""
    with path.open("w") as file:
        file.write("[")
        for number, one in enumerate(many_conversations(count, messages)):
            file.write(("," if number else "") + json.dumps(one))
        file.write("]")
    return path
