"""The command's root: which commands there are, where each lives, and how every run ends."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword

import click

from commonplace import __version__
from commonplace.cli.call import Call, Refused, common
from commonplace.cli.exits import BROKEN_PIPE, INTERRUPTED, MEANINGS, status_of
from commonplace.cli.output import print_json, say, shown, styled, warn
from commonplace.errors import CommonplaceError

_GROUPS = {
    "Begin": {"tour": "tour", "setup": "setup", "serve": "serve", "chat": "chat", "ask": "chat"},
    "The memory": {
        "remember": "remember",
        "revise": "remember",
        "forget": "forgetting",
        "move": "arranging",
        "protect": "arranging",
        "unprotect": "arranging",
        "edit": "editing",
        "show": "show",
        "sections": "show",
        "inbox": "deciding",
    },
    "Find": {"search": "lookup", "recall": "conversations", "why": "undo"},
    "Conversations and days": {"sessions": "conversations", "flush": "conversations", "log": "logs"},
    "Take back": {
        "history": "undo",
        "diff": "undo",
        "undo": "undo",
        "backup": "backup",
        "backups": "backup",
        "restore": "backup",
    },
    "Tidy up": {
        "audit": "audit",
        "compact": "compact",
        "doctor": "checks",
        "stats": "show",
        "reindex": "lookup",
    },
    "In and out": {"import": "transferring", "export": "transferring"},
    "Books, settings, agents": {
        "init": "books",
        "books": "books",
        "db": "databases",
        "team": "sharing",
        "tokens": "issuing",
        "config": "settings",
        "install": "install",
        "uninstall": "install",
        "skill": "skill",
        "mcp": "mcpserver",
        "proxy": "proxyserver",
        "hook": "hook",
        "completion": "shells",
        "bench": "measuring",
    },
}
_HOMES = {name: home for group in _GROUPS.values() for name, home in group.items()}

_COMPLETE = "_COMMONPLACE_COMPLETE"
_EPILOG = "\b\nExit status:\n" + "\n".join(f"  {status:>3}  {meaning}" for status, meaning in MEANINGS.items())


class LazyCommands(click.Group):
    """A group whose commands are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 click's signature
        return list(_HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 click's signature
        home = _HOMES.get(cmd_name)
        if home is None:
            return None
        module = import_module(f"commonplace.cli.{home}")
        return getattr(module, f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by what they are for."""
        for title, names in _GROUPS.items():
            found = [(name, command) for name in names if (command := self.get_command(ctx, name)) is not None]
            with formatter.section(title):
                formatter.write_dl([(name, command.get_short_help_str(80)) for name, command in found], col_max=12)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _HOMES and not args[0].startswith("-"):
            raise click.UsageError(f"There is no command {args[0]!r}.{_meant(args[0])}", ctx)
        return super().resolve_command(ctx, args)


def _meant(word: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(word, _HOMES, n=2)
    return f" Did you mean {' or '.join(close)}?" if close else ""


def _version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if not value:
        return
    if wants_json(sys.argv[1:]):
        print_json({"version": __version__})
    else:
        say(f"commonplace {__version__}")
    ctx.exit()


@click.group(cls=LazyCommands, invoke_without_command=True, epilog=_EPILOG, context_settings={"max_content_width": 100})
@common
@click.option(
    "-V", "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version."
)
@click.pass_context
def commonplace(ctx: click.Context) -> None:
    """A long-term memory for AI agents, in plain Markdown files.

    \b
    commonplace remember "Prefers short answers" --category preferences
    commonplace show
    commonplace undo

    A first look: commonplace tour. A model to talk to: commonplace setup.
    """
    if ctx.invoked_subcommand is None:
        if ctx.ensure_object(Call).json:
            raise click.UsageError("There is no command to answer.", ctx)
        click.echo(ctx.get_help())


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether JSON was asked for; known even when the rest of the line cannot be understood."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options


def run(arguments: list[str]) -> int:
    """Run one command line; every way it can end has its exit status and, if something went wrong, its words."""
    call = Call()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    in_json = wants_json(arguments)
    try:
        try:
            status = _invoke(arguments, call)
        finally:
            for warning in _warnings(call):
                warn(warning)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _discard_output()
        return BROKEN_PIPE
    except (click.Abort, KeyboardInterrupt):
        print(file=sys.stderr)
        return _fail("interrupted", "Interrupted.", "", in_json=in_json) if in_json else INTERRUPTED
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        return _fail("usage", error.format_message(), _usage_hint(error), in_json=in_json)
    except CommonplaceError as error:
        return _fail(
            error.code,
            error.message,
            error.hint,
            in_json=in_json,
            details=error.details if isinstance(error, Refused) else None,
        )
    except OSError as error:
        if call.debug or "--debug" in arguments:
            raise
        where = f": {error.filename}" if error.filename else ""
        hint = "Check that the place exists and that you may use it."
        return _fail("storage_failed", f"{error.strerror or error}{where}", hint, in_json=in_json)
    except Exception as error:
        if call.debug or "--debug" in arguments:
            raise
        message = f"Something unexpected happened: {type(error).__name__}: {error}"
        return _fail("unexpected", message, "Please report it with what --debug prints.", in_json=in_json)


def _invoke(arguments: list[str], call: Call) -> int:
    """Click's own `main` would end the process in its own way."""
    if _COMPLETE in os.environ:
        from click.shell_completion import shell_complete

        return shell_complete(commonplace, {}, "commonplace", _COMPLETE, os.environ[_COMPLETE])
    with commonplace.make_context("commonplace", list(arguments), obj=call) as context:
        result: object = commonplace.invoke(context)
    return result if isinstance(result, int) else 0


def _warnings(call: Call) -> list[str]:
    return call.app.warnings if "app" in vars(call) else []


def _fail(code: str, message: str, hint: str, *, in_json: bool, details: dict[str, object] | None = None) -> int:
    try:
        if in_json:
            print_json({"error": {"code": code, "message": message, "hint": hint, **(details or {})}})
        elif code == "declined":
            say(message)
        else:
            print(styled("error:", "red", sys.stderr), shown(message), file=sys.stderr)
            if hint:
                print(styled("hint:", "cyan", sys.stderr), shown(hint), file=sys.stderr)
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
    return status_of(code)


def _usage_hint(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    if isinstance(error, click.NoSuchOption) and context and " " in error.option_name:
        names = (param.human_readable_name for param in context.command.params if isinstance(param, click.Argument))
        return f"A text that begins with a dash goes after two of them: {context.command_path} -- {' '.join(names)}"
    return f"See: {context.command_path if context else 'commonplace'} --help"


def _discard_output() -> None:
    """Nobody reads on: what is still buffered must not fail again at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
