"""Values in a text are one word to the rules that look at words."""

import time

import pytest

from commonplace.gate.commanding import instruction
from commonplace.gate.opaque import WORD, masked
from commonplace.gate.passing import one_off, transient
from commonplace.gate.splitting import several_facts


@pytest.mark.parametrize(
    "value",
    [
        "3c:2a:f4:71:0e:9b",
        "192.168.178.42",
        "2a01:4f8:c17:b8f::2",
        "72f988bf-86f1-41af-91ab-2d7cd011db47",
        "d41d8cd98f00b204e9800998ecf8427e",
        "3f9c2ab",
        "bc1qkq7x2vtlm9wrnayc5pdhsj8fa3gtqe0u4rt6xk",
        "https://wiki.example.org/display/OPS?page=88",
        "anna@example.org",
        "/srv/stacks/media/compose.yml",
        "20.11.1",
        "59.3471, 14.9082",
        "WP-2219-00834",
        "978-0-262-03384-8",
        "${{ secrets.NPM_TOKEN }}",
        "`customer_ref`",
    ],
)
def test_a_value_becomes_one_word(value: str) -> None:
    assert masked(f"It is {value}").text.split() == ["It", "is", WORD]


@pytest.mark.parametrize(
    "text", ["Switched to gpt-4o", "Runs o3-mini", "Born on 3.5.1988", "Since 2019-2021", "About 99.9 %", "On the M25"]
)
def test_names_days_and_amounts_stay(text: str) -> None:
    assert masked(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        "MAC address of the printer is 3c:2a:f4:71:0e:9b",
        "Bitcoin donation address is bc1qkq7x2vtlm9wrnayc5pdhsj8fa3gtqe0u4rt6xk",
        "Docker image is pinned to sha256:7c1e5b2d8046c7f1a9e3b5d208463f9a7c1e5b2d8046c7f1a9e3b5d208463f9a",
        "CI reads the token from ${{ secrets.NPM_TOKEN }}",
        "Best chanterelle spot is at 59.3471, 14.9082",
        "Base64 of config files should be wrapped at 76 characters",
        "Never print tokens or passwords into the logs",
        "DKIM record of the domain starts v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQ",
        "El servidor de copias está en 10.8.0.14:2222",
    ],
)
def test_a_lasting_fact_with_a_value_is_kept(text: str) -> None:
    for rule in (transient, one_off, instruction, several_facts):
        found = rule(text)
        assert found is None or found.certainty < 0.5


@pytest.mark.parametrize(
    "unit", ["a", "1", "a1", "a@", "1.", "ab:", "/a", "_a", "${", "0-", "A1-", ".a", "a/", "<a", "`a", "`"]
)
def test_a_megabyte_of_anything_is_masked_in_seconds(unit: str) -> None:
    started = time.monotonic()
    masked(unit * (1_000_000 // len(unit)))
    assert time.monotonic() - started < 5
