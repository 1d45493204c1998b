"""People by the word of the company's issuer: an issuer of the tests' own, on this machine, and forged tokens."""

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Generator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from commonplace.config import TeamSettings
from commonplace.errors import ConfigError
from commonplace.team.issuer import Issuer, IssuerSilent, KeySet
from commonplace.team.membership import Role
from tests.team.conftest import Team, served, with_token

ISSUER, AUDIENCE = "https://login.example", "commonplace"
_MAKERS: dict[str, Any] = {
    "RS256": lambda: rsa.generate_private_key(public_exponent=65537, key_size=2048),
    "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
    "EdDSA": ed25519.Ed25519PrivateKey.generate,
}
_ALGORITHMS: dict[str, Any] = {
    "RS256": RSAAlgorithm,
    "ES256": ECAlgorithm,
    "EdDSA": OKPAlgorithm,
}


class ScriptedIssuer:
    """An issuer that signs what it is told to, publishes its keys, and may be down."""

    def __init__(self) -> None:
        self.keys: dict[str, tuple[str, Any]] = {}
        self.asked = 0
        self.down = False
        self.answer: bytes | None = None
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                issuer.asked += 1
                body = issuer.answer if issuer.answer is not None else json.dumps({"keys": issuer.published()}).encode()
                self.send_response(500 if issuer.down else 302 if self.path == "/elsewhere" else 200)
                self.send_header("location", "/keys")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"

    def published(self) -> list[dict[str, Any]]:
        return [
            {**json.loads(_ALGORITHMS[kind].to_jwk(key.public_key())), "kid": id, "use": "sig"}
            for id, (kind, key) in self.keys.items()
        ]

    def new_key(self, id: str, kind: str = "RS256") -> None:
        self.keys[id] = (kind, _MAKERS[kind]())

    def token(self, id: str, **claims: Any) -> str:
        kind, key = self.keys[id]
        now = int(time.time())
        said = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "tenant": "acme", "iat": now, "exp": now + 300, **claims}
        wanted = {name: value for name, value in said.items() if value is not None}
        return jwt.encode(wanted, key, algorithm=kind, headers={"kid": id})


@pytest.fixture
def issuer() -> Generator[ScriptedIssuer]:
    made = ScriptedIssuer()
    running = threading.Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.02})
    running.start()
    yield made
    made.server.shutdown()
    running.join()
    made.server.server_close()


def verifier(issuer: ScriptedIssuer, now: list[float] | None = None, **settings: Any) -> Issuer:
    wanted = TeamSettings(issuer=ISSUER, audience=AUDIENCE, keys=f"{issuer.address}/keys", **settings)
    clock = now or [0.0]
    return Issuer(wanted, KeySet(wanted.keys, lambda: clock[0]))


@pytest.mark.req("TEAM-1")
@pytest.mark.parametrize("kind", list(_MAKERS))
def test_a_token_of_the_issuer_is_believed(issuer: ScriptedIssuer, kind: str) -> None:
    issuer.new_key("one", kind)
    found = verifier(issuer).visitor(issuer.token("one", groups=["cooks", "all", "cooks"]))
    assert found is not None
    assert (found.tenant, found.person, found.groups, found.role, found.token) == (
        "acme", "ada", ("all", "cooks"), Role.OWNER, "",
    )  # fmt: skip


@pytest.mark.req("TEAM-1")
@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.example"}, {"iss": None}, {"iss": f"{ISSUER}/"},
        {"aud": "another"}, {"aud": None}, {"aud": ["another"]},
        {"exp": 1}, {"exp": None}, {"exp": "never"}, {"exp": timedelta(minutes=-2)},
        {"nbf": timedelta(hours=1)}, {"iat": timedelta(hours=1)}, {"iat": None},
        {"sub": ""}, {"sub": None}, {"sub": 7}, {"sub": "@cooks"}, {"sub": " ada"},
        {"tenant": None}, {"tenant": "*"}, {"tenant": "../own"}, {"tenant": ["acme"]}, {"tenant": ""},
    ],
    ids=str,
)  # fmt: skip
def test_a_token_that_says_something_else_is_nobodys(issuer: ScriptedIssuer, claims: dict[str, Any]) -> None:
    issuer.new_key("two", "EdDSA")
    kind, key = issuer.keys["two"]
    now = int(time.time())
    # From now, not from when the tests were collected: every process that collects them gives them the same names.
    claims = {k: now + int(v.total_seconds()) if isinstance(v, timedelta) else v for k, v in claims.items()}
    if claims.get("sub") == 7:  # the library refuses to sign it
        body = {"iss": ISSUER, "aud": AUDIENCE, "tenant": "acme", "iat": now, "exp": now + 300, **claims}
        token = jwt.api_jws.PyJWS().encode(json.dumps(body).encode(), key, algorithm=kind, headers={"kid": "two"})
    elif claims.get("iss", ISSUER) is None or isinstance(claims.get("exp"), str):
        body = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "tenant": "acme", "iat": now, "exp": now + 300, **claims}
        said = {name: value for name, value in body.items() if value is not None}
        token = jwt.api_jws.PyJWS().encode(json.dumps(said).encode(), key, algorithm=kind, headers={"kid": "two"})
    else:
        token = issuer.token("two", **claims)
    assert verifier(issuer).visitor(token) is None


