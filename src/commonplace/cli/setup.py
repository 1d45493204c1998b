"""`setup`: choosing the chat model, adding what it needs, and trying it, before anything is written down."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace

import click

from commonplace.app import App
from commonplace.cli.call import Call, Declined, common, current
from commonplace.cli.output import counted, say, say_styled, shortened, warn
from commonplace.config import ModelSettings
from commonplace.errors import CommonplaceError, ModelFailed, ValidationError
from commonplace.providers.chatmodels.discovery import Offer, models_at, offers
from commonplace.providers.chatmodels.naming import settings_of

_MOST_MODELS = 12
_PATIENCE = 10.0
_HOMES = {"anthropic": "https://api.anthropic.com/v1", "openai": "https://api.openai.com/v1"}
_TRIAL = "Answer with this one word and nothing else: ready"


@click.command(short_help="Choose a chat model and try it.")
@click.argument("model", required=False)
@click.option("--key-variable", metavar="NAME", help="Environment variable with the key, for an address of its own.")
@click.option("--no-test", is_flag=True, help="Do not ask the model anything.")
@click.option("--yes", is_flag=True, help="Install the package it needs without asking.")
@common
def setup(model: str | None, key_variable: str | None, no_test: bool, yes: bool) -> None:
    """Choose the chat model that answers and summarises, try it, and keep it in your settings.

    \b
    MODEL is one of
      ollama/qwen3:8b               a server on this machine (also lmstudio, llamacpp, vllm, jan)
      anthropic/claude-sonnet-4-5   or openai/gpt-5-mini, with the key in ANTHROPIC_API_KEY or OPENAI_API_KEY
      https://host/v1#name          anything else that speaks Chat Completions
      'claude -p'                   any program that answers a prompt
      none                          no model: answers come from the memory alone

    Without MODEL it looks for what this machine has, and asks.
    """
    call = current()
    app = call.app
    if model is None:
        found = offers(app.environment)
        if not call.can_ask:
            _list(call, found)
            return
        chosen = _asked(app, found)
    elif model == "none":
        chosen = ModelSettings()
    else:
        chosen = settings_of(model, app.settings.model, app.environment)
    if key_variable:
        chosen = replace(chosen, key_variable=key_variable)
    choose(call, chosen, no_test=no_test, yes=yes)


def choose(call: Call, chosen: ModelSettings, *, no_test: bool = False, yes: bool = False) -> None:
    """Try a model, and keep it in the settings."""
    app = call.app
    answer = None
    if chosen.provider != "none":
        _add_package(call, chosen, yes=yes)
        answer = None if no_test else _tried(call, app, chosen)
    file = app.set_values(_as_values(chosen))
    identity = _identity(app, chosen)
    call.answer(
        {"result": "chosen", "model": identity, "answer": answer, "file": file},
        f"{identity} answers and summarises from now on." if identity else "No model: the memory answers alone.",
        f"Kept in {file}; keys are not: they stay where they are. To talk: commonplace chat",
    )
    if overriding := [name for name in app.environment if name.startswith("COMMONPLACE_MODEL_")]:
        warn(f"The environment has the last word: {', '.join(sorted(overriding))}.")


def _list(call: Call, found: Sequence[Offer]) -> None:
    """Nobody can be asked: say what there is, and how to choose."""
    names = [_name_of(offer) for offer in found]
    value = [
        {"model": name, "label": offer.label, "models": offer.models} for name, offer in zip(names, found, strict=True)
    ]
    call.answer(
        {"found": value, "model": call.app.settings.model.provider},
        "Found on this machine:" if found else "Found neither a server nor a key nor a program on this machine.",
        *(f"  {name:<34} {offer.label}" for name, offer in zip(names, found, strict=True)),
        "To choose one: commonplace setup MODEL (see commonplace setup --help)",
    )


def _name_of(offer: Offer) -> str:
    """How an offer is named on the command line."""
    if offer.command:
        return f"'{' '.join(offer.command)}'"
    model = offer.models[0] if offer.models else "MODEL"
    return f"{offer.url}#{model}" if offer.url else f"{offer.provider}/{model}"


# -- asking ------------------------------------------------------------------------------------------------------------


def _asked(app: App, found: Sequence[Offer]) -> ModelSettings:
    say("Which chat model should answer, and summarise what was said?")
    say("What you say, and what is recalled for it, is sent there.")
    for number, offer in enumerate(found, start=1):
        models = f" ({shortened(', '.join(offer.models), 60)})" if offer.models else ""
        here = "; nothing leaves this machine" if offer.stays_here else ""
        say(f"  {number}. {offer.label}{models}{here}")
    other, none = len(found) + 1, len(found) + 2
    say(f"  {other}. another one, by name or address")
    say(f"  {none}. none: answers come from the memory alone")
    number = _number("Number", 1 if found else none, none)
    if number == none:
        return ModelSettings()
    base = app.settings.model
    if number == other:
        word = _line("Name, address or program (see commonplace setup --help)", "")
        return settings_of(word, base, app.environment)
    offer = found[number - 1]
    if offer.command:
        return replace(ModelSettings(provider="command", command=offer.command), timeout=base.timeout)
    return replace(
        base, provider=offer.provider, url=offer.url, name=_model_of(app, offer), key_variable="", command=()
    )


def _model_of(app: App, offer: Offer) -> str:
    models = offer.models or _vendors_models(app.environment, offer.provider)
    if len(models) == 1:
        return models[0]
    for number, name in enumerate(models[:_MOST_MODELS], start=1):
        say(f"  {number}. {name}")
    if len(models) > _MOST_MODELS:
        say(f"  … and {counted(len(models) - _MOST_MODELS, 'more', 'more')}")
    word = _line("Which model (its name, or a number)", models[0] if models else "")
    return models[int(word) - 1] if word.isdigit() and 0 < int(word) <= min(len(models), _MOST_MODELS) else word


def _vendors_models(environment: Mapping[str, str], vendor: str) -> tuple[str, ...]:
    key = environment.get(f"{vendor.upper()}_API_KEY", "")
    return models_at(_HOMES[vendor], key, vendor=vendor, patience=_PATIENCE)


def _line(question: str, default: str) -> str:
    try:
        word = input(f"{question}{f' [{default}]' if default else ''}: ").strip() or default
    except EOFError:
        word = ""
    if not word:
        raise Declined("Nothing was changed.")
    return word


def _number(question: str, default: int, most: int) -> int:
    word = _line(question, str(default))
    if not word.isdigit() or not 1 <= int(word) <= most:
        raise ValidationError(f"{word!r} is none of the numbers from 1 to {most}.", hint="Run it again.")
    return int(word)


# -- what it needs, and a trial ----------------------------------------------------------------------------------------


def _add_package(call: Call, chosen: ModelSettings, *, yes: bool) -> None:
    """The vendors' clients are extras: without its own, a model cannot be asked."""
    from importlib.util import find_spec

    from commonplace.extras import install_command

    if chosen.provider not in _HOMES or find_spec(chosen.provider) is not None:
        return
    import shlex

    command = install_command(chosen.provider)
    call.confirm(
        f"This needs the package {chosen.provider}. Run: {shlex.join(command)} ?",
        yes=yes,
        otherwise=f"This needs the package {chosen.provider}, which is not installed: {shlex.join(command)}",
    )
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        trouble = "" if done.returncode == 0 else done.stderr.strip()[-400:]
    except OSError as error:
        trouble = str(error)
    if trouble:
        raise ModelFailed(
            f"{chosen.provider} could not be installed: {trouble}", retryable=False, hint=shlex.join(command)
        )


