"""Every setting with its default and its meaning. Pure: finding and reading files is the composition root's job.

Flags come before the environment, the environment before the book's own file, that before the user's file, and
the defaults come last. A book may come from someone else, so its file can only set what is harmless.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from commonplace.errors import ConfigError


class Setting(NamedTuple):
    """One setting: its key in a TOML file, its default, and where it may be set."""

    key: str
    default: object
    meaning: str
    parse: Callable[[object], object]
    in_book: bool = True

    @property
    def variable(self) -> str:
        return "COMMONPLACE_" + self.key.upper().replace(".", "_")


class Value(NamedTuple):
    """A setting's value and where it came from."""

    setting: Setting
    value: object
    origin: str


def _text(value: object) -> object:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a text that is not empty")
    return value


def _seconds(value: object) -> object:
    number = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else -1.0
    if not 0 <= number <= 3600:
        raise ValueError("a number of seconds from 0 to 3600")
    return number


def _count(value: object) -> object:
    number = int(value) if isinstance(value, int | str) and not isinstance(value, bool) else -1
    if not 0 <= number <= 1_000_000:
        raise ValueError("a whole number from 0 to 1000000")
    return number


def _weight(value: object) -> object:
    number = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else -1.0
    if not 0 <= number <= 100:
        raise ValueError("a number from 0 to 100")
    return number


def _certainty(value: object) -> object:
    """A share, or None for a rule that is switched off."""
    if value in {"off", False}:
        return None
    try:
        number = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else -1.0
    except ValueError:
        number = -1.0
    if not 0 < number <= 1:
        raise ValueError('a number above 0 and up to 1, or "off"')
    return number


def _projects(value: object) -> object:
    if value not in {"apart", "together"}:
        raise ValueError('"apart" or "together"')
    return value


def _switch(value: object) -> object:
    if value not in {"on", "off", True, False}:
        raise ValueError('"on" or "off"')
    return "on" if value in {"on", True} else "off"


def _method(value: object) -> object:
    if value not in {"fitted", "plain"}:
        raise ValueError('"fitted" or "plain"')
    return value


def _tokens(value: object) -> object:
    number = int(value) if isinstance(value, int | str) and not isinstance(value, bool) else -1
    if not 0 <= number <= 10**12:
        raise ValueError("a whole number of tokens, 0 or more")
    return number


def _provider(value: object) -> object:
    if value not in {"none", "anthropic", "openai", "command"}:
        raise ValueError('"none", "anthropic", "openai" or "command"')
    return value


def _words(value: object) -> object:
    """A list, or one text (an environment variable cannot hold a list) that is split as a shell would."""
    import shlex

    try:
        words: object = shlex.split(value) if isinstance(value, str) else value
    except ValueError:  # a quotation mark without its pair
        words = None
    listed = cast(list[object], words) if isinstance(words, list) else []
    texts = tuple(word for word in listed if isinstance(word, str))
    if len(texts) != len(listed) or not texts or not texts[0].strip():
        raise ValueError("a list of words: the program and its arguments")
    return texts


_SURE = "how sure the gate must be before it acts"
_GATE = (
    Setting("gate.secret", 0.5, f'passwords, keys, tokens: {_SURE}, or "off"', _certainty, in_book=False),
    Setting("gate.duplicate", 0.5, f'what is there word for word: {_SURE}, or "off"', _certainty),
    Setting("gate.echo", 0.5, f'what only repeats recalled memory: {_SURE}, or "off"', _certainty),
    Setting("gate.third_party", 0.5, f'words of tools, pages and files: {_SURE}, or "off"', _certainty, in_book=False),
    Setting("gate.instruction", 0.5, f'commands to the agent: {_SURE}, or "off"', _certainty, in_book=False),
    Setting("gate.transient", 0.5, f'state that passes: {_SURE}, or "off"', _certainty),
    Setting("gate.one_off", 0.5, f'what was seen or said once: {_SURE}, or "off"', _certainty),
    Setting("gate.same_fact", 0.5, f'the same in other words: {_SURE}, or "off"', _certainty),
    Setting("gate.newer_value", 0.5, f'another value of the same thing: {_SURE}, or "off"', _certainty),
    Setting("gate.several_facts", 0.5, f'several facts in one: {_SURE}, or "off"', _certainty),
    Setting("gate.unsupported", 0.5, f'what nobody said in the conversation: {_SURE}, or "off"', _certainty),
    Setting("gate.inferred", 0.5, f'a preference that was not stated: {_SURE}, or "off"', _certainty),
    Setting("gate.longest", 5000, "how many characters an entry may have", _count),
)

