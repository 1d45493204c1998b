"""Our tokeniser against the library that the model was trained with."""

import random
import unicodedata
from pathlib import Path
from typing import Any
from unicodedata import ucd_3_2_0

import pytest
from hypothesis import given
from hypothesis import strategies as st

import commonplace.providers.embedders.minilm as package
from commonplace.providers.embedders.minilm import WINDOW
from commonplace.providers.embedders.wordpiece import WordPiece

VOCABULARY = Path(package.__file__).with_name("vocab.txt")
OURS = WordPiece(VOCABULARY, longest=WINDOW)

# Blocks that have been full since Unicode 5: the library's tables are older than Python's.
BLOCKS = [
    (0x20, 0x7E),
    (0xA1, 0x24F),
    (0x250, 0x2AF),
    (0x300, 0x36F),
    (0x370, 0x3FF),
    (0x400, 0x52F),
    (0x531, 0x587),
    (0x591, 0x5F4),
    (0x60C, 0x6FF),
    (0x901, 0x97F),
    (0xE01, 0xE5B),
    (0x10A0, 0x10FC),
    (0x1100, 0x11F9),
    (0x1E00, 0x1EFF),
    (0x1F00, 0x1FFE),
    (0x2000, 0x2063),
    (0x20A0, 0x20B5),
    (0x2100, 0x214E),
    (0x2190, 0x23E7),
    (0x2500, 0x26B2),
    (0x3000, 0x30FF),
    (0x3400, 0x4DB5),
    (0x4E00, 0x9FBB),
    (0xAC00, 0xD7A3),
    (0xF900, 0xFA2D),
    (0xFB00, 0xFB06),
    (0xFF01, 0xFF5E),
    (0x1D400, 0x1D454),
    (0x20000, 0x2A6D6),
]
OLD = [
    [c for c in map(chr, range(first, last + 1)) if ucd_3_2_0.category(c) == unicodedata.category(c) != "Cn"]
    for first, last in BLOCKS
]
SPECIAL = [
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "[UNK]",
    "\t",
    "\n",
    "\r",
    "\x00",
    "\x07",
    "\ufffd",
    "\u200b",
    "\u00ad",
    "\u2028",
    "\u3000",
]


def reference() -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    words = VOCABULARY.read_text(encoding="utf-8").split("\n")
    ids = {word: id for id, word in enumerate(words) if word}
    made: Any = Tokenizer(models.WordPiece(ids, unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = normalizers.BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True
    )
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[(name, made.token_to_id(name)) for name in ("[CLS]", "[SEP]")],
    )
    made.enable_truncation(WINDOW)
    return made


THEIRS = reference()


def random_text(source: random.Random) -> str:
    words: list[str] = []
    for _ in range(source.randint(0, 12)):
        block = source.choice(OLD[:1] + OLD)
        words.append("".join(source.choice(block) for _ in range(source.randint(1, 9))))
        if source.random() < 0.1:
            words.append(source.choice(SPECIAL))
    return source.choice([" ", "", " "]).join(words)


@pytest.mark.req("SRCH-1")
def test_thousands_of_texts_in_many_scripts_have_the_tokens_of_the_library() -> None:
    source = random.Random(5)
    texts = [random_text(source) for _ in range(4000)]
    for text, theirs in zip(texts, THEIRS.encode_batch(texts), strict=True):
        assert OURS.encode(text) == theirs.ids, ascii(text)


@given(st.text(st.sampled_from([c for block in OLD for c in block] + [c for s in SPECIAL for c in s]), max_size=60))
def test_any_text_has_the_tokens_of_the_library(text: str) -> None:
    assert OURS.encode(text) == THEIRS.encode(text).ids


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Hello, World!",
        "naïve café ÀÉÎÕÜ",
        "ΟΔΟΣ Σίσυφος ΣΑΣ",
        "İstanbul'da ıslak",
        "GROẞE straße ﬁne",
        "don't re-read e-mail @home #1 $5 100% a_b",
        "日本語とEnglishの混合",
        "한국어 문장",
        "Привет, мир; ёлка йод",
        "مرحبا بالعالم",
        "नमस्ते दुनिया",
        "สวัสดีชาวโลก",
        "emoji 🎉 and 👩‍👩‍👧",
        "x" * 100,
        "x" * 101,
        "word " * 400,
        "日" * 400,
        "unaffable " * 200,
    ],
)
def test_well_known_difficult_texts_have_the_tokens_of_the_library(text: str) -> None:
    assert OURS.encode(text) == THEIRS.encode(text).ids


def test_what_is_beyond_the_window_is_left_off() -> None:
    assert len(OURS.encode("word " * 1000)) == WINDOW
    assert OURS.encode("word " * 1000)[-1] == OURS.encode("")[-1]


@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    assert 2 <= len(OURS.encode(text + "\ud83d")) <= WINDOW
