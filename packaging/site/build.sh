#!/bin/sh
# Builds docs/ and the playground into dist/site with the programs of the folder that is given, and follows every link
# of what was built: to pages, places in them, pictures. Nothing is asked of another host.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tools=$(CDPATH='' cd -- "${1:?the folder of install.sh}" && pwd)
cd "$here/../.."

export NO_MKDOCS_2_WARNING=1 # it is about another release of another program
"$tools/bin/mkdocs" build --quiet --config-file packaging/site/mkdocs.yml
playground/build.sh dist/site/playground
"$tools/bin/lychee" --offline --no-progress --include-fragments --index-files index.html \
	--exclude-path 404.html 'dist/site/**/*.html' # that page is served for any address: its links begin at the host
