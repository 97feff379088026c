#!/usr/bin/env bash
# One run of headroom lint with all the outputs that GitHub has a place for. It fails only when it could not run;
# the verdict is the last step's, so that comment and upload come first.
# Runs under the bash 3.2 of macOS, to which an empty array is an unset variable, and the Git bash of Windows.
set -euo pipefail
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=packaging/github/base.sh
. "$here/base.sh"

work=${HEADROOM_WORKING_DIRECTORY:-.}
cd -- "$work" || fail "working-directory: there is no $(printf %q "$work")"

# GitHub counts paths from the root of the repository, so the run starts there, whatever working-directory says.
# Containers run as another user than the one who checked out, which git takes for an attack.
trust_checkout
prefix=
if root=$(git rev-parse --show-toplevel 2>/dev/null); then
	prefix=$(git rev-parse --show-prefix)
	cd -- "$root"
else
	root=$PWD
fi

# from_here PATH: the path as seen from the root.
from_here() {
	case $1 in
	/* | [A-Za-z]:[/\\]*) printf '%s' "$1" ;;
	. | ./) if [ -n "$prefix" ]; then printf '%s' "${prefix%/}"; else printf .; fi ;;
	./*) printf '%s%s' "$prefix" "${1#./}" ;;
	*) printf '%s%s' "$prefix" "$1" ;;
	esac
}

# Inputs are lists, a value a line. No shell reads a value, so that it needs no quotes and cannot run.
flags=()
paths=()
each() { # each WHAT TEXT
	local line
	while read -r line || [ -n "$line" ]; do
		line=${line%$'\r'}
		[ -n "$line" ] || continue
		case $1 in
		paths) paths+=("$(from_here "$line")") ;;
		args)
			case ${line%%[[:blank:]]*} in
			-*=* | "$line") flags+=("$line") ;;
			*) flags+=("${line%%[[:blank:]]*}" "$(trim "${line#*[[:blank:]]}")") ;;
			esac
			;;
		*) flags+=("--$1" "$(from_here "$line")") ;;
		esac
	done <<<"$2"
}
trim() {
	local text
	read -r text <<<"$1"
	printf '%s' "$text"
}
each helm-chart "${HEADROOM_HELM_CHART:-}"
each kustomize "${HEADROOM_KUSTOMIZE:-}"
each paths "${HEADROOM_PATHS:-}"
[ "${#flags[@]}" -gt 0 ] || [ "${#paths[@]}" -gt 0 ] || paths+=("$(from_here .)")
each args "${HEADROOM_ARGS:-}"
each baseline "${HEADROOM_BASELINE:-}"
case "${HEADROOM_IMAGES:-}" in
"" | false) ;;
true) flags+=(--images) ;;
*) flags+=("--images=$(from_here "$HEADROOM_IMAGES")") ;;
esac

config=${HEADROOM_CONFIG:-}
if [ -n "$config" ]; then
	flags+=(--config "$(from_here "$config")")
elif [ -n "$prefix" ]; then
	flags+=(--config "${prefix%/}") # the nearest to working-directory, which a pull request cannot move
fi

base=$(merged_into "${HEADROOM_HEAD:-}" "${HEADROOM_BASE:-}")
since=${HEADROOM_CHANGED_SINCE:-$base}
commit=
if [ -n "$since" ] && [ "$since" != all ]; then
	commit=$(reach "$since") || exit 2
	# pull_request_target checks out the base: a verdict on that would be green whatever the pull request holds.
	if [ -n "${HEADROOM_HEAD:-}" ] && [ "$commit" = "$(git rev-parse HEAD)" ] && [ -z "$(git status --porcelain)" ]; then
		fail 'what is checked out is the base of the pull request, so nothing of the pull request would be judged;' \
			'run on pull_request, not on pull_request_target'
	fi
	flags+=(--changed-since "$commit")
fi
# Rules that a pull request brings are in force once it is merged, not while it is judged.
case ${HEADROOM_CONFIG_FROM:-base} in
base)
	if [ -n "$base" ] && [ -z "$commit" ] && git rev-parse --quiet --verify HEAD >/dev/null 2>&1; then commit=$(reach "$base") || exit 2; fi
	[ -z "$commit" ] || flags+=(--config-from "$commit")
	;;
head) ;;
*) fail "config-from: $(printf %q "$HEADROOM_CONFIG_FROM") is neither base nor head" ;;
esac

out=$RUNNER_TEMP/headroom
rm -rf "$out"
mkdir -p "$out"
code=0
"$HEADROOM_BINARY" lint --no-progress --fail-on "${HEADROOM_FAIL_ON:-error}" ${flags[@]+"${flags[@]}"} \
	-o github -o "markdown=$out/headroom.md" -o "sarif=$out/headroom.sarif" -o "json=$out/headroom.json" \
	-- ${paths[@]+"${paths[@]}"} 2>"$out/stderr" || code=$?
quote "$out/stderr"

# Code scanning refuses a file of more results or of more bytes, packed.
upload=false
if [ "${HEADROOM_SARIF:-}" = true ] && [ -f "$out/headroom.sarif" ]; then
	upload=true
	results=$(grep -c '^ *"ruleId": ' "$out/headroom.sarif") || true
	bytes=$(gzip -c "$out/headroom.sarif" | wc -c)
	if [ "$results" -gt 25000 ] || [ "$bytes" -gt 10485760 ]; then
		upload=false
		echo "::warning title=headroom did not upload to code scanning::It takes 25000 results and 10 MiB, packed;" \
			"this run has $results in $((bytes)) bytes. Judge fewer folders a run, each run with its own category," \
			"or give a baseline. The findings are in the summary."
	fi
fi

{
	printf 'exit-code=%s\nroot=%s\nupload=%s\n' "$code" "$root" "$upload"
	if [ -f "$out/headroom.json" ]; then
		printf 'sarif-file=%s\nmarkdown-file=%s\njson-file=%s\n' \
			"$out/headroom.sarif" "$out/headroom.md" "$out/headroom.json"
		counts=$(sed -n '/^  "summary": {/,/^  }/s/^    "\([a-z]*\)": \([0-9]*\),\{0,1\}$/\1=\2/p' "$out/headroom.json")
		printf '%s\n' "$counts" | grep -E '^(errors|warnings|infos|problems)='
		found=false
		! printf '%s\n' "$counts" | grep -qE '^(errors|warnings|infos|problems)=[1-9]' || found=true
		printf 'found=%s\n' "$found"
	fi
} >>"$GITHUB_OUTPUT"

if [ -f "$out/headroom.md" ]; then
	cat "$out/headroom.md" >>"$GITHUB_STEP_SUMMARY"
else
	# Refused before anything was judged: a flag, the config, a baseline.
	printf '::error title=headroom did not run::%s\n' "$(escaped "$out/stderr")"
	printf '**headroom** did not run; the log of the step says why.\n' >>"$GITHUB_STEP_SUMMARY"
fi
