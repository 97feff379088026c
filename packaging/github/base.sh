# What lint.sh says, and how it reaches the commit that a pull request is compared with. Sourced.
# shellcheck shell=bash

fail() {
	printf '::error title=headroom did not run::%s\n' "$*" >&2
	printf 'exit-code=2\n' >>"$GITHUB_OUTPUT"
	exit 2
}

# quote FILE prints a file in which the runner must see no commands: it may hold names from a pull request.
quote() {
	[ -s "$1" ] || return 0
	local token
	token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	printf '::stop-commands::%s\n' "$token"
	cat "$1"
	printf '::%s::\n' "$token"
}

# escaped FILE prints a file as the text of one annotation.
escaped() {
	tr -d '\r' <"$1" | awk '{ gsub(/%/, "%25"); printf "%s%s", (NR > 1 ? "%0A" : ""), $0 }'
}

# trust_checkout lets git work in a folder of another user's, and run nothing that the tree names: no hooks, no monitor,
# no attributes, no repository inside the tree, no submodules. What the job has told git through its environment stays.
trust_checkout() {
	local n=${GIT_CONFIG_COUNT:-0} setting
	for setting in 'safe.directory=*' safe.bareRepository=explicit core.fsmonitor=false core.hooksPath=/dev/null \
		core.attributesFile=/dev/null diff.external= submodule.recurse=false fetch.recurseSubmodules=false; do
		export "GIT_CONFIG_KEY_$n=${setting%%=*}" "GIT_CONFIG_VALUE_$n=${setting#*=}"
		n=$((n + 1))
	done
	export GIT_CONFIG_COUNT=$n GIT_ATTR_NOSYSTEM=1
}

# merged_into HEAD BASE: what a pull request changes is what its merge commit, which GitHub checks out, changes in
# its first parent. BASE, from the event, may be older than that parent. Raw, since a shallow clone hides parents.
merged_into() {
	local parents
	parents=$(git cat-file commit HEAD 2>/dev/null | sed -n -e '/^$/q' -e 's/^parent //p') || true
	case $parents in
	*$'\n'"${1:-none}") printf '%s' "${parents%%$'\n'*}" ;;
	*) printf '%s' "$2" ;;
	esac
}

# reach REF prints its commit, and fetches what a shallow clone lacks of the history between it and HEAD.
reach() {
	local commit depth=32 help
	help='set fetch-depth: 0 at actions/checkout, or changed-since: all with config-from: head'
	case $1 in
	-* | *:* | +*) fail "changed-since: $(printf %q "$1") is no commit and no branch" ;;
	esac
	if ! commit=$(git rev-parse --quiet --verify "$1^{commit}"); then
		fetch_some "$1" --depth=1 || fail "changed-since: $(printf %q "$1") is not here and cannot be fetched; $help"
		commit=$(git rev-parse --verify 'FETCH_HEAD^{commit}')
	fi
	until git merge-base "$commit" HEAD >/dev/null 2>&1; do
		[ "$(git rev-parse --is-shallow-repository)" = true ] ||
			fail "changed-since: $(printf %q "$1") and what is checked out have no commit in common"
		fetch_some "$(git rev-parse HEAD)" --deepen=$depth "$commit" || git fetch --quiet --no-tags --unshallow >&2 ||
			fail "changed-since: the history back to $(printf %q "$1") cannot be fetched; $help"
		depth=$((depth * 4))
	done
	printf '%s' "$commit"
}

# fetch_some REF DEPTH [REF]: with a depth only where the clone is shallow already, or it would become so.
fetch_some() {
	local depth=()
	[ "$(git rev-parse --is-shallow-repository)" != true ] || depth=("$2")
	git fetch --quiet --no-tags ${depth[@]+"${depth[@]}"} origin "$1" ${3+"$3"} >&2
}
