"""The flow of a rewrite: a whole new MEMORY.md from an agent that keeps a page of its own, behind compaction's net.

Nothing that was there may get lost on the way, and nothing comes in past the gate.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from commonplace.config import GateSettings
from commonplace.distill.verifying import Checks, additions, belong, losses, says_otherwise
from commonplace.errors import ValidationError
from commonplace.files.copies import Copies
from commonplace.files.document import REQUESTED, TITLE, Document
from commonplace.files.merge import merge
from commonplace.files.text import encode, folded, on_one_line, split_lines
from commonplace.files.transactions import Book, Plan
from commonplace.gate.commanding import instruction
from commonplace.gate.secrets import redact
from commonplace.types.asking import Asker, Wish
from commonplace.types.book import MEMORY_FILE, SECTION_OF, STANDARD_SECTIONS, Category, Entry
from commonplace.types.compaction import Rewritten
from commonplace.types.verdicts import Verdict, VerdictKind

_LONGEST_HEADING = 60
_NO_BYTES = re.compile(r"[\ud800-\udc7f\udd00-\udfff]")  # halves of characters, which no file can hold


class Keeper(Protocol):
    """Whom a rewrite asks: what the gate says to a new text, whether the user said that an entry they asked for may
    become this text (nothing: go), and to let such a change wait for their yes."""

    def judge(self, wish: Wish, section: str, asker: Asker) -> Verdict: ...

    def may_change(self, before: Entry, new: str, asker: Asker) -> bool: ...

    def propose(self, before: Entry, new: str, asker: Asker) -> object: ...


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What a rewrite works on."""

    book: Book
    checks: Checks
    copies: Copies
    keeper: Keeper
    gate: GateSettings

    def run(self, content: str, dropped: Sequence[str], asker: Asker) -> Rewritten:
        """Replace the document, or say in a `ValidationError` what would be lost, invented or wrong in form."""
        read = self.book.storage.read(MEMORY_FILE).data
        base, wanted = Document.parse(read), Document(split_lines(_ended(content)))
        findings = [
            *_page_trouble(content, wanted, base),
            *_heading_trouble(wanted, base, self.gate, dropped),
            *self._content_trouble(wanted, base, dropped, asker),
        ]
        if findings:
            raise ValidationError(
                "The page was not accepted; the memory is as it was.\n" + "\n".join(f"- {redact(f)}" for f in findings),
                hint="Say everything that the old entries say, or name the entries that should go in `dropped`.",
            )
        saved = self.copies.make()

        note = asker.note("Rewrite the memory")

        def work(files: Mapping[str, bytes | None]) -> Plan[tuple[Document, list[str]]]:
            page, kept = _with_meanwhile(wanted, base, Document.parse(files[MEMORY_FILE]))
            return Plan({MEMORY_FILE: page.data}, note, (page, kept))

        (page, kept), change = self.book.change([MEMORY_FILE], work)
        name = self.copies.settle(saved.name, changed=change is not None) if saved else None
        return Rewritten(len(base.entries), len(page.entries), change, name, tuple(kept), page.preview)

    def edit(self, before: str, after: str, asker: Asker) -> Rewritten:
        """Replace the document by an edit of it: what is gone is dropped on purpose; nothing comes in that is there."""
        old, new = Document.parse(encode(before)), Document.parse(encode(after))
        kept, wanted = (Counter(entry.text for entry in page.entries) for page in (old, new))
        known = Document.parse(encode("\n".join(f"- {text}" for text in (kept & wanted))))
        for text in wanted - kept:
            if existing := next(known.find_duplicates(text), None):
                raise ValidationError(f"This is in the memory already: {existing.text!r}.", hint="Change that entry.")
        try:
            return self.run(after, list(kept - wanted), asker)
        except ValidationError as error:
            raise ValidationError(error.message, hint="Nothing was written; edit it in another way.") from error

    def _content_trouble(self, wanted: Document, base: Document, dropped: Sequence[str], asker: Asker) -> list[str]:
        new, old = [entry.text for entry in wanted.entries], [entry.text for entry in base.entries]
        findings = [f"There is no entry {text!r} to drop." for text in dropped if text not in old]
        own = _own_headings(base).keys()
        for entry, place in zip(base.entries, base.places, strict=True):
            text = entry.text
            near = [n for n, there in zip(new, wanted.places, strict=True) if _may_stand(text, place, there, own)]
            if text in near:
                continue
            if text in new and text not in dropped:
                where = f"leave it under {place[-1]!r}" if place else "leave it where it is"
                findings.append(f"{text!r}: {where}; a heading may say of whom or what it speaks.")
            elif text.startswith(REQUESTED):
                findings += self._theirs(entry, [n for n in near if n not in old], asker)
            elif text not in dropped:
                lost = self._lost(text, near)
                findings += [f"{text!r}: {lost}"] if lost else []
        for text in new:
            if text in old:
                continue
            if _holds_secret(text, self.gate):
                findings.append("A new entry holds a secret; secrets are never stored.")
            elif text.startswith(REQUESTED) and any(
                self.keeper.may_change(e, text, asker) for e in base.entries if _marked(e)
            ):
                continue
            elif text.startswith(REQUESTED):
                findings.append(f"Only the user's own request makes an entry `{REQUESTED}`: {text!r}")
            elif additions(text, [o for o in old if belong(o, text, self.checks)], self.checks):
                verdict = self.keeper.judge(Wish(text), SECTION_OF[Category.NOTES], asker)
                if verdict.kind in {VerdictKind.HOLD, VerdictKind.REFUSE}:
                    findings.append(f"{text!r}: {verdict.reason}")
        return findings

    def _theirs(self, entry: Entry, new: Sequence[str], asker: Asker) -> list[str]:
        """What is wrong with changing or leaving out what the user asked for: without their word it waits."""
        instead = [text for text in new if text.startswith(REQUESTED) and self.keeper.may_change(entry, text, asker)]
        if instead or self.keeper.may_change(entry, "", asker):
            return []
        alike = [text for text in new if belong(entry.text, text, self.checks)]
        self.keeper.propose(entry, alike[0].removeprefix(REQUESTED).strip() if alike else "", asker)
        return [
            f"The user asked to keep this; it must stay exactly as it is: {entry.text!r}. Your change waits in the"
            " inbox for their yes or no: tell them so, and write the page with the entry in it."
        ]

    def _lost(self, text: str, new: Sequence[str]) -> str:
        """What is lost of an old entry that none of the new ones says; nothing, if one does."""
        closest = [n for n in new if belong(text, n, self.checks)]
        found = [losses(text, n, self.checks) + says_otherwise(n, text) for n in closest]
        if any(not lost for lost in found):
            return ""
        return " ".join(min(found, key=len)) if found else "no entry of the new page says this."