def _packed(value: object) -> str:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@pytest.mark.req("TEAM-1")
def test_forged_signatures_are_not_believed(issuer: ScriptedIssuer) -> None:
    issuer.new_key("one")
    good = issuer.token("one")
    claims = good.split(".")[1]
    public = issuer.keys["one"][1].public_key()
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    der = public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    forged = [
        good[:-4] + ("AAAA" if good[-4:] != "AAAA" else "BBBB"),
        f"{good.rpartition('.')[0]}.",
        "a.b.c",
        "",
        "..",
        good * 2,
    ]
    unsigned = ("none", "None", "NONE", "", "nOnE")
    forged += [f"{_packed({'alg': name, 'kid': 'one', 'typ': 'JWT'})}.{claims}." for name in unsigned]
    for name, digest in (("HS256", hashlib.sha256), ("HS512", hashlib.sha512)):
        for secret in (pem, der, pem.strip(), b""):
            head = f"{_packed({'alg': name, 'kid': 'one', 'typ': 'JWT'})}.{claims}"
            forged.append(f"{head}.{_packed(hmac.new(secret, head.encode(), digest).digest())}")
    other = ScriptedIssuer()
    other.new_key("one")
    other.new_key("two", "ES256")
    forged += [other.token("one"), other.token("two")]
    _, stranger = other.keys["one"]
    own = json.loads(RSAAlgorithm.to_jwk(stranger.public_key()))
    said = jwt.decode(good, options={"verify_signature": False})
    for head in (
        {"jwk": own, "kid": "one"},
        {"kid": "one", "jku": other.address},
        {},
        {"kid": "../one"},
        {"kid": None},
    ):
        headers = {name: value for name, value in head.items() if value is not None}
        forged.append(jwt.encode(said, stranger, algorithm="RS256", headers=headers))
    forged.append(jwt.encode(said, issuer.keys["one"][1], algorithm="RS512", headers={"kid": "one"}))
    other.server.server_close()
    checked = verifier(issuer)
    assert checked.visitor(good) is not None
    assert [token for token in forged if checked.visitor(token) is not None] == []


@pytest.mark.req("TEAM-1")
def test_a_key_set_with_a_secret_in_it_verifies_nothing_by_it(issuer: ScriptedIssuer) -> None:
    issuer.new_key("one")
    secret = b"an ordinary secret of a careless issuer"
    oct = {"kty": "oct", "k": _packed(secret), "kid": "shared", "use": "sig"}
    enc = {**issuer.published()[0], "kid": "sealed", "use": "enc"}
    issuer.answer = json.dumps({"keys": [oct, enc, {"kty": "RSA"}, 7, {"kty": "RSA", "kid": "bad", "n": "x"}]}).encode()
    now = int(time.time())
    said = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "tenant": "acme", "iat": now, "exp": now + 300}
    checked = verifier(issuer)
    assert checked.visitor(jwt.encode(said, secret, algorithm="HS256", headers={"kid": "shared"})) is None
    assert (
        checked.visitor(jwt.encode(said, issuer.keys["one"][1], algorithm="RS256", headers={"kid": "sealed"})) is None
    )


@pytest.mark.req("TEAM-1")
def test_keys_change_without_a_restart_and_unknown_ones_do_not_hammer_the_issuer(issuer: ScriptedIssuer) -> None:
    now = [1000.0]
    issuer.new_key("one")
    checked = verifier(issuer, now)
    assert checked.visitor(issuer.token("one")) is not None
    issuer.new_key("two")
    token = issuer.token("two")
    assert checked.visitor(token) is None  # asked a moment ago
    now[0] += 31
    assert checked.visitor(token) is not None
    asked = issuer.asked
    for _ in range(50):
        now[0] += 0.1
        assert checked.visitor(issuer.token("two", sub="x" * 5)) is not None
        forged = jwt.encode({"sub": "x"}, issuer.keys["one"][1], algorithm="RS256", headers={"kid": "nobody"})
        assert checked.visitor(forged) is None
    assert issuer.asked == asked
    del issuer.keys["one"]
    now[0] += 601
    old = jwt.encode({"sub": "x"}, _MAKERS["RS256"](), algorithm="RS256", headers={"kid": "one"})
    assert checked.visitor(old) is None


