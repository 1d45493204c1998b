"""Any program that reads a prompt on standard input and writes its answer on standard output.

For people who have `claude -p`, `codex exec`, `gemini -p` or `ollama run` and no key. The program is started without a
shell, in an empty folder (a coding agent must not take the folder one happens to be in for its task), as the leader of
a process group that ends with the request.
"""

import codecs
import json
import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, cast

from commonplace.config import ModelSettings
from commonplace.errors import ConfigError, ModelFailed
from commonplace.prompts import prompt
from commonplace.providers.chatmodels.keys import hidden
from commonplace.providers.chatmodels.surroundings import Surroundings
from commonplace.tokens import estimate_tokens
from commonplace.types.chatting import ChatEvent, ChatMessage, Finished, TextPart, ToolSpec, Usage

_WINDOW = 32_000
_NO_HOOKS = {"COMMONPLACE_HOOKS": "off"}  # an agent that summarises for us must not log that as a conversation
_AT_ONCE = 65536
_LONGEST_COMPLAINT = 400
_LONGEST_BLANK = 1_000_000
_LOOK = 0.1  # seconds between two looks whether to stop


class CommandModel:
    """Implements `ChatModel`. The program cannot call tools; the prompt says so when tools are offered."""

    calls_tools = False

    def __init__(
        self,
        command: Sequence[str],
        name: str,
        window: int,
        timeouts: tuple[float, float],
        around: Surroundings,
    ) -> None:
        """`timeouts`: seconds to wait for the next piece of an answer, and for the whole of it."""
        self._command = tuple(command)
        self._timeout, self._total = timeouts
        self._around = around
        self.window = window
        self.identity = f"command/{name or os.path.basename(command[0])}"

    def check(self) -> None:
        try:
            self._program()
        except _Trouble as trouble:
            raise ModelFailed(f"{self.identity} {trouble.what}.", retryable=False, hint=trouble.hint) from None

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        system: str = "",
        tools: Sequence[ToolSpec] = (),
        max_tokens: int = 4096,  # noqa: ARG002 a program has no such limit
    ) -> Generator[ChatEvent]:
        asked = _prompt(messages, system, offered=bool(tools))
        answered = ""
        try:
            with self._running() as process:
                for text in self._exchange(process, asked.encode("utf-8", "replace")):
                    answered += text
                    yield TextPart(text)
        except _Trouble as trouble:
            raise ModelFailed(
                f"{self.identity} {trouble.what}.", retryable=trouble.passing, partial=answered, hint=trouble.hint
            ) from trouble.__cause__
        yield Finished("end", Usage(estimate_tokens(asked), estimate_tokens(answered)))

    def _program(self) -> str:
        program = shutil.which(self._command[0], path=self._around.environment.get("PATH"))
        if program is None:
            raise _Trouble("is not there: no such program", "Check model.command.", passing=False)
        return os.path.abspath(program)

    @contextmanager
    def _running(self) -> Generator[subprocess.Popen[bytes]]:
        """The program while it runs; afterwards neither it nor what it started is left."""
        program = self._program()
        with tempfile.TemporaryDirectory(prefix="commonplace-") as folder:
            try:
                process = subprocess.Popen(
                    [program, *self._command[1:]],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    cwd=folder,
                    env={**self._around.environment, **_NO_HOOKS},
                    start_new_session=True,
                )
            except OSError as error:
                told = error.strerror or str(error)
                raise _Trouble(f"cannot be started: {told}", "Check model.command.", passing=False) from error
            with process:
                try:
                    yield process
                finally:
                    if process.returncode is None:  # not waited for yet, so its id still is its own
                        with suppress(ProcessLookupError, PermissionError):
                            os.killpg(process.pid, signal.SIGKILL)
                    for pipe in _pipes(process):
                        with suppress(OSError):
                            pipe.close()

    def _exchange(self, process: subprocess.Popen[bytes], asked: bytes) -> Generator[str]:
        """Write the prompt, pass on what is answered (without blank lines around it), and see how the program ends."""
        deadline = time.monotonic() + self._total
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        complaint = b""
        said, blank = False, ""
        for source, data in self._pieces(process, asked, deadline):
            if source == "stderr":
                complaint = (complaint + data)[-_AT_ONCE:]
                continue
            text = blank + decoder.decode(data)
            blank = text[len(text.rstrip()) :]
            if len(blank) > _LONGEST_BLANK:
                raise _Trouble("says nothing but blanks", "Run the command by hand to see what is wrong.")
            if text := text.rstrip() if said else text.strip():
                said = True
                yield text
        if rest := decoder.decode(b"", final=True):
            yield blank + rest
        status, heard = None, time.monotonic()
        while status is None:
            self._look(heard, deadline)
            with suppress(subprocess.TimeoutExpired):
                status = process.wait(_LOOK)
        if status != 0:
            how = f"ended with status {status}" if status > 0 else f"was ended by {_signal_name(-status)}"
            raise _Trouble(f"{how}{self._words(complaint)}", "Run the command by hand to see what is wrong.")

    def _pieces(self, process: subprocess.Popen[bytes], asked: bytes, deadline: float) -> Generator[tuple[str, bytes]]:
        """What comes from the program, as it comes, while the prompt goes in: a pipe that nobody reads would block."""
        stdin, stdout, stderr = _pipes(process)
        left = memoryview(asked)
        heard = time.monotonic()
        with selectors.DefaultSelector() as selector:
            for pipe, name in ((stdin, "stdin"), (stdout, "stdout"), (stderr, "stderr")):
                os.set_blocking(pipe.fileno(), False)
                selector.register(pipe, selectors.EVENT_WRITE if pipe is stdin else selectors.EVENT_READ, name)
            while stdout in (key.fileobj for key in selector.get_map().values()):
                self._look(heard, deadline)
                ready = selector.select(min(max(min(heard + self._timeout, deadline) - time.monotonic(), 0), _LOOK))
                for key, _ in ready:
                    if key.data == "stdin":
                        left = _written(stdin, left)
                        if not left:
                            selector.unregister(stdin)
                            stdin.close()
                        continue
                    data = os.read(key.fd, _AT_ONCE)
                    heard = time.monotonic()
                    if data:
                        yield key.data, data
                    else:
                        selector.unregister(key.fileobj)
            with suppress(BlockingIOError):
                while data := os.read(stderr.fileno(), _AT_ONCE):
                    yield "stderr", data

    def _look(self, heard: float, deadline: float) -> None:
        """Whether a program that was last `heard` of then may go on."""
        now = time.monotonic()
        if self._around.stop.is_set():
            raise _Trouble("was told to stop", "", passing=False)
        if now >= deadline:
            told = f"did not come to an end within {self._total:g} seconds"
            raise _Trouble(told, "Try again, or raise model.total_timeout.")
        if now >= heard + self._timeout:
            raise _Trouble(f"was silent for {self._timeout:g} seconds", "Try again, or raise model.timeout.")

    def _words(self, complaint: bytes) -> str:
        """The end of what the program complained about, which is where the reason stands."""
        text = hidden(" ".join(complaint.decode("utf-8", "replace").split()), self._around.environment)
        if len(text) > _LONGEST_COMPLAINT:
            text = "…" + text[-_LONGEST_COMPLAINT + 1 :]
        return f": {text}" if text else ""