def _tried(call: Call, app: App, chosen: ModelSettings) -> str | None:
    """What the model answers to a first word. One that does not answer is kept only if the person wants it."""
    from commonplace.flows.modelcalls import complete
    from commonplace.types.chatting import ChatMessage

    model = app.chat_model(chosen)
    if model is None:
        return None
    if not call.json:
        say_styled(f"Asking {model.identity} …", "dim")
    try:
        answer = complete(model, [ChatMessage("user", _TRIAL)], max_tokens=min(1024, model.window // 4)).text.strip()
    except CommonplaceError as error:
        if not call.can_ask:
            raise
        warn(f"{error.message} {error.hint}".rstrip())
        call.confirm("Keep this choice all the same?", yes=False, otherwise="")
        return None
    if not call.json:
        say(f"It answered: {shortened(answer) or '(nothing)'}")
    return answer


def _as_values(chosen: ModelSettings) -> dict[str, object]:
    """What goes into the settings: what belongs to another choice is taken out."""
    return {
        "model.provider": chosen.provider,
        "model.name": chosen.name or None,
        "model.url": chosen.url or None,
        "model.key_variable": chosen.key_variable or None,
        "model.command": list(chosen.command) or None,
    }


def _identity(app: App, chosen: ModelSettings) -> str | None:
    model = app.chat_model(chosen)
    return model.identity if model else None