@pytest.mark.req("TEAM-1")
def test_while_the_issuer_is_down_known_keys_go_on(issuer: ScriptedIssuer) -> None:
    now = [0.0]
    issuer.new_key("one")
    token = issuer.token("one")
    issuer.down = True
    checked = verifier(issuer, now)
    with pytest.raises(IssuerSilent):
        checked.visitor(token)
    issuer.down = False
    with pytest.raises(IssuerSilent):
        checked.visitor(token)
    now[0] += 31
    assert checked.visitor(token) is not None
    for trouble in (b"not JSON", b"[]", b"x" * 300_000):
        issuer.answer = trouble
        now[0] += 700
        assert checked.visitor(token) is not None
    issuer.down = True
    now[0] += 7000
    assert checked.visitor(token) is not None


def test_keys_come_from_the_configured_address_alone(issuer: ScriptedIssuer) -> None:
    issuer.new_key("one")
    with pytest.raises(IssuerSilent):
        KeySet(f"{issuer.address}/elsewhere").get("one")
    for address in ("http://login.example/keys", "file:///etc/passwd", "ftp://127.0.0.1/keys", "keys"):
        with pytest.raises(ConfigError):
            KeySet(address)


def test_half_a_configuration_is_an_error() -> None:
    assert Issuer.configured(TeamSettings()) is None
    with pytest.raises(ConfigError) as told:
        Issuer.configured(TeamSettings(issuer=ISSUER))
    assert "team.audience" in told.value.message


def test_an_address_of_mail_counts_only_if_it_is_verified(issuer: ScriptedIssuer) -> None:
    issuer.new_key("one")
    checked = verifier(issuer, person_claim="email", tenant="acme")
    mail = "ada@example.com"
    assert checked.visitor(issuer.token("one", email=mail)) is None
    assert checked.visitor(issuer.token("one", email=mail, email_verified="yes")) is None
    found = checked.visitor(issuer.token("one", email=mail, email_verified=True, tenant="other"))
    assert found is not None
    assert (found.tenant, found.person) == ("acme", mail)


@pytest.mark.req("TEAM-1", "S8")
def test_people_and_groups_of_the_issuer_have_the_roles_they_were_given(issuer: ScriptedIssuer, team: Team) -> None:
    issuer.new_key("one")
    team.book("notes")
    team.grant("notes", "@cooks", Role.WRITER)
    environment = {
        "COMMONPLACE_TEAM_ISSUER": ISSUER,
        "COMMONPLACE_TEAM_AUDIENCE": AUDIENCE,
        "COMMONPLACE_TEAM_KEYS": f"{issuer.address}/keys",
    }
    with served(environment) as client:

        def by(**claims: Any) -> Any:
            return with_token(client, issuer.token("one", **{"tenant": team.tenant, **claims}))

        cook, guest = by(groups=["cooks"]), by(sub="sam", groups=["guests"])
        cook.post("/books/notes/memory/entries", {"text": "Bakes on Fridays", "insist": True}, status=201)
        cook.get("/books/notes/roles", status=403)
        guest.get("/books/notes/memory", status=404)
        by(groups=["cooks"], tenant=f"{team.tenant}x").get("/books/notes/memory", status=404)
        by(groups=["cooks"], exp=1).get("/books", status=401)
        by(sub="olga").get("/books/notes/roles")
        me = cook.get("/me")
        assert (me["person"], me["groups"], me["token"], me["role"]) == ("ada", ["cooks"], "", "owner")


def test_a_silent_issuer_is_told_as_that_and_tokens_go_on(issuer: ScriptedIssuer, team: Team) -> None:
    issuer.new_key("one")
    issuer.down = True
    environment = {
        "COMMONPLACE_TEAM_ISSUER": ISSUER,
        "COMMONPLACE_TEAM_AUDIENCE": AUDIENCE,
        "COMMONPLACE_TEAM_KEYS": f"{issuer.address}/keys",
    }
    with served(environment) as client:
        answer = with_token(client, issuer.token("one")).client.get("/api/v1/me")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert with_token(client, team.token("ada")).get("/me")["person"] == "ada"