class _Trouble(Exception):
    """Why a program gave no whole answer; becomes `ModelFailed` once it is known how much had come."""

    def __init__(self, what: str, hint: str, *, passing: bool = True) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint
        self.passing = passing


def from_settings(settings: ModelSettings, surroundings: Surroundings) -> CommandModel:
    if not settings.command:
        raise ConfigError(
            "model.provider is command; model.command must be set too.",
            hint='For example: model.command = ["claude", "-p"]',
        )
    timeouts = (settings.timeout, settings.total_timeout)
    return CommandModel(settings.command, settings.name, settings.window or _WINDOW, timeouts, surroundings)


def _prompt(messages: Sequence[ChatMessage], system: str, *, offered: bool) -> str:
    """All of a conversation as one text. As JSON, no message can pass for another one."""
    parts = [system.strip(), prompt("command_without_tools") if offered else ""]
    if len(messages) == 1 and messages[0].role == "user":
        parts.append(messages[0].text)
    else:
        lines = [json.dumps({"role": m.role, "text": m.text}, ensure_ascii=False) for m in messages]
        parts += [prompt("command"), "\n".join(lines)]
    return "\n\n".join(part for part in parts if part)


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    return cast("tuple[IO[bytes], IO[bytes], IO[bytes]]", (process.stdin, process.stdout, process.stderr))


def _written(pipe: IO[bytes], left: memoryview) -> memoryview:
    """What is left to write. A program that does not want to read on may still answer."""
    try:
        return left[os.write(pipe.fileno(), left[:_AT_ONCE]) :] if left else left
    except BlockingIOError:
        return left
    except BrokenPipeError:
        return left[:0]


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