def _marked(entry: Entry) -> bool:
    return entry.text.startswith(REQUESTED)


def _may_stand(text: str, before: tuple[str, ...], after: tuple[str, ...], own: Set[str]) -> bool:
    """Whether an entry may go from one place to another: not from below a heading of the person's own, nor there, and
    what was asked for only among the standard sections."""
    old, new = [folded(title) for title in before], [folded(title) for title in after]
    return old == new if old or text.startswith(REQUESTED) else own.isdisjoint(new)


def _own_headings(document: Document) -> dict[str, str]:
    """The headings of a document but for its title and those that every memory has, as they are compared and as they
    stand there."""
    lines = document.outline()
    if document.text.removeprefix("\ufeff").lstrip().startswith("# "):
        del lines[0]
    standard = {f"## {folded(title)}" for title in STANDARD_SECTIONS} | {folded(TITLE)}
    return {folded(line.lstrip("#")): line for line in lines if folded(line) not in standard}


def _page_trouble(content: str, wanted: Document, base: Document) -> list[str]:
    if wanted.is_blank or not wanted.entries:
        return ["The page is blank, or has no entry."]
    findings: list[str] = []
    if content.lstrip("\ufeff").split("\n")[0].rstrip() != TITLE:
        findings.append(f"The first line must be exactly `{TITLE}`, with nothing before it.")
    repeated = set(wanted.repeated_headings()) - set(base.repeated_headings())
    findings += [f"The heading {title!r} stands there more than once." for title in sorted(repeated)]
    known = {entry.text for entry in base.entries}
    for block, entry in zip(wanted.blocks, wanted.entries, strict=True):
        if not block.marker and entry.text not in known:
            findings.append(f"Line {entry.line} is no entry: {redact(entry.text)[:60]!r}. Each entry starts with `- `.")
        elif entry.text not in known and ("```" in entry.text or "~~~" in entry.text):
            findings.append(f"Line {entry.line} has a code fence.")
        elif entry.text not in known and any(on_one_line(line) != line.strip() for line in entry.text.split("\n")):
            findings.append(f"Line {entry.line} has characters that nobody sees.")
    return findings


def _holds_secret(text: str, gate: GateSettings) -> bool:
    return gate.secret is not None and redact(text) != text


def _emptied(base: Document, dropped: Sequence[str]) -> set[str]:
    """The headings of a person's own all of whose entries are to be dropped."""
    under: dict[str, list[str]] = {}
    for entry, place in zip(base.entries, base.places, strict=True):
        for title in place:
            under.setdefault(folded(title), []).append(entry.text)
    return {title for title, texts in under.items() if set(texts) <= set(dropped)}


def _heading_trouble(wanted: Document, base: Document, gate: GateSettings, dropped: Sequence[str]) -> list[str]:
    """A heading names a section and says nothing else: no entry may come in as one, past the gate. Those of a person
    stay."""
    known = {*base.outline(), TITLE, *(f"## {title}" for title in STANDARD_SECTIONS)}
    staying = {*_own_headings(wanted), *_emptied(base, dropped)}
    gone = [line for title, line in _own_headings(base).items() if title not in staying]
    findings = [f"The heading {line!r} is a person's own: keep that line, even if it is empty." for line in gone]
    for line in wanted.outline():
        if line in known:
            continue
        if _holds_secret(line, gate):
            findings.append("A heading holds a secret; secrets are never stored.")
        elif not line.startswith("## ") or len(line) > _LONGEST_HEADING:
            findings.append(f"{line[:60]!r} is no section. A section is `## ` and a few words; all else is an entry.")
        elif gate.instruction is not None and instruction(line[3:]):
            findings.append(f"{line[:60]!r} reads like an instruction, not like the name of a section.")
    return findings


def _with_meanwhile(wanted: Document, base: Document, now: Document) -> tuple[Document, list[str]]:
    """The new page, with what was saved or edited since the old one was read."""
    added = Counter(entry.text for entry in now.entries) - Counter(entry.text for entry in base.entries)
    kept = list(added.elements())
    if now.text == base.text:
        return wanted, []
    merged, clashes = merge(*(split_lines(document.text) for document in (base, wanted, now)))
    page = Document(merged)
    if not clashes and not added - Counter(entry.text for entry in page.entries):
        return page, kept
    for entry in now.entries:
        if added[entry.text] > 0:
            added[entry.text] -= 1
            wanted, _ = wanted.with_entry(on_one_line(entry.text), entry.section or SECTION_OF[Category.NOTES])
    return wanted, kept


def _ended(content: str) -> str:
    text = _NO_BYTES.sub("\ufffd", content).replace("\r\n", "\n")
    return text if text.endswith("\n") else text + "\n"
