"""Files that were made to do harm are refused with a reason, or read as what they are; nothing outside is touched."""

import json
import os
import struct
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.errors import CommonplaceError, UnreadableFile, UnsafePath, ValidationError
from commonplace.foreign.jsonstream import pieces
from commonplace.foreign.opening import opened
from commonplace.memory import Memory
from commonplace.testing import HashingEmbedder
from tests.foreign import generators as made
from tests.foreign.test_importing import BEES, adds_nothing, files_of

pytestmark = pytest.mark.req("IMP-1")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory.open(tmp_path / "in" / "book", embedder=HashingEmbedder())


def zipped(path: Path, members: dict[str, bytes], mode: int = 0o100644) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.filename = name  # as it is: the library would mend it
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return path


GOOD = json.dumps([made.chatgpt_conversation(1, BEES)]).encode()


def test_an_archive_that_was_cut_off_is_told_as_one(memory: Memory, tmp_path: Path) -> None:
    path = made.chatgpt_zip(tmp_path / "x.zip", [made.chatgpt_conversation(n, BEES) for n in range(20)])
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(CommonplaceError, match="without its end"):
        memory.import_from(path)


@pytest.mark.req("S5")
@pytest.mark.parametrize(
    "name",
    [
        "../evil.json",
        "a/../../evil.json",
        "/etc/evil.json",
        "..\\evil.json",
        "C:\\evil.json",
        "\\\\host\\share\\x",
        "C:x",
        "a/..",
    ],
)
def test_an_archive_whose_names_lead_out_of_it_is_refused_whole(memory: Memory, tmp_path: Path, name: str) -> None:
    path = zipped(tmp_path / "x.zip", {"conversations.json": GOOD, name: b"x"})
    with pytest.raises(UnsafePath, match="leads out"):
        memory.import_from(path)
    assert files_of(tmp_path / "in") == {}


@pytest.mark.req("S5")
@pytest.mark.parametrize("mode", [0o120777, 0o020666, 0o010644])
def test_an_archive_with_links_or_devices_is_refused(memory: Memory, tmp_path: Path, mode: int) -> None:
    with pytest.raises(UnsafePath, match="link or a device"):
        memory.import_from(zipped(tmp_path / "x.zip", {"conversations.json": b"/etc/passwd"}, mode))


