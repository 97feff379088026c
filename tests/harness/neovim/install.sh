#!/bin/sh
# Unpacks Debian's Neovim and its libraries into a folder, for tests/integration/editor: packages of the Debian release
# that runs here, checked by apt's signatures, without root and without touching the machine. A Neovim of PATH is taken
# where there is one. On another machine it says so, and the test that needs it is skipped with that reason.
set -eu
umask 022

target=${1:?the folder to install into}

say() { printf 'neovim: %s\n' "$*"; }

mkdir -p "$target"
target=$(cd "$target" && pwd)
if [ -x "$target/nvim" ] && "$target/nvim" --version >/dev/null 2>&1; then # a folder that was moved is not kept
	say kept
	exit 0
fi
if found=$(command -v nvim); then
	ln -sf "$found" "$target/nvim"
	say "$found of PATH"
	exit 0
fi
if ! grep -q '^ID=debian' /etc/os-release 2>/dev/null || ! command -v apt-get >/dev/null; then
	say "NOT INSTALLED: no nvim on PATH, and this is no Debian with apt-get" >&2
	exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/root"

# apt with its own state, so that neither root nor the machine's package lists are involved. As far as its status knows
# nothing is installed, so that the libraries come with it.
apt_get() {
	apt-get -q -o "Dir::State=$work" -o Dir::State::status=/dev/null -o "Dir::Cache=$work" \
		-o Acquire::Languages=none -o Acquire::Retries=2 -o APT::Sandbox::User= "$@" >>"$work/log" 2>&1
}

if ! apt_get update || ! apt_get install -y --no-install-recommends --download-only neovim; then
	say "NOT INSTALLED: $(tail -n 1 "$work/log")" >&2
	exit 0
fi
for package in "$work"/archives/*.deb; do
	case ${package##*/} in
	libc6_* | libgcc* | gcc-*-base_* | libcrypt1_*) ;; # the machine's own go with its kernel and its loader
	*) dpkg-deb -x "$package" "$work/root" ;;
	esac
done
rm -rf "$target/root"
mv "$work/root" "$target/root"
libraries=$(dirname "$(find "$target/root/usr/lib" -name 'libluajit-5.1.so.2' | head -n 1)")
cat >"$target/nvim" <<END
#!/bin/sh
export LD_LIBRARY_PATH="$libraries"
export VIMRUNTIME="$target/root/usr/share/nvim/runtime"
exec "$target/root/usr/bin/nvim" "\$@"
END
chmod +x "$target/nvim"
say "$("$target/nvim" --version | head -n 1) of Debian"
