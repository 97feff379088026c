#!/bin/sh
# Installs the inspector of the Model Context Protocol into the folder that is given: pinned with all that it needs, from
# npm, and without running what packages would run. A machine without npm is told so, and the test that needs it says it.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
target=${1:?the folder to install into}

if [ -x "$target/node_modules/.bin/mcp-inspector" ] && cmp -s "$here/package-lock.json" "$target/package-lock.json"; then
	exit 0
fi
missing() {
	rm -rf "$target"
	echo "inspector: NOT INSTALLED: $1" >&2
	exit 0
}
command -v npm >/dev/null || missing "there is no npm"
rm -rf "$target"
mkdir -p "$target"
cp "$here/package.json" "$target/"
cp "$here/package-lock.json" "$target/"
(cd "$target" && npm ci --ignore-scripts --no-audit --no-fund --silent) || missing "npm could not fetch it"
"$target/node_modules/.bin/mcp-inspector" --version
