#!/usr/bin/env bash
# Checks the alert rules for Prometheus, and fires each of them once, by promtool. Where the PATH has no promtool, that of
# Debian's package is unpacked into the user's cache, which needs apt-get and dpkg-deb, and no rights of root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../deploy/observability"

readonly PLACE="${HOME}/.cache/bursar/promtool"

promtool() {
  if type -P promtool > /dev/null; then
    command promtool "$@"
  else
    [ -x "$PLACE/usr/bin/promtool" ] || unpack
    "$PLACE/usr/bin/promtool" "$@"
  fi
}

unpack() {
  local folder
  folder=$(mktemp -d)
  # The user of apt that downloads must be able to write here.
  chmod 755 "$folder"
  (cd "$folder" && apt-get download -qq prometheus 2> /dev/null || (apt-get update -qq && apt-get download -qq prometheus))
  dpkg-deb -x "$folder"/prometheus_*.deb "$folder/unpacked"
  mkdir -p "$PLACE/usr/bin"
  mv "$folder/unpacked/usr/bin/promtool" "$PLACE/usr/bin/promtool"
  rm -r "$folder"
}

promtool check rules alerts.yml
promtool test rules alerts.test.yml
