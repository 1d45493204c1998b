"""`install` and `uninstall`: connecting the agents that people have, and taking that back."""

from difflib import unified_diff

import click

from commonplace.app import App
from commonplace.cli.call import Call, Refused, common, current
from commonplace.cli.output import say, say_styled
from commonplace.errors import CommonplaceError, ConfigError, Conflict, NotFound, StorageError, ValidationError
from commonplace.hooks.hosts import Host, hosts
from commonplace.hooks.installing import RECORD, Connections, Planned
from commonplace.settingsfiles import replace_file

_OWN_TROUBLE = (ConfigError, StorageError, Conflict)  # of one agent: the others are connected all the same


class Unfinished(Refused):
    """Some agents were connected or disconnected, some not."""

    def __init__(self, broken: list[CommonplaceError], done: list[dict[str, object]]) -> None:
        words = " ".join(error.message for error in broken)
        super().__init__(words, hint=broken[0].hint, details={"clients": done})
        self.code = broken[0].code


_names = click.argument("clients", nargs=-1, metavar="[CLIENT]...")
_yes = click.option("--yes", is_flag=True, help="Do not ask.")
_dry_run = click.option("--dry-run", is_flag=True, help="Only show what would be changed.")


@click.command(short_help="Give an agent you use this memory.")
@_names
@_yes
@_dry_run
@common
def install(clients: tuple[str, ...], yes: bool, dry_run: bool) -> None:
    """Connect agents: they get the memory's tools, and remember by their own hooks from then on.

    CLIENT is claude-code, claude-desktop, codex, cursor, gemini, opencode or vscode; without one, those that are found
    on this machine are asked about. The change is shown first, is small, and `uninstall` takes it back byte for byte.
    Each project gets a book of its own beside yours (commonplace config set projects together: one book for all).
    """
    call = current()
    connections, known = connections_of(call.app), hosts(call.app.environment)
    chosen = _chosen(known, clients) or [host for host in known.values() if host.found(call.app.environment)]
    if not chosen:
        raise NotFound("None of the agents was found on this machine.", hint=f"Name one: {', '.join(known)}")
    done: list[dict[str, object]] = []
    broken: list[CommonplaceError] = []
    for host in chosen:
        try:
            result, planned = _connect(call, connections, host, named=bool(clients), yes=yes, dry_run=dry_run)
        except _OWN_TROUBLE as error:  # one agent's file is its own trouble
            broken.append(error)
            continue
        if result:
            done.append(_as_value(host, planned, result))
    if broken:
        raise Unfinished(broken, done)
    call.answer({"clients": done})
    if not call.json and not dry_run and call.app.settings.model.provider == "none":
        _offer_model(call, ask=not yes)


def _connect(
    call: Call, connections: Connections, host: Host, *, named: bool, yes: bool, dry_run: bool
) -> tuple[str, list[Planned]]:
    """What was done with one agent (nothing, if a person does not want it), and what became of its files."""
    everything = connections.plan(host)
    planned = [one for one in everything if not one.kept]
    if not call.json:
        _show(host, everything)
        if warning := host.warning():
            say(f"  {warning}")
    if not planned:
        return "unchanged", planned
    if dry_run:
        return "would_change", planned
    if named:
        question = f"Connect {host.label}?"
        call.confirm(question, yes=yes, otherwise=f"This changes files of {host.label}, so it is asked.")
    elif not yes and not call.can_ask:
        raise ValidationError("Nobody can be asked which agents to connect.", hint="Name them, or add --yes.")
    elif not yes and not _agreed(host):
        return "", planned
    connections.connect(host)
    if not call.json:
        say(f"{host.label} is connected. {host.remark}".rstrip())
    return "connected", planned


@click.command(short_help="Take the memory out of an agent again.")
@_names
@_yes
@common
def uninstall(clients: tuple[str, ...], yes: bool) -> None:
    """Disconnect agents: their files become what they were, byte for byte. Books and what is in them stay.

    CLIENT is one that `install` knows; without one, all that are connected.
    """
    call = current()
    connections, known = connections_of(call.app), hosts(call.app.environment)
    chosen = _chosen(known, clients) or [known[name] for name in connections.made() if name in known]
    if not chosen:
        call.answer({"clients": []}, "No agent is connected.")
        return
    call.confirm(
        f"Disconnect {', '.join(host.label for host in chosen)}?", yes=yes, otherwise="This changes files of agents."
    )
    done: list[dict[str, object]] = []
    broken: list[CommonplaceError] = []
    for host in chosen:
        try:
            planned = connections.disconnect(host)
        except _OWN_TROUBLE as error:
            broken.append(error)
            continue
        done.append(_as_value(host, planned, "disconnected"))
        if not call.json:
            files = ", ".join(str(one.file) for one in planned if not one.kept)
            say(f"{host.label} is disconnected ({files or 'nothing was there'}).")
            for one in (one for one in planned if one.kept):
                say(f"  {one.file} was changed since it was put there: it stays.")
    if broken:
        raise Unfinished(broken, done)
    call.answer({"clients": done})


def connections_of(app: App) -> Connections:
    return Connections(app.data_folder / RECORD, replace_file)


def _chosen(known: dict[str, Host], names: tuple[str, ...]) -> list[Host]:
    for name in names:
        if name not in known:
            raise NotFound(f"There is no agent {name!r}.", hint=f"Known are: {', '.join(known)}")
    return [known[name] for name in names]


def _agreed(host: Host) -> bool:
    return _answer(f"Connect {host.label}? [Y/n] ") in {"", "y", "yes"}


def _answer(question: str) -> str:
    try:
        return input(question).strip().lower()
    except EOFError:
        return "no"


def _offer_model(call: Call, *, ask: bool) -> None:
    """In an agent the subscription is the model that people have. It is offered, and nothing is assumed."""
    from commonplace.cli.setup import choose
    from commonplace.config import ModelSettings
    from commonplace.providers.chatmodels.discovery import programs

    say("No model is configured: conversations are logged as extracts of what you said.")
    for offer in programs(call.app.environment) if ask and call.can_ask else ():
        say(f"{offer.label.capitalize()}, could summarise them; what was said is sent there then.")
        if _answer("Let it? [y/N] ") in {"y", "yes"}:
            choose(call, ModelSettings(provider="command", command=offer.command))
            return
    say("To let one summarise them, your subscription's too (claude -p, codex exec): commonplace setup")


def _show(host: Host, planned: list[Planned]) -> None:
    say_styled(host.label, "bold")
    if all(one.kept for one in planned):
        say("  is connected already.")
    for one in planned:
        if one.kept:
            say(f"  {one.file}: what calls Commonplace there already stays as it is.")
            continue
        if one.before is None and len(one.after or "") > 3000:
            say(f"  {one.file}: a new file")
            continue
        old, new = (one.before or "").splitlines(), (one.after or "").splitlines()
        for line in unified_diff(old, new, str(one.file), str(one.file), lineterm="", n=2):
            style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "dim")
            say_styled(line, style)


def _as_value(host: Host, planned: list[Planned], result: str) -> dict[str, object]:
    return {
        "client": host.name,
        "result": result,
        "files": [one.file for one in planned if not one.kept],
        "remark": host.remark,
    }
