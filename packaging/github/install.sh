#!/usr/bin/env bash
# Puts headroom on the runner: one that is there, a release, or a build of the action's own source.
# Runs under the bash 3.2 of macOS and the Git bash of Windows.
set -euo pipefail

fail() {
	printf '::error title=headroom cannot be installed::%s\n' "$*"
	exit 2
}

given=${HEADROOM_BINARY:-}
version=${HEADROOM_VERSION:-}
ref=${HEADROOM_ACTION_REF:-}
url=${HEADROOM_DOWNLOAD_URL%/}
pinned=${HEADROOM_CHECKSUMS_SHA256:-}
target=$RUNNER_TEMP/headroom-program
executable=headroom
[ "$RUNNER_OS" != Windows ] || executable=headroom.exe

# is_release NAME: v1.2.3, v1.2.3-rc.1.
is_release() {
	[[ $1 =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]]
}

# Only https, for git and curl alike: what is downloaded is run, and its checksums come from the same place.
hold_to_https() {
	[[ $url =~ ^https:// || $url =~ ^http://127\.0\.0\.1:[0-9]+/ ]] ||
		fail "download-url is not https: $(printf %q "$url")"
}

# release_of REF: the release whose tag is on the commit that a moving tag (v1) or a commit names; nothing for others.
release_of() {
	GIT_ALLOW_PROTOCOL=https:http GIT_TERMINAL_PROMPT=0 git ls-remote --tags -- "$url" | HEADROOM_REF=$1 awk '
		{
			name = substr($2, length("refs/tags/") + 1)
			sub(/\^\{\}$/, "", name) # an annotated tag has a second line, with its commit
			commit[name] = $1
		}
		END {
			wanted = ENVIRON["HEADROOM_REF"]
			if (wanted in commit) wanted = commit[wanted]
			for (name in commit)
				# With a text on each side, since awk takes 12e45 and 13e45 for the same number.
				if (commit[name] "" == wanted "" && name ~ /^v[0-9]+\.[0-9]+\.[0-9]+$/) { print name; exit }
		}'
}

sum_of() {
	if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

fetch() {
	curl --fail --silent --show-error --location --proto-redir =https --retry 3 --max-time 300 --output "$2" -- "$1" ||
		fail "$1 could not be downloaded"
}

# download RELEASE: the archive of the runner's platform, held to the release's checksums.
download() {
	local os arch base name wanted kind=tar.gz
	case $RUNNER_OS in
	Linux) os=linux ;;
	macOS) os=darwin ;;
	Windows) os=windows kind=zip ;;
	*) fail "there is no release for $RUNNER_OS; give version: source, or binary" ;;
	esac
	case $RUNNER_ARCH in
	X64) arch=amd64 ;;
	ARM64) arch=arm64 ;;
	*) fail "there is no release for $RUNNER_ARCH; give version: source, or binary" ;;
	esac
	name=headroom_${os}_$arch.$kind
	base=$url/releases/download/$1
	[ "$1" != latest ] || base=$url/releases/latest/download
	# The tools of Git bash do not all know D:\… of Windows, so they work on names in this folder.
	mkdir -p "$target"
	cd "$target"
	fetch "$base/checksums.txt" checksums.txt
	if [ -n "$pinned" ] && [ "$(sum_of checksums.txt)" != "$pinned" ]; then
		fail "checksums.txt of $1 has the SHA-256 $(sum_of checksums.txt), not that of checksums-sha256"
	fi
	fetch "$base/$name" "$name"
	wanted=$(awk -v name="$name" '$2 == name || $2 == "*" name { print $1; exit }' checksums.txt)
	[ -n "$wanted" ] || fail "checksums.txt of $1 does not name $name"
	if [ "$(sum_of "$name")" != "$wanted" ]; then
		rm -f "$name"
		fail "$base/$name is not what checksums.txt says: a download that was cut short, or not the one released"
	fi
	# headroom-full comes along, which headroom starts for charts and clusters.
	if [ $kind = zip ]; then unzip -q -o "$name"; else tar -xzf "$name"; fi
	rm "$name"
}

# build compiles the action's own source, which is what a commit or a branch names.
build() {
	command -v go >/dev/null ||
		fail "${ref:-the action} is no release, and the runner has no Go to build it: name a release, uses: …@v1.2.3"
	mkdir -p "$target"
	# The job's own settings are for the job's own modules. An empty GOFLAGS would be that of `go env -w`.
	(cd "$GITHUB_ACTION_PATH" && GOFLAGS=-mod=readonly GOWORK=off GOOS='' GOARCH='' CGO_ENABLED=0 \
		go build -trimpath -buildvcs=false -o "$target/$executable" ./cmd/headroom) ||
		fail "its source could not be built"
}

# only_of_releases: what is pinned has to be a download.
only_of_releases() {
	[ -z "$pinned" ] || fail "checksums-sha256 is that of a release, and none is downloaded: name one in version"
}

if [ -n "$given" ]; then
	only_of_releases
	found=$(command -v -- "$given") || fail "binary: there is no $(printf %q "$given")"
	mkdir -p "$target"
	folder=$(cd "$(dirname "$found")" && pwd)
	# An earlier run of the action may have put the folder into PATH: the program is there already.
	if [ ! "$folder" -ef "$target" ]; then
		ln -sf -- "$folder/$(basename "$found")" "$target/$executable"
		# Behind the link it is found beside the program. Where a link is made as a copy, it has to be beside that.
		for full in "$folder"/headroom-full*; do
			[ ! -e "$full" ] || ln -sf -- "$full" "$target/"
		done
	fi
else
	[ "$version" = source ] || hold_to_https
	[ -n "$version" ] || ! is_release "$ref" || version=$ref
	if [ -z "$version" ] && [ -n "$ref" ]; then
		version=$(release_of "$ref") || fail "the releases at $url could not be listed; name one in version"
	fi
	[[ ! $version =~ ^[0-9] ]] || version=v$version
	case $version in
	latest) download latest ;;
	source | '')
		only_of_releases
		build
		;;
	*)
		is_release "$version" || fail "version is not v1.2.3, latest or source: $(printf %q "$version")"
		download "$version"
		;;
	esac
fi

"$target/$executable" version
printf 'binary=%s\n' "$target/$executable" >>"$GITHUB_OUTPUT"
printf '%s\n' "$target" >>"$GITHUB_PATH"
