#!/bin/sh
# Installs what builds and checks the site into the folder that is given: pinned, from PyPI. A machine without Python is
# told so: its tests do not look at the pages, and make site fails.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
target=${1:?the folder to install into}

if cmp -s "$here/requirements.txt" "$target/requirements.txt"; then
	exit 0
fi
missing() {
	rm -rf "$target"
	echo "site: NOT INSTALLED: $1" >&2
	exit 0
}
command -v python3 >/dev/null || missing "there is no python3"
rm -rf "$target"
python3 -m venv "$target" >/dev/null 2>&1 || missing "python3 has no venv"
"$target/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
	--requirement "$here/requirements.txt" || missing "pip could not fetch it"
cp "$here/requirements.txt" "$target/"
"$target/bin/mkdocs" --version
