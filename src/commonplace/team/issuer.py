"""People by the word of the company's own issuer: a signed token (JWT, as OpenID Connect has it), verified here.

Only signatures with a public key count, by three algorithms. Keys are fetched from one configured address, kept for a
while, and fetched again when a token names an unknown one, though not more often than every half minute: nobody can
make this server hammer the issuer. While the issuer is down, the keys that are known go on working.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import IO, TYPE_CHECKING, Any, cast
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import jwt

from commonplace.errors import CommonplaceError, ConfigError, ValidationError
from commonplace.loopback import is_loopback
from commonplace.stores.postgres import is_name
from commonplace.team.membership import Visitor, check_who

if TYPE_CHECKING:
    from email.message import Message

    from commonplace.config import TeamSettings

ALGORITHMS = ("RS256", "ES256", "EdDSA")
_KINDS = {"RSA": "RS256", "EC": "ES256", "OKP": "EdDSA"}
_LEEWAY = 60
_FRESH = 600.0
_PAUSE = 30.0
_PATIENCE = 5.0
_LARGEST = 256 * 1024
_MOST_GROUPS = 200


class IssuerSilent(CommonplaceError):
    """The keys of the issuer are not known, and cannot be had now."""

    code = "busy"


class _NoRedirects(HTTPRedirectHandler):
    """Keys come from the address that was configured, and from nowhere else."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> Request | None:
        raise HTTPError(req.full_url, code, f"{msg}: not followed to {newurl}", headers, fp)


class KeySet:
    """The issuer's public keys, by their ids."""

    def __init__(self, address: str, now: Callable[[], float] = time.monotonic) -> None:
        parts = urlsplit(address)
        if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname or "")):
            raise ConfigError(
                "The keys of the issuer must come over https.",
                hint="Correct team.keys: it is the jwks_uri of the issuer.",
            )
        self._address = address
        self._now = now
        self._lock = threading.Lock()
        self._keys: dict[str, jwt.PyJWK] = {}
        self._fetched: float | None = None
        self._tried: float | None = None

    def get(self, id: str) -> jwt.PyJWK | None:
        """The key with this id; None if the issuer has none."""
        with self._lock:
            stale = self._fetched is None or self._now() - self._fetched > _FRESH
            if (stale or id not in self._keys) and (self._tried is None or self._now() - self._tried > _PAUSE):
                self._fetch()
            if self._fetched is None:
                raise IssuerSilent("The keys of the issuer cannot be had now.", hint="Try again in a moment.")
            return self._keys.get(id)

    def _fetch(self) -> None:
        """Take the keys as they are now; where that fails, those that are known stay."""
        self._tried = self._now()
        try:
            request = Request(self._address, headers={"accept": "application/json"})  # noqa: S310 checked above
            with build_opener(_NoRedirects).open(request, timeout=_PATIENCE) as reply:
                data = reply.read(_LARGEST + 1)
                if reply.status != HTTPStatus.OK or len(data) > _LARGEST:
                    return
            self._keys = _parsed(data)
            self._fetched = self._now()
        except (OSError, ValueError):  # told to whoever asks, if no key is known
            return


def _parsed(data: bytes) -> dict[str, jwt.PyJWK]:
    """The keys that sign; those of other kinds, and secrets above all, are none."""
    import json

    told = json.loads(data)
    listed = cast(dict[str, object], told).get("keys") if isinstance(told, dict) else None
    if not isinstance(listed, list):
        raise ValueError("no set of keys")
    found: dict[str, jwt.PyJWK] = {}
    for one in cast(list[object], listed):
        key = cast(dict[str, Any], one) if isinstance(one, dict) else {}
        kind = _KINDS.get(str(key.get("kty")))
        if kind is None or key.get("use", "sig") != "sig" or not isinstance(key.get("kid"), str):
            continue
        try:
            found[key["kid"]] = jwt.PyJWK(key, kind)
        except jwt.PyJWTError:
            continue
    return found


@dataclass(frozen=True, slots=True)
class Issuer:
    """Who vouches for people, and how their claims are read."""

    settings: TeamSettings
    keys: KeySet

    @classmethod
    def configured(cls, settings: TeamSettings) -> Issuer | None:
        """The issuer that the settings name; None where they name none. Half a configuration is an error."""
        wanted = {"team.issuer": settings.issuer, "team.audience": settings.audience, "team.keys": settings.keys}
        missing = [key for key, value in wanted.items() if not value]
        if len(missing) == len(wanted):
            return None
        if missing:
            raise ConfigError(
                f"An issuer is configured in part: {' and '.join(missing)} is not set.",
                hint=f"Set all of {', '.join(wanted)}, or none.",
            )
        return cls(settings, KeySet(settings.keys))

    def visitor(self, token: str) -> Visitor | None:
        """Who the token speaks of; None if it cannot be believed."""
        try:
            header = jwt.get_unverified_header(token)
            if header.get("alg") not in ALGORITHMS or not isinstance(header.get("kid"), str):
                return None
            key = self.keys.get(header["kid"])
            if key is None or key.algorithm_name != header["alg"]:
                return None
            claims = jwt.decode(
                token,
                key,
                algorithms=list(ALGORITHMS),
                audience=self.settings.audience,
                issuer=self.settings.issuer,
                leeway=_LEEWAY,
                options={"require": ["exp", "iat", "iss", "aud"], "strict_aud": False},
            )
        except jwt.PyJWTError:
            return None
        return self._from(claims)

    def _from(self, claims: Mapping[str, Any]) -> Visitor | None:
        settings = self.settings
        tenant = settings.tenant or claims.get(settings.tenant_claim)
        person = claims.get(settings.person_claim)
        if settings.person_claim == "email" and claims.get("email_verified") is not True:
            return None
        if not isinstance(tenant, str) or not is_name(tenant) or not isinstance(person, str):
            return None
        listed = claims.get(settings.groups_claim)
        groups = [one for one in cast(list[object], listed) if isinstance(one, str)] if isinstance(listed, list) else []
        try:
            check_who(person, group=False)
        except ValidationError:
            return None
        return Visitor(tenant, person, groups=tuple(sorted(set(groups))[:_MOST_GROUPS]))