_TEAM = (
    Setting("team.database", "", "the database of a team: postgres://USER@HOST/DATABASE", _text, in_book=False),
    Setting("team.issuer", "", "who vouches for people (OIDC): the `iss` of its tokens", _text, in_book=False),
    Setting("team.audience", "", "OIDC: the `aud` that tokens for this server have", _text, in_book=False),
    Setting("team.keys", "", "OIDC: address of the issuer's public keys (its jwks_uri)", _text, in_book=False),
    Setting("team.tenant", "", "OIDC: the tenant of everybody (else the claim below says)", _text, in_book=False),
    Setting("team.tenant_claim", "tenant", "OIDC: the claim with the tenant", _text, in_book=False),
    Setting("team.person_claim", "sub", "OIDC: the claim with the person's name", _text, in_book=False),
    Setting("team.groups_claim", "groups", "OIDC: the claim with the person's groups", _text, in_book=False),
    Setting(
        "team.requests",
        600,
        "requests a minute that each person may send to a server (0: any number)",
        _count,
        in_book=False,
    ),
    Setting(
        "team.trail_days",
        400,
        "days that the trail of who did what is kept (30 or more; 0: for ever)",
        _count,
        in_book=False,
    ),
)

SETTINGS = (
    Setting("book", "", "the book used when no --book is given: a name or a path", _text, in_book=False),
    Setting(
        "projects",
        "apart",
        'in other agents: "apart" (each project has its own book beside yours) or "together" (one book)',
        _projects,
        in_book=False,
    ),
    Setting("hooks", "on", 'whether the hooks of other agents do anything: "on" or "off"', _switch, in_book=False),
    Setting("lock.timeout", 10.0, "seconds to wait for another process that is writing to the book", _seconds),
    Setting("backups.keep", 5, "how many backups stay when old ones are removed after a compaction", _count),
    *_GATE,
    Setting("search.limit", 5, "how many results a search returns", _count),
    Setting(
        "search.method", "fitted", '"fitted" (learned weights) or "plain" (the formula with the weights below)', _method
    ),
    Setting("search.keyword_weight", 0.3, "plain: weight of the keyword score", _weight),
    Setting("search.vector_weight", 0.7, "plain: weight of the vector score", _weight),
    Setting("search.decay", 0.01, "plain: how fast a memory fades, per day", _weight),
    Setting("search.k1", 1.2, "plain: BM25's k1", _weight),
    Setting("search.b", 0.75, "plain: BM25's b", _weight),
    Setting("embedder.name", "minilm", '"minilm", "multilingual", "openai", "onnx" or "none"', _text, in_book=False),
    Setting("embedder.model", "", "openai: the model's name at the endpoint", _text, in_book=False),
    Setting("embedder.url", "", "openai: address of an OpenAI-compatible endpoint, up to /v1", _text, in_book=False),
    Setting(
        "embedder.key_variable", "OPENAI_API_KEY", "openai: environment variable with the key", _text, in_book=False
    ),
    Setting("embedder.dimensions", 1536, "openai: how many numbers a vector of that model has", _count, in_book=False),
    Setting("embedder.folder", "", "onnx: folder with model.onnx and tokenizer.json", _text, in_book=False),
    Setting(
        "model.provider", "none", 'chat model: "none", "anthropic", "openai" or "command"', _provider, in_book=False
    ),
    Setting("model.name", "", "the chat model's name at its provider", _text, in_book=False),
    Setting("model.url", "", "address of the provider, if it is not the vendor's own", _text, in_book=False),
    Setting(
        "model.key_variable",
        "",
        "environment variable or keyring entry with the key (default at the vendor's own address: "
        "ANTHROPIC_API_KEY or OPENAI_API_KEY; elsewhere: no key)",
        _text,
        in_book=False,
    ),
    Setting("model.command", (), "command: the program that answers, and its arguments", _words, in_book=False),
    Setting("model.window", 0, "context window of the model in tokens (0: a usual one)", _tokens, in_book=False),
    Setting("model.timeout", 120.0, "seconds to wait for the next piece of an answer", _seconds, in_book=False),
    Setting("model.total_timeout", 900.0, "seconds that a whole answer may take", _seconds, in_book=False),
    Setting("model.daily_tokens", 0, "how many tokens may be used on one day (0: no cap)", _tokens, in_book=False),
    *_TEAM,
)
_BY_KEY = {setting.key: setting for setting in SETTINGS}


def setting_of(key: str) -> Setting:
    """The setting with this key."""
    if key not in _BY_KEY:
        raise ConfigError(f"There is no setting {key!r}.", hint=_known(key))
    return _BY_KEY[key]


