#!/bin/sh
# Installs pre-commit, which the tests run the hooks with, into the folder that is given: pinned, from PyPI. A machine
# without Python is told so, and the tests run the hooks as pre-commit would.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
target=$1

if [ -x "$target/bin/pre-commit" ] && cmp -s "$here/pre-commit.txt" "$target/pre-commit.txt"; then
	exit 0
fi
missing() {
	rm -rf "$target"
	echo "pre-commit: NOT INSTALLED: $1" >&2
	exit 0
}
command -v python3 >/dev/null || missing "there is no python3"
rm -rf "$target"
python3 -m venv "$target" >/dev/null 2>&1 || missing "python3 has no venv"
"$target/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
	--requirement "$here/pre-commit.txt" || missing "pip could not fetch it"
cp "$here/pre-commit.txt" "$target/"
"$target/bin/pre-commit" --version
