"""The tables of a team: which books it shares, who may do what in them, by which tokens, and who did.

They hold no text of any memory. Row-level security keeps tenants apart here as it does for books. The trail is written
and read, never changed, and no row of it can be deleted before it is a month old, whoever asks.
"""

from __future__ import annotations

TABLES = ("team_book", "team_role", "team_token", "team_receipt", "team_trail")
SHORTEST_TRAIL = 30
"""Days that a row of the trail stays in any case."""
_TABLES = """
CREATE TABLE commonplace.team_book (
    tenant text NOT NULL, book text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('personal', 'project', 'shared')),
    created timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, book)
);

CREATE TABLE commonplace.team_role (
    tenant text NOT NULL, book text NOT NULL, who text NOT NULL,
    role smallint NOT NULL CHECK (role BETWEEN 1 AND 3),
    given timestamptz NOT NULL DEFAULT now(),
    given_by text NOT NULL,
    PRIMARY KEY (tenant, book, who),
    FOREIGN KEY (tenant, book) REFERENCES commonplace.team_book ON DELETE CASCADE
);
CREATE INDEX ON commonplace.team_role (tenant, who);

CREATE TABLE commonplace.team_token (
    tenant text NOT NULL, id text NOT NULL,
    hash bytea NOT NULL,
    name text NOT NULL,
    person text NOT NULL,
    role smallint NOT NULL CHECK (role BETWEEN 1 AND 3),
    books text[],
    created timestamptz NOT NULL DEFAULT now(),
    expires timestamptz NOT NULL,
    revoked timestamptz,
    last_used timestamptz,
    PRIMARY KEY (tenant, id)
);

CREATE TABLE commonplace.team_receipt (
    tenant text NOT NULL, book text NOT NULL, key bytea NOT NULL,
    asked bytea NOT NULL,
    claim uuid NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    change text,
    status integer,
    PRIMARY KEY (tenant, book, key)
);
CREATE INDEX ON commonplace.team_receipt (tenant, at);

CREATE TABLE commonplace.team_trail (
    tenant text NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL DEFAULT now(),
    person text NOT NULL,
    token text NOT NULL,
    book text NOT NULL,
    operation text NOT NULL,
    subject text NOT NULL DEFAULT '',
    status integer NOT NULL,
    changes text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant, id)
);
CREATE INDEX ON commonplace.team_trail (tenant, book, id);
CREATE INDEX ON commonplace.team_trail (tenant, at);
"""
RIGHTS = (
    "SELECT, INSERT, UPDATE, DELETE ON "
    + ", ".join(f"commonplace.{table}" for table in TABLES if table != "team_trail"),
    "SELECT, INSERT, DELETE ON commonplace.team_trail",
)


def step(setting: str) -> str:
    """The migration that makes these tables; `setting` names the tenant that a connection sees."""
    mine = f"tenant = current_setting('{setting}', true)"
    made = [_TABLES]
    for table in TABLES:
        made += [
            f"ALTER TABLE commonplace.{table} ENABLE ROW LEVEL SECURITY;",
            f"ALTER TABLE commonplace.{table} FORCE ROW LEVEL SECURITY;",
        ]
        if table != "team_trail":
            made.append(f"CREATE POLICY tenant ON commonplace.{table} USING ({mine}) WITH CHECK ({mine});")
    made += [
        f"CREATE POLICY reading ON commonplace.team_trail FOR SELECT USING ({mine});",
        f"CREATE POLICY writing ON commonplace.team_trail FOR INSERT WITH CHECK ({mine});",
        "CREATE POLICY expiring ON commonplace.team_trail FOR DELETE "
        f"USING ({mine} AND at < now() - interval '{SHORTEST_TRAIL} days');",
    ]
    return "\n".join(made)
