#!/bin/sh
# Installs programs that images put in front of java into .tools/wrappers/bin, without root and without touching the
# machine: packages of the Debian release that runs here, checked by apt's signatures. On another machine it says so,
# and tests/integration/launch starts those that the machine has. Running this again is quick: what is there stays.
set -eu
umask 022

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
target=${1:-$here/../../../.tools/wrappers}
packages='tini dumb-init catatonit busybox-static mksh ksh93u+m gosu runit daemontools numactl libnuma1 bubblewrap strace'

say() { printf 'wrappers: %s\n' "$*"; }

if [ -f "$target/installed" ] && [ "$(cat "$target/installed")" = "$packages" ]; then
	say "$packages (kept)"
	exit 0
fi
if ! grep -q '^ID=debian' /etc/os-release 2>/dev/null || ! command -v apt-get >/dev/null; then
	say "NOT INSTALLED: $packages: this is no Debian with apt-get" >&2
	exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/root" "$target/bin" "$target/lib"

# apt with its own state, so that neither root nor the machine's package lists are involved.
apt_get() {
	apt-get -q -o "Dir::State=$work" -o Dir::State::status=/dev/null -o "Dir::Cache=$work" \
		-o Acquire::Languages=none -o Acquire::Retries=2 -o APT::Sandbox::User= "$@" >>"$work/log" 2>&1
}

if ! apt_get update; then
	say "NOT INSTALLED: $packages: apt-get update: $(tail -n 1 "$work/log")" >&2
	exit 0
fi
for package in $packages; do
	if (cd "$work" && apt_get download "$package"); then
		dpkg-deb -x "$work/$package"_*.deb "$work/root"
	else
		say "NOT INSTALLED: $package: $(tail -n 1 "$work/log")" >&2
	fi
done
for program in tini tini-static dumb-init catatonit busybox mksh ksh93 gosu chpst envdir setuidgid softlimit numactl bwrap strace; do
	found=$(find "$work/root" -type f -perm -u+x -name "$program" | head -n 1)
	[ -z "$found" ] || cp "$found" "$target/bin/$program"
done
find "$work/root" -name 'libnuma.so*' -exec cp -P {} "$target/lib/" \;
printf '%s' "$packages" >"$target/installed"
say "$(ls "$target/bin" | tr '\n' ' ')"
