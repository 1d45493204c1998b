"""Frozen values that rooms hand to each other. No behaviour beyond what follows from the fields.

They live in small modules by what they are about, since making one takes time at every start: what is imported from
there loads no more than it needs. For programs that use Commonplace all of them can be had from here, too.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from commonplace.types.asking import Asker as Asker
    from commonplace.types.asking import Note as Note
    from commonplace.types.asking import Origin as Origin
    from commonplace.types.asking import Voice as Voice
    from commonplace.types.asking import Wish as Wish
    from commonplace.types.book import ABSENT as ABSENT
    from commonplace.types.book import LARGE_INDEX as LARGE_INDEX
    from commonplace.types.book import MEMORY_FILE as MEMORY_FILE
    from commonplace.types.book import REQUESTED as REQUESTED
    from commonplace.types.book import SECTION_OF as SECTION_OF
    from commonplace.types.book import STANDARD_SECTIONS as STANDARD_SECTIONS
    from commonplace.types.book import Category as Category
    from commonplace.types.book import Commit as Commit
    from commonplace.types.book import Entry as Entry
    from commonplace.types.book import EntryId as EntryId
    from commonplace.types.book import FileStat as FileStat
    from commonplace.types.book import FileState as FileState
    from commonplace.types.book import Section as Section
    from commonplace.types.book import Snapshot as Snapshot
    from commonplace.types.changing import Deed as Deed
    from commonplace.types.changing import Done as Done
    from commonplace.types.changing import Forgotten as Forgotten
    from commonplace.types.changing import PageCollided as PageCollided
    from commonplace.types.changing import PageWritten as PageWritten
    from commonplace.types.changing import Rejected as Rejected
    from commonplace.types.changing import Revised as Revised
    from commonplace.types.chatting import ChatEvent as ChatEvent
    from commonplace.types.chatting import ChatMessage as ChatMessage
    from commonplace.types.chatting import Finished as Finished
    from commonplace.types.chatting import Reply as Reply
    from commonplace.types.chatting import StopReason as StopReason
    from commonplace.types.chatting import TextPart as TextPart
    from commonplace.types.chatting import ToolCall as ToolCall
    from commonplace.types.chatting import ToolSpec as ToolSpec
    from commonplace.types.chatting import Usage as Usage
    from commonplace.types.compaction import MemoryCompacted as MemoryCompacted
    from commonplace.types.compaction import Rewritten as Rewritten
    from commonplace.types.compaction import Skipped as Skipped
    from commonplace.types.compaction import Step as Step
    from commonplace.types.compaction import StepKind as StepKind
    from commonplace.types.keeping import Backup as Backup
    from commonplace.types.keeping import Change as Change
    from commonplace.types.keeping import DayCounts as DayCounts
    from commonplace.types.keeping import Erasure as Erasure
    from commonplace.types.keeping import FileDiff as FileDiff
    from commonplace.types.keeping import Finding as Finding
    from commonplace.types.keeping import Logged as Logged
    from commonplace.types.keeping import Moved as Moved
    from commonplace.types.keeping import Provenance as Provenance
    from commonplace.types.keeping import Quote as Quote
    from commonplace.types.keeping import Removal as Removal
    from commonplace.types.keeping import Restored as Restored
    from commonplace.types.keeping import Stats as Stats
    from commonplace.types.keeping import Undone as Undone
    from commonplace.types.saving import Alike as Alike
    from commonplace.types.saving import Duplicate as Duplicate
    from commonplace.types.saving import Held as Held
    from commonplace.types.saving import Proposed as Proposed
    from commonplace.types.saving import Refused as Refused
    from commonplace.types.saving import Remembered as Remembered
    from commonplace.types.saving import Saved as Saved
    from commonplace.types.saving import Waiting as Waiting
    from commonplace.types.searching import Around as Around
    from commonplace.types.searching import Asked as Asked
    from commonplace.types.searching import Chunk as Chunk
    from commonplace.types.searching import Found as Found
    from commonplace.types.searching import Hit as Hit
    from commonplace.types.searching import IndexReport as IndexReport
    from commonplace.types.searching import Recall as Recall
    from commonplace.types.searching import Source as Source
    from commonplace.types.searching import Whole as Whole
    from commonplace.types.sessions import SPOKEN as SPOKEN
    from commonplace.types.sessions import Consolidated as Consolidated
    from commonplace.types.sessions import LogReport as LogReport
    from commonplace.types.sessions import Message as Message
    from commonplace.types.sessions import SessionGlance as SessionGlance
    from commonplace.types.sessions import SessionInfo as SessionInfo
    from commonplace.types.sessions import Transcript as Transcript
    from commonplace.types.transfer import Brought as Brought
    from commonplace.types.transfer import Conversation as Conversation
    from commonplace.types.transfer import DayNote as DayNote
    from commonplace.types.transfer import ExportReport as ExportReport
    from commonplace.types.transfer import ImportReport as ImportReport
    from commonplace.types.transfer import LeftOut as LeftOut
    from commonplace.types.transfer import Memo as Memo
    from commonplace.types.transfer import PassedOver as PassedOver
    from commonplace.types.verdicts import Candidate as Candidate
    from commonplace.types.verdicts import Verdict as Verdict
    from commonplace.types.verdicts import VerdictKind as VerdictKind

_ROOMS = {
    "asking": "Origin Voice Note Asker Wish",
    "book": "LARGE_INDEX ABSENT MEMORY_FILE REQUESTED SECTION_OF STANDARD_SECTIONS Category Snapshot FileStat "
    "FileState Commit EntryId Entry Section",
    "changing": "Deed Done Rejected Revised Forgotten PageWritten PageCollided",
    "chatting": "ToolCall ChatMessage ToolSpec Usage TextPart StopReason Finished ChatEvent Reply",
    "compaction": "StepKind Step MemoryCompacted Skipped Rewritten",
    "transfer": "Conversation Memo DayNote PassedOver Brought LeftOut ImportReport ExportReport",
    "verdicts": "VerdictKind Candidate Verdict",
    "keeping": "Change FileDiff Logged Backup Restored Undone Provenance Quote Removal Erasure Moved Stats DayCounts "
    "Finding",
    "saving": "Saved Duplicate Alike Proposed Waiting Held Refused Remembered",
    "searching": "Source Chunk Asked Whole Hit Around Found IndexReport Recall",
    "sessions": "SPOKEN Message Transcript SessionInfo SessionGlance LogReport Consolidated",
}
_HOMES = {name: room for room, names in _ROOMS.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