def parsed(setting: Setting, raw: object, origin: str) -> object:
    """A value as the setting wants it."""
    try:
        return setting.parse(raw)
    except ValueError as error:
        raise ConfigError(
            f"{setting.key} in {origin} is {raw!r}; it must be {_expected(error)}.",
            hint="Correct it there; `commonplace config` shows every setting.",
        ) from None


def _known(key: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(key, _BY_KEY, n=2)
    return f"Did you mean {' or '.join(close)}?" if close else "`commonplace config` lists all of them."


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How results are scored."""

    limit: int = 5
    method: str = "fitted"
    keyword_weight: float = 0.3
    vector_weight: float = 0.7
    decay: float = 0.01
    k1: float = 1.2
    b: float = 0.75


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    """Which model makes vectors, and where it is."""

    name: str = "minilm"
    model: str = ""
    url: str = ""
    dimensions: int = 1536
    key_variable: str = "OPENAI_API_KEY"
    folder: str = ""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which chat model answers, where it is, and how much of it may be used."""

    provider: str = "none"
    name: str = ""
    url: str = ""
    key_variable: str = ""
    command: tuple[str, ...] = ()
    window: int = 0
    timeout: float = 120.0
    total_timeout: float = 900.0
    daily_tokens: int = 0


@dataclass(frozen=True, slots=True)
class GateSettings:
    """How sure each rule must be before it acts; None: it is switched off."""

    secret: float | None = 0.5
    duplicate: float | None = 0.5
    echo: float | None = 0.5
    third_party: float | None = 0.5
    instruction: float | None = 0.5
    transient: float | None = 0.5
    one_off: float | None = 0.5
    same_fact: float | None = 0.5
    newer_value: float | None = 0.5
    several_facts: float | None = 0.5
    unsupported: float | None = 0.5
    inferred: float | None = 0.5
    longest: int = 5000


@dataclass(frozen=True, slots=True)
class TeamSettings:
    """Where a team's books are, who vouches for its people, and what each may do how often."""

    database: str = ""
    issuer: str = ""
    audience: str = ""
    keys: str = ""
    tenant: str = ""
    tenant_claim: str = "tenant"
    person_claim: str = "sub"
    groups_claim: str = "groups"
    requests: int = 600
    trail_days: int = 400


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force."""

    projects: str = "apart"
    hooks: str = "on"
    lock_timeout: float = 10.0
    backups_keep: int = 5
    gate: GateSettings = GateSettings()
    search: SearchSettings = SearchSettings()
    embedder: EmbedderSettings = EmbedderSettings()
    model: ModelSettings = ModelSettings()
    team: TeamSettings = TeamSettings()


def settle(sources: list[tuple[str, Mapping[str, object]]]) -> dict[str, Value]:
    """The value of every setting, from sources of (origin, flat mapping), strongest first."""
    values = {setting.key: Value(setting, setting.default, "default") for setting in SETTINGS}
    for origin, mapping in reversed(sources):
        for key, raw in mapping.items():
            setting = _BY_KEY.get(key)
            if setting is None:
                raise ConfigError(
                    f"Unknown setting {key!r} in {origin}.",
                    hint=f"Known settings: {', '.join(_BY_KEY)}.",
                )
            values[key] = Value(setting, parsed(setting, raw, origin), origin)
    return values


def settings_from(values: Mapping[str, Value]) -> Settings:
    def group(name: str) -> dict[str, Any]:
        return {key.removeprefix(name): value.value for key, value in values.items() if key.startswith(name)}

    return Settings(
        projects=cast(str, values["projects"].value),
        hooks=cast(str, values["hooks"].value),
        lock_timeout=cast(float, values["lock.timeout"].value),
        backups_keep=cast(int, values["backups.keep"].value),
        gate=GateSettings(**group("gate.")),
        search=SearchSettings(**group("search.")),
        embedder=EmbedderSettings(**group("embedder.")),
        model=ModelSettings(**group("model.")),
        team=TeamSettings(**group("team.")),
    )


def check_book_file(mapping: Mapping[str, object], origin: str) -> None:
    """Refuse in a book's own file what only the user may set."""
    for key in mapping:
        setting = _BY_KEY.get(key)
        if setting is not None and not setting.in_book:
            raise ConfigError(
                f"{key} cannot be set in {origin}: a book may come from someone else.",
                hint="Set it in your own configuration file or in the environment.",
            )


def _expected(error: ValueError) -> str:
    text = str(error)
    return text if text.startswith(("a ", '"')) else "a number"
