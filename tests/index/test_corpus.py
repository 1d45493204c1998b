"""The body of all chunks: in one order, however the index came about."""

import random
from datetime import date, timedelta

import numpy as np
import pytest

from commonplace.index import segment
from commonplace.index.corpus import gather
from commonplace.types.searching import Chunk, Source


def chunk(file: str, line: int, heading: str, day: int, position: int = 0, speaker: str = "user") -> Chunk:
    session = file.removeprefix("sessions/").removesuffix(".jsonl") if file.startswith("sessions/") else ""
    source = Source.SESSION if session else Source.DAILY_LOG
    when = date(2026, 1, 1) + timedelta(days=day)
    return Chunk(file, line, source, heading, when, session, position, speaker, f"{file} {line} {position}")


def some(rng: random.Random) -> list[Chunk]:
    return [
        chunk(
            rng.choice(["daily/2026-01-01.md", "sessions/a.jsonl", "sessions/b.jsonl"]),
            rng.randrange(9),
            rng.choice(["", "Work"]),
            rng.randrange(3),
            rng.randrange(2),
            rng.choice(["user", "assistant", "Ben"]),
        )
        for _ in range(rng.randrange(40))
    ]


@pytest.mark.req("SRCH-4")
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("ordered", [True, False], ids=["as indexed", "in any order"])
def test_chunks_stand_by_group_and_place_whatever_they_were_read_from(seed: int, ordered: bool) -> None:
    rng = random.Random(seed)
    parts: list[list[Chunk]] = [some(rng), some(rng)]
    if ordered:
        parts = [sorted(part, key=lambda one: (one.file, one.heading, one.line, one.position)) for part in parts]
    segments = [segment.build(part, {}, 2) for part in parts]
    masks = [np.array([rng.random() < 0.8 for _ in part], dtype=np.bool_) for part in parts]
    corpus = gather(list(zip(segments, masks, strict=True)))
    kept = [one for part, mask in zip(parts, masks, strict=True) for one, keep in zip(part, mask, strict=True) if keep]
    newest: dict[tuple[str, str], date] = {}
    for one in kept:
        assert one.day is not None
        newest[one.file, one.heading] = max(newest.get((one.file, one.heading), date.min), one.day)
    wanted = sorted(
        kept,
        key=lambda one: (newest[one.file, one.heading], one.file, one.heading, one.line, one.position),
    )
    found = [corpus.chunk(at) for at in range(corpus.count)]
    assert found == wanted
    assert [corpus.speakers[at] for at in corpus.speaker] == [one.speaker for one in wanted]
    assert [corpus.sessions[at] for at in corpus.group] == [one.session for one in wanted]
    assert [corpus.chunk(int(at)).file for at in corpus.starts] == [
        file for file, _ in dict.fromkeys((o.file, o.heading) for o in wanted)
    ]
    assert corpus.place[corpus.number].tolist() == list(range(corpus.count))
