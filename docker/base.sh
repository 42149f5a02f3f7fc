#!/usr/bin/env bash
# Makes the image that the others can be built on where no registry can be reached: a minimal
# Debian from its package archive, imported into the engine. Prints the image's ID.
#
#   docker/base.sh [TAG]        TAG is warpboard/base:bookworm unless given
#
# An image that has the tag already is kept: its ID, by which it is pinned, stays. Needs root (for
# debootstrap), `apt-get install debootstrap`, and an engine (DOCKER_HOST, or the default socket).
# MIRROR and SUITE choose another archive or release.
set -euo pipefail

tag=${1:-warpboard/base:bookworm}
suite=${SUITE:-bookworm}
mirror=${MIRROR:-http://deb.debian.org/debian}
security=${SECURITY_MIRROR:-http://deb.debian.org/debian-security}

if docker image inspect --format '{{.Id}}' "$tag" 2>/dev/null; then
  exit 0
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/warpboard-base-XXXXXX")
trap 'rm -rf "$work"' EXIT
root=$work/root
if ! debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$mirror" \
  >"$work/log" 2>&1; then
  echo "docker/base.sh: debootstrap of $suite from $mirror failed:" >&2
  tail -n 20 "$work/log" >&2
  exit 1
fi
cat >"$root/etc/apt/sources.list" <<SOURCES
deb $mirror $suite main
deb $mirror $suite-updates main
deb $security $suite-security main
SOURCES

# What differs between two builds of the same packages, and what only fills the image.
rm -rf "$root"/var/cache/apt/*.bin "$root"/var/cache/apt/archives/*.deb \
  "$root"/var/cache/ldconfig/aux-cache "$root"/var/lib/apt/lists/* "$root"/var/log/*.log \
  "$root"/var/log/apt "$root"/usr/share/doc/* "$root"/usr/share/man/* "$root"/usr/share/locale/*
: >"$root/etc/machine-id"
rm -f "$root/etc/hostname" "$root/etc/resolv.conf"

tar --directory "$root" --create --sort=name --numeric-owner --mtime=@0 . |
  docker import --change 'CMD ["/bin/bash"]' --message "debootstrap $suite" - "$tag" >/dev/null
docker image inspect --format '{{.Id}}' "$tag"
