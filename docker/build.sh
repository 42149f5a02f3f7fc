#!/usr/bin/env bash
# Builds the images that compose.yaml and its companions start.
#
#   docker/build.sh [--base IMAGE] [--wheels] [--network NAME] [web|worker|postgres|redis ...]
#
# Without names: web and worker. --base builds on IMAGE instead of each Dockerfile's own default
# (docker/base.sh makes one where no registry can be reached). --wheels lets this machine's pip
# fetch what pip would install in the images, which then need no package index. --network is
# `docker build --network`. Needs an engine (DOCKER_HOST, or the default socket); for --wheels a
# python3 with venv, of the same minor version and processor as in the images.
set -euo pipefail
cd "$(dirname "$0")/.."

options=()
wheels=false
images=()
while (($#)); do
  case $1 in
    --base) options+=(--build-arg "BASE=$2"); shift ;;
    --network) options+=(--network "$2"); shift ;;
    --wheels) wheels=true ;;
    web | worker | postgres | redis) images+=("$1") ;;
    *) echo "docker/build.sh: $1 is neither an option nor an image; see its first lines" >&2
       exit 2 ;;
  esac
  shift
done
((${#images[@]})) || images=(web worker)

if $wheels; then
  # async-timeout: wanted by Python before 3.11.3, which Debian 12 has and this machine may not.
  tools=$(mktemp -d "${TMPDIR:-/tmp}/warpboard-wheels-XXXXXX")
  trap 'rm -rf "$tools"' EXIT
  python3 -m venv "$tools" # Debian's python3 may come without pip
  "$tools/bin/pip" wheel --quiet --wheel-dir docker/wheels --constraint constraints.txt \
    '.[site,judge]' 'setuptools>=77' async-timeout
  rm -f docker/wheels/warpboard-*.whl # the images build the project itself
  options+=(--build-arg PIP_NO_INDEX=1)
fi
for image in "${images[@]}"; do
  docker build --quiet "${options[@]}" --file "docker/$image/Dockerfile" \
    --tag "warpboard/$image" . >/dev/null
  docker image inspect --format "warpboard/$image {{.Id}}" "warpboard/$image"
done