def test_a_bomb_is_refused_before_it_is_read(memory: Memory, tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", {"conversations.json": b"[" + b" " * 30_000_000 + b"]"})
    assert path.stat().st_size < 100_000
    with pytest.raises(UnsafePath, match="would grow"):
        memory.import_from(path)


def test_an_archive_that_lies_about_its_sizes_is_damaged(memory: Memory, tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", {"conversations.json": GOOD})
    data = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        at = data.find(signature)
        struct.pack_into("<I", data, at + offset, 50)
    path.write_bytes(data)
    with pytest.raises(CommonplaceError):
        memory.import_from(path)


def test_one_name_twice_in_an_archive_is_refused(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", GOOD)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("conversations.json", b"[]")
    with pytest.raises(UnsafePath, match="twice"):
        memory.import_from(path)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("conversations.json", b"[" * 200_000),
        ("conversations.json", b'[{"mapping": ' + b'{"a":' * 100_000),
        ("conversations.json", b"[" + b"9" * 10_000 + b"]"),
        ("conversations.json", b'[{"mapping": {}}'),
        ("conversations.json", b'{"a" 1}'),
        ("conversations.json", b"\x00\x01\x02"),
        ("conversations.json", b""),
        ("conversations.json", b'"text"'),
        ("conversations.json", GOOD + b"x"),
        ("broken.zip", b"PK\x03\x04" + b"\x00" * 100 + b"PK\x05\x06" + b"\xff" * 18),
    ],
    ids=range(10),
)
def test_what_is_no_export_is_refused_with_a_reason(memory: Memory, tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(CommonplaceError) as caught:
        memory.import_from(path, kind="chatgpt")
    assert caught.value.hint


def test_a_damaged_archive_is_told_as_one(memory: Memory, tmp_path: Path) -> None:
    path = made.chatgpt_zip(tmp_path / "x.zip", [made.chatgpt_conversation(n, BEES) for n in range(20)])
    data = bytearray(path.read_bytes())
    at = data.find(b"conversations.json") + 300
    data[at : at + 40] = os.urandom(40)
    path.write_bytes(data)
    with pytest.raises(CommonplaceError):
        memory.import_from(path)


@pytest.mark.req("S5")
def test_links_pipes_and_devices_in_a_folder_are_passed_over(memory: Memory, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("- The key is under the mat\n")
    folder = made.folder_of(tmp_path / "notes", {"a.md": "- Sails a boat\n"})
    (folder / "b.md").symlink_to(outside)
    (folder / "c").symlink_to(tmp_path)
    os.mkfifo(folder / "d.md")
    report = memory.import_from(folder)
    assert [entry.text for entry in memory.entries()] == ["Sails a boat"]
    assert {one.why: one.count for one in report.skipped} == {"links are not followed": 2, "it is no file": 1}


@pytest.mark.req("S5")
@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/dev/stdin"])
def test_a_device_is_no_source(memory: Memory, path: str) -> None:
    with pytest.raises(CommonplaceError):
        memory.import_from(path)


@pytest.mark.req("S5")
def test_a_link_put_in_place_of_a_file_after_the_look_is_not_followed(memory: Memory, tmp_path: Path) -> None:
    folder = made.folder_of(tmp_path / "notes", {"sub/a.md": "- Sails a boat\n"})
    made.folder_of(tmp_path / "other", {"a.md": "- The key is under the mat\n"})
    with opened(folder) as source:
        (folder / "sub" / "a.md").unlink()
        (folder / "sub").rmdir()
        (folder / "sub").symlink_to(tmp_path / "other")
        with pytest.raises(CommonplaceError):
            source.read(source.files[0])


def test_texts_beyond_all_measure_are_left_out_and_named(memory: Memory, tmp_path: Path) -> None:
    files = {"huge.md": "x" * 21_000_000, "long.md": "word " * 2000, "ok.md": "- Sails a boat\n", "bin.md": "\0\1\2"}
    report = memory.import_from(made.folder_of(tmp_path / "notes", files))
    assert "Sails a boat" in [entry.text for entry in memory.entries()]
    assert any("too large" in one.why for one in report.skipped)
    assert any("characters" in one.why for one in report.skipped)


def test_one_element_beyond_all_measure_is_refused() -> None:
    from io import BytesIO

    with pytest.raises(UnreadableFile, match="more than"):
        list(pieces(BytesIO(b'["' + b"x" * 3_000_000 + b'"]'), "x", largest=1_000_000))


_LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=8)


@settings(max_examples=40)
@given(
    st.recursive(
        _LEAVES, lambda c: st.lists(c, max_size=3) | st.dictionaries(st.text(max_size=3), c, max_size=3), max_leaves=6
    )
)
def test_a_stream_reads_what_the_whole_says(value: object) -> None:
    from io import BytesIO

    class Slow(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(5)

    listed = [value, [value], {"k": value}]
    for ascii in (True, False):
        data = json.dumps(listed, ensure_ascii=ascii).encode("utf-8", "surrogatepass")
        if b"\xed" in data:
            continue  # a lone half of a character is no UTF-8
        assert [one for _, one in pieces(Slow(data), "x")] == listed
        whole = json.dumps({"a": 1, "b": listed}, ensure_ascii=ascii).encode("utf-8", "surrogatepass")
        assert list(pieces(Slow(whole), "x")) == [("a", 1), *(("b", one) for one in listed)]


@given(st.binary(max_size=200))
def test_no_bytes_break_the_stream_otherwise_than_by_refusing(data: bytes) -> None:
    from io import BytesIO

    try:
        list(pieces(BytesIO(b"[" + data), "x"))
    except UnreadableFile:
        return


def test_an_encrypted_archive_is_told_as_one(memory: Memory, tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", {"conversations.json": GOOD})
    data = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        at = data.find(signature)
        data[at + offset] |= 1
    path.write_bytes(data)
    with pytest.raises(UnreadableFile, match="encrypted"):
        memory.import_from(path)


@pytest.mark.parametrize("role", ["system", "developer", "tool", "user\nassistant", "", "a" * 400])
def test_roles_that_nobody_speaks_in_are_left_out(memory: Memory, tmp_path: Path, role: str) -> None:
    whole = made.chatgpt_conversation(1, BEES)
    whole["mapping"]["m2"]["message"]["author"]["role"] = role
    memory.import_from(made.chatgpt_zip(tmp_path / "x.zip", [whole]))
    messages = memory.transcript("chatgpt-00000001-0000-4000-8000-000000000000").messages
    assert {message.role for message in messages} == {"event", "user", "assistant"}
    assert BEES[2] not in [message.text for message in messages]


@pytest.mark.parametrize("field", ["mapping", "title", "create_time", "current_node", "conversation_id"])
@pytest.mark.parametrize(
    "value", [None, [], {}, 5, "x", True, [[1]], {"a": {"message": 3, "parent": []}}], ids=range(8)
)
def test_fields_of_another_type_break_nothing(memory: Memory, tmp_path: Path, field: str, value: object) -> None:
    odd = {**made.chatgpt_conversation(1, BEES), field: value}
    path = made.chatgpt_zip(tmp_path / "x.zip", [odd, made.chatgpt_conversation(2, BEES)])
    assert memory.import_from(path).messages >= 4


# -- kill -9, and much of it -------------------------------------------------------------------------------------------

_KILLED = """
import os, signal, sys
from commonplace.memory import Memory
from commonplace.testing import HashingEmbedder
left = int(sys.argv[3])
def kill(done, total):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
Memory.open(sys.argv[1], embedder=HashingEmbedder()).import_from(sys.argv[2], progress=kill)
"""


@pytest.mark.req("R1")
def test_an_import_that_is_killed_again_and_again_takes_everything_in_once(memory: Memory, tmp_path: Path) -> None:
    conversations = [made.chatgpt_conversation(n, BEES) for n in range(12)]
    path = made.chatgpt_zip(tmp_path / "x.zip", conversations)
    for steps in (0, 5):
        ran = subprocess.run([sys.executable, "-c", _KILLED, str(memory.path), str(path), str(steps)], check=False)
        assert ran.returncode == -9
    report = memory.import_from(path)
    assert report.messages + report.known_messages == 48
    assert report.known_messages >= 24
    for session in memory.sessions():
        assert [m.text for m in memory.transcript(session).messages if m.role != "event"] == BEES
    assert adds_nothing(memory, path)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of a process is told by Linux")
def test_fifty_thousand_messages_are_read_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    one = json.dumps(made.chatgpt_conversation(1, ["river bridge garden " * 20] * 50))
    with path.open("w") as file:
        file.write("[" + ",".join([one] * 20))
        for _ in range(49):
            file.write("," + ",".join([one] * 20))
        file.write("]")
    program = (
        "import re, sys; from pathlib import Path; from commonplace.foreign.kinds import brought, recognised\n"
        "from commonplace.foreign.opening import opened\n"
        "with opened(Path(sys.argv[1])) as source:\n"
        "    count = sum(len(one.messages) for one in brought(recognised(source), source))\n"
        # Not by getrusage: a child begins with the peak of its parent there.
        "print(count, int(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1]) // 1024)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program, str(path)], check=True, capture_output=True, text=True)
    messages, megabytes = map(int, ran.stdout.split())
    assert messages == 50_000
    assert path.stat().st_size > 50_000_000
    assert megabytes < 120


def test_a_checksum_that_is_wrong_is_told(tmp_path: Path, memory: Memory) -> None:
    path = zipped(tmp_path / "x.zip", {"conversations.json": GOOD})
    data = bytearray(path.read_bytes())
    wrong = zlib.crc32(GOOD) ^ 1
    for signature, offset in ((b"PK\x01\x02", 16), (b"PK\x03\x04", 14)):
        struct.pack_into("<I", data, data.find(signature) + offset, wrong)
    path.write_bytes(data)
    with pytest.raises(CommonplaceError, match="damaged"):
        memory.import_from(path)


def test_an_empty_path_is_an_error(memory: Memory) -> None:
    with pytest.raises(ValidationError):
        memory.import_from("  ")
