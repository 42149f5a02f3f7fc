#!/bin/sh
# Makes the cluster on the first start, then becomes the server. Connections over the network need
# the password; those over the container's own socket, which only it can reach, do not.
set -eu
: "${POSTGRES_PASSWORD:?POSTGRES_PASSWORD is not set}"
user=${POSTGRES_USER:-postgres}
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  umask 077
  password=$(mktemp)
  printf '%s\n' "$POSTGRES_PASSWORD" >"$password"
  initdb --username="$user" --pwfile="$password" --encoding=UTF8 --locale=C.UTF-8 \
    --auth-local=trust --auth-host=scram-sha-256
  rm "$password"
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  if [ "${POSTGRES_DB:-$user}" != postgres ]; then
    echo "CREATE DATABASE \"${POSTGRES_DB:-$user}\";" | postgres --single -jE postgres
  fi
fi
exec postgres -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql
