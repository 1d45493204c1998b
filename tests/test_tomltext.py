"""One value of a TOML file changes; every other byte stays."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.errors import ConfigError
from commonplace.tomltext import flattened, literal, with_value

FILE = """\
# mine
book = "work"   # the one at the office

[model]
provider = "openai"
command = [
  "a", # one
  "b",
]

[lock] # patience
timeout = 3
"""


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("book", "home", 'book = "home"   # the one at the office\n'),
        ("model.provider", "anthropic", 'provider = "anthropic"\n'),
        ("model.command", ["claude", "-p"], 'command = ["claude", "-p"]\n'),
        ("model.name", "some # model", 'name = "some # model"\n'),
        ("lock.timeout", 2.5, "timeout = 2.5\n"),
        ("search.limit", 7, "\n[search]\nlimit = 7\n"),
        ("gate.secret", "off", '\n[gate]\nsecret = "off"\n'),
    ],
)
def test_a_value_is_set_and_all_else_stays(key: str, value: object, line: str) -> None:
    changed = with_value(FILE, key, value)
    assert line in changed
    assert flattened(tomllib.loads(changed)) == flattened(tomllib.loads(FILE)) | {key: value}
    assert changed.startswith("# mine\n")
    assert "[lock] # patience\n" in changed


def test_a_value_is_taken_out_and_one_that_is_not_there_changes_nothing() -> None:
    assert "command" not in with_value(FILE, "model.command", None)
    assert with_value(FILE, "search.limit", None) == FILE
    assert with_value("", "search.limit", 3) == "[search]\nlimit = 3\n"
    assert with_value("search.limit = 1", "search.limit", 3) == "search.limit = 3\n"


def test_what_cannot_be_changed_safely_is_left_to_the_person() -> None:
    with pytest.raises(ConfigError):
        with_value('model = { provider = "openai" }\n', "model.provider", "none")


@given(st.text() | st.integers() | st.booleans() | st.lists(st.text()))
def test_any_value_is_written_so_that_it_reads_the_same(value: object) -> None:
    try:
        text = literal(value).encode("utf-8").decode()
    except UnicodeEncodeError:
        return  # half a character has no place in a file
    assert tomllib.loads(f"x = {text}") == {"x": value}
