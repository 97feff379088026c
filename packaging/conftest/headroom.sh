#!/bin/sh
# What `conftest headroom …` runs. The exit code is headroom's: 0, 1 for findings, 2 for what cannot be read.
set -eu

program=${HEADROOM:-headroom}
if ! command -v "$program" >/dev/null 2>&1; then
	echo "conftest headroom: there is no $program; install it:" \
		"go install github.com/headroom-dev/headroom/cmd/headroom@latest, or name one in HEADROOM" >&2
	exit 2
fi
exec "$program" "$@"
