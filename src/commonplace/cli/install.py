"""`install` and `uninstall`: connecting the agents that people have, and taking that back."""

from difflib import unified_diff

import click

from commonplace.app import App
from commonplace.cli.call import Call, common, current
from commonplace.cli.output import say, say_styled
from commonplace.errors import NotFound, ValidationError
from commonplace.hooks.installing import RECORD, Connections, Host, Planned, hosts
from commonplace.settingsfiles import replace_file

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
    for host in chosen:
        planned = connections.plan(host)
        if not call.json:
            _show(host, planned)
        if dry_run or (not planned and not call.json):
            done.append(_as_value(host, planned, "would_change" if planned else "unchanged"))
            continue
        if planned:
            if not clients and call.can_ask and not yes and not _agreed(host):
                continue
            if clients:
                call.confirm(
                    f"Connect {host.label}?", yes=yes, otherwise=f"This changes files of {host.label}, so it is asked."
                )
            elif not yes and not call.can_ask:
                raise ValidationError("Nobody can be asked which agents to connect.", hint="Name them, or add --yes.")
            connections.connect(host)
        done.append(_as_value(host, planned, "connected" if planned else "unchanged"))
        if not call.json:
            say(f"{host.label} is connected. {host.remark}".rstrip())
    call.answer({"clients": done})
    if not call.json and not dry_run and call.app.settings.model.provider == "none":
        _offer_model(call, ask=not yes)


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
    done = [(host, connections.disconnect(host)) for host in chosen]
    files = {host.name: ", ".join({str(one.file): None for one in planned}) for host, planned in done}
    call.answer(
        {"clients": [_as_value(host, planned, "disconnected") for host, planned in done]},
        *(f"{host.label} is disconnected ({files[host.name] or 'nothing was there'})." for host in chosen),
    )


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
    if not planned:
        say("  is connected already.")
    for one in planned:
        if one.before is None and len(one.after or "") > 3000:
            say(f"  {one.file}: a new file")
            continue
        old, new = (one.before or "").splitlines(), (one.after or "").splitlines()
        for line in unified_diff(old, new, str(one.file), str(one.file), lineterm="", n=2):
            style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "dim")
            say_styled(line, style)


def _as_value(host: Host, planned: list[Planned], result: str) -> dict[str, object]:
    return {"client": host.name, "result": result, "files": [one.file for one in planned], "remark": host.remark}
