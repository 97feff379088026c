#!/bin/sh
# Installs what builds and checks the site into the folder that is given: pinned, from PyPI.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
target=${1:?the folder to install into}

if cmp -s "$here/requirements.txt" "$target/requirements.txt"; then
	exit 0
fi
rm -rf "$target"
python3 -m venv "$target"
"$target/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
	--requirement "$here/requirements.txt"
cp "$here/requirements.txt" "$target/"
"$target/bin/mkdocs" --version
