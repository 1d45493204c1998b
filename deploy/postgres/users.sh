#!/bin/sh
# The servers' own database user: owns no table, so that the wall between tenants holds for it.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$APP_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE USER app PASSWORD :'password' NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
SQL
