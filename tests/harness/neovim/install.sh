#!/usr/bin/env bash
# Unpacks Debian's Neovim, 0.7.2 of bookworm, and its libraries into a folder, for tests/integration/editor. A Neovim of
# PATH is taken where there is one. Without either the folder stays empty, and the test says so.
set -euo pipefail

folder=${1:?the folder to install into}
packages=(neovim neovim-runtime libluajit-5.1-2 libluajit-5.1-common libmsgpackc2 libtermkey1 libtree-sitter0 libunibilium4
  libuv1 libvterm0 lua-luv)

mkdir -p "$folder"
if [ -x "$folder/nvim" ]; then
  echo "neovim: kept"
  exit
fi
if found=$(command -v nvim); then
  ln -sf "$found" "$folder/nvim"
  echo "neovim: $found of PATH"
  exit
fi
if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
  echo "neovim: no nvim on PATH, and no apt-get: tests with it are skipped" >&2
  exit
fi
root=$(cd "$folder" && pwd)/root
mkdir -p "$root/packages"
cd "$root/packages"
apt-get download -qq "${packages[@]}"
for package in *.deb; do
  dpkg -x "$package" "$root"
done
cd "$root"
rm -r "$root/packages"
cat >"$folder/nvim" <<END
#!/bin/sh
export LD_LIBRARY_PATH="$root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo "$(uname -m)-linux-gnu")"
export VIMRUNTIME="$root/usr/share/nvim/runtime"
exec "$root/usr/bin/nvim" "\$@"
END
chmod +x "$folder/nvim"
echo "neovim: $("$folder/nvim" --version | head -1) of Debian"
