"""The flow of an agent's own files: what it keeps below a folder of the book, changed like everything else there.

A change is atomic, recorded in the history and can be undone; no secret gets into a file, and no name leads out of the
folder. What these files say is the agent's business: nothing of it is recalled, searched or compacted.
"""

from collections.abc import Callable, Iterator, Mapping

from commonplace.errors import Conflict, NotFound, UnsafePath, ValidationError
from commonplace.files.descriptors import is_name
from commonplace.files.text import decode, encode
from commonplace.files.transactions import Book, Plan
from commonplace.gate.secrets import redact
from commonplace.types.asking import Asker
from commonplace.types.book import FileStat


class Workspace:
    """The files below one folder of a book, by their paths in it ('' is the folder itself). When `clean`, a text with a
    secret in it is refused."""

    def __init__(self, book: Book, folder: str, *, clean: bool) -> None:
        self._book = book
        self._folder = folder
        self._clean = clean

    def create(self) -> None:
        """Make the folder, and the book around it."""
        self._book.create()
        self.make_folder("")

    # -- reading -------------------------------------------------------------------------------------------------------

    def stat(self, path: str) -> FileStat | None:
        """What there is at `path`. A link is never followed: it is `UnsafePath`, on the way too."""
        *above, leaf = self._name(path).split("/")
        parent = ""
        for part in above:
            found = self._in(parent, part)
            if found is None or found.kind == "file":
                return None
            parent = found.name
        return self._in(parent, leaf)

    def listed(self, path: str = "") -> list[FileStat]:
        """What is directly in a folder, in the order of names; their names are paths here."""
        found = self._book.storage.list_folder(self._name(path))
        return [file._replace(name=self._path(file.name)) for file in found]

    def read(self, path: str) -> str:
        """The text of a file."""
        name = self._name(path)
        data = self._book.storage.read(name).data
        if data is None:
            raise NotFound(f"There is no file {name}.", hint="List the folder to see which there are.")
        return decode(data, name)

    # -- changing ------------------------------------------------------------------------------------------------------

    def write(self, path: str, text: str, asker: Asker, *, replacing: str | None) -> None:
        """Make `text` the content of a file whose content is `replacing` (None: that there is none)."""
        name = self._name(path)
        if self._clean and _brings_secret(text, replacing or "", name):
            raise ValidationError("The text holds a secret; secrets are never stored.", hint="Leave it out.")
        expected = None if replacing is None else encode(replacing)

        def work(files: Mapping[str, bytes | None]) -> Plan[None]:
            if files[name] != expected:
                raise Conflict(f"{name} was changed by someone else meanwhile.", hint="Read it again.")
            return Plan({name: encode(text)}, asker.note(f"{'Write' if replacing is None else 'Edit'} {name}"), None)

        self._book.change([name], work)

    def make_folder(self, path: str) -> None:
        self._book.storage.make_folder(self._name(path))

    def delete(self, path: str, asker: Asker) -> None:
        """Take a file away, or a folder with all that is in it."""
        self._move(path, lambda _: None, asker, f"Delete {self._name(path)}")

    def rename(self, old: str, new: str, asker: Asker) -> None:
        """Give a file, or a folder with all that is in it, another path at which there is nothing yet."""
        source, target = self._name(old), self._name(new)
        if f"{target}/".startswith(f"{source}/"):
            raise ValidationError(f"{source} cannot be moved into itself.", hint="Choose another place.")
        if self._clean and redact(target) != target:
            raise ValidationError("The name holds a secret; secrets are never stored.", hint="Choose another name.")
        self.make_folder(new.rpartition("/")[0])
        for folder in self._folders(old):
            self.make_folder(new + folder[len(old) :])
        self._move(old, lambda name: target + name[len(source) :], asker, f"Rename {source} to {target}")

    def _move(self, path: str, to: Callable[[str], str | None], asker: Asker, summary: str) -> None:
        """Put every file at or below `path` where `to` says, or nowhere, in one change."""
        with self._book.storage.lock():
            folders = list(self._folders(path))
            names = [self._name(file) for file in self._files(path)]
            targets = {name: to(name) for name in names}

            def work(files: Mapping[str, bytes | None]) -> Plan[None]:
                moved = {target: files[name] for name, target in targets.items() if target is not None}
                return Plan({**dict.fromkeys(names), **moved}, asker.note(summary), None)

            if names:
                self._book.change([*names, *(target for target in targets.values() if target)], work)
            for folder in reversed(folders):
                self._book.storage.remove_empty_folder(self._name(folder))

    # -- paths ---------------------------------------------------------------------------------------------------------

    def _files(self, path: str) -> Iterator[str]:
        found = self.stat(path)
        if found is not None and found.kind == "file":
            yield path
        for folder in self._folders(path):
            yield from (file.name for file in self.listed(folder) if file.kind != "folder")

    def _folders(self, path: str) -> Iterator[str]:
        """The folder at `path` and all below it, each before those in it."""
        found = self.stat(path)
        waiting = [path] if found is not None and found.kind == "folder" else []
        while waiting:
            yield (folder := waiting.pop())
            waiting += [file.name for file in self.listed(folder) if file.kind == "folder"]

    def _in(self, parent: str, leaf: str) -> FileStat | None:
        name = f"{parent}/{leaf}" if parent else leaf
        found = next((file for file in self._book.storage.list_folder(parent) if file.name == name), None)
        if found is not None and found.kind == "other":
            raise UnsafePath(f"{name} is a link or no regular file.", hint="Commonplace does not follow links.")
        return found

    def _name(self, path: str) -> str:
        if path and not is_name(path):
            raise UnsafePath(f"{path!r} is not a path inside {self._folder}.", hint="Use plain names.")
        return f"{self._folder}/{path}" if path else self._folder

    def _path(self, name: str) -> str:
        return name[len(self._folder) + 1 :]


def _brings_secret(text: str, before: str, name: str) -> bool:
    """Whether a text holds a secret that was not there before, line by line where some was."""
    if redact(name) != name:
        return True
    if redact(text) == text:
        return False
    known = set(before.split("\n"))
    return redact(before) == before or any(redact(line) != line for line in text.split("\n") if line not in known)
