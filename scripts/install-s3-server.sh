#!/usr/bin/env bash
# Installs an S3 server for tests (moto) into the user's cache. Needs Python 3 with venv. Does nothing when it is there.
set -euo pipefail

readonly VERSION=5.2.1
readonly PLACE="${HOME}/.cache/bursar/moto-${VERSION}"

[ -x "$PLACE/bin/moto_server" ] && exit
python3 -m venv "$PLACE"
"$PLACE/bin/pip" install --quiet --disable-pip-version-check "moto[s3,server]==${VERSION}"
