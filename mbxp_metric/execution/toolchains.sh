#!/usr/bin/env bash
# Installs the compilers and interpreters of the 14 languages on Debian 12 (x86_64), from
# Debian packages and npm only. Safe to run again: what is there is skipped. A language
# that cannot be installed is reported at the end and stops nothing.
#   MBXP_TOOLCHAINS=/opt/mbxp-toolchains   what Debian does not package
#   MBXP_SWIFT=/opt/swift                  Swift; the path is written into its binaries
#   MBXP_WITHOUT="swift kotlin"            languages to leave out
set -uo pipefail
PREFIX=${MBXP_TOOLCHAINS:-/opt/mbxp-toolchains}
SWIFT=${MBXP_SWIFT:-/opt/swift}
WITHOUT=" ${MBXP_WITHOUT:-} "
export DEBIAN_FRONTEND=noninteractive
failures=()
say() { printf '[toolchains] %s\n' "$*"; }
wanted() { [[ $WITHOUT != *" $1 "* ]]; }
root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
  say "not root and no sudo without a password: nothing installed; 'mbxp doctor' tells what is missing"
  exit 0
fi
root mkdir -p "$PREFIX/bin"

# --- Debian packages: one call for all; one each if that fails ------------------
declare -A packages=(
  [sandbox]="gcc libc6-dev"
  [cpp]="g++ mold"
  [java]="default-jdk-headless"
  [perl]="perl libdata-compare-perl"
  [ruby]="ruby"
  [php]="php-cli"
  [go]="golang-go"
  [csharp]="mono-mcs mono-runtime libmono-system-core4.0-cil libmono-system-numerics4.0-cil
            libmono-microsoft-csharp4.0-cil libmono-system-net-http4.0-cil"
  [scala]="scala"
  [swift]="patchelf"
  [rust]="rustc"
)
command -v node >/dev/null && command -v npm >/dev/null || packages[javascript]="nodejs npm"
command -v javac >/dev/null && unset 'packages[java]'
command -v rustc >/dev/null && unset 'packages[rust]'
absent() { # the packages among the arguments that are not installed
  local package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || echo "$package"
  done
}
install() { root apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=600 "$@"; }
all=()
for language in "${!packages[@]}"; do
  # shellcheck disable=SC2206 # several words on purpose
  wanted "$language" && all+=(${packages[$language]})
done
mapfile -t missing < <(absent "${all[@]}")
if [ ${#missing[@]} -gt 0 ]; then
  say "Debian packages: ${missing[*]}"
  root apt-get update -q || say "apt-get update failed; trying with the lists at hand"
  if ! install "${missing[@]}"; then
    for language in "${!packages[@]}"; do
      wanted "$language" || continue
      # shellcheck disable=SC2046,SC2086
      missing_here=$(absent ${packages[$language]})
      [ -z "$missing_here" ] || install $missing_here || failures+=("$language")
    done
  fi
fi

# --- npm: TypeScript, lodash, the Kotlin compiler --------------------------------
npm_packages() {
  local want="typescript@5.9.3 lodash@4 kotlin-compiler@1.9.25" stamp
  stamp="$PREFIX/.npm-$(printf %s "$want" | cksum | cut -d' ' -f1)"
  [ -e "$stamp" ] && return 0
  say "npm packages: $want"
  [ -e "$PREFIX/package.json" ] || echo '{"private":true}' | root tee "$PREFIX/package.json" >/dev/null
  # shellcheck disable=SC2086
  (cd "$PREFIX" && root npm install --no-audit --no-fund --no-save --silent $want) || return 1
  root touch "$stamp"
}
launcher() { # NAME LINE: an executable of one line
  printf '#!/bin/sh\nexec %s "$@"\n' "$2" | root tee "$PREFIX/bin/$1" >/dev/null
  root chmod 755 "$PREFIX/bin/$1"
}
if npm_packages; then
  launcher kotlinc "bash '$PREFIX/node_modules/kotlin-compiler/bin/kotlinc'"
  launcher tsc "node '$PREFIX/node_modules/typescript/bin/tsc'"
else
  failures+=(javascript typescript kotlin)
fi

# --- Swift 6.0.3 from Debian 13, unpacked beside the system ----------------------
# Only unpacked, never installed: it brings its own C library and loader, and the
# system's packages stay as they are.
swift_unpacked() (
  set -euo pipefail
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work"/{lists/partial,archives/partial,debs,none}
  # the mirror that this machine already uses, with the newer suite
  uri=$(cat /etc/apt/sources.list.d/debian.sources 2>/dev/null | sed -n 's/^URIs: *//p' | head -1)
  [ -n "$uri" ] || uri=$(sed -n 's/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' /etc/apt/sources.list | head -1)
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri trixie main" >"$work/sources.list"
  apt=(-o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts="$work/none"
       -o Dir::State::lists="$work/lists" -o Dir::Cache::archives="$work/archives"
       -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root)
  apt-get -q "${apt[@]}" update
  debs=(swiftlang libswiftlang libc6 libc6-dev linux-libc-dev libcrypt1 libstdc++6
        libgcc-s1 libedit2 libbsd0 libmd0 libncurses6 libtinfo6 libsqlite3-0
        libuuid1 libxml2 libicu76 liblzma5 libzstd1 zlib1g libgcc-14-dev libstdc++-14-dev)
  (cd "$work/debs" && apt-get -q "${apt[@]}" download "${debs[@]/%//trixie}")
  mkdir -p "$SWIFT"
  # what only an editor, a debugger or a package build would use is left out
  left_out=(--exclude='*/liblldb.so*' --exclude='*/libsourcekitdInProc.so' --exclude='*/libLTO.so*'
            --exclude='*/lib/swift/embedded' --exclude='*/lib/swift_static'
            --exclude='*/FrameworkABIBaseline' --exclude='./usr/share/doc'
            --exclude='./usr/share/man' --exclude='./usr/share/locale')
  for tool in lldb lldb-server lldb-dap lldb-argdumper clangd docc sourcekit-lsp swift-package \
              swift-format llvm-cov llvm-profdata; do
    left_out+=(--exclude="*/libexec/swift/bin/$tool")
  done
  for deb in "$work"/debs/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$SWIFT" --keep-directory-symlink "${left_out[@]}"
  done
  libraries="$SWIFT/usr/lib/x86_64-linux-gnu" compiler="$SWIFT/usr/libexec/swift"
  # Swift's linker takes this folder for the system's root
  [ -e "$SWIFT/lib" ] || ln -s usr/lib "$SWIFT/lib"
  mkdir -p "$SWIFT/lib64"
  ln -sfn ../usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 "$SWIFT/lib64/ld-linux-x86-64.so.2"
  for binary in swift-frontend swift-driver clang-17 lld; do
    patchelf --set-interpreter "$libraries/ld-linux-x86-64.so.2" --force-rpath \
      --set-rpath "$(patchelf --print-rpath "$compiler/bin/$binary"):$libraries" "$compiler/bin/$binary"
  done
  # Swift's own libraries look beside themselves: the newer C and C++ libraries go there
  for file in "$libraries"/lib{c,m,mvec,pthread,dl,rt,util,resolv}.so.* "$libraries"/libstdc++.so.6 \
      "$libraries"/libgcc_s.so.1 "$libraries"/lib{z,zstd,uuid}.so.1 "$libraries"/libxml2.so.2; do
    [ -e "$file" ] && ln -sf "$file" "$compiler/lib/swift/linux/"
  done
  touch "$SWIFT/.complete"
)
if wanted swift; then
  if [ ! -e "$SWIFT/.complete" ]; then
    say "Swift into $SWIFT"
    if [ "$(id -u)" = 0 ]; then swift_unpacked; else say "Swift needs root"; false; fi || failures+=(swift)
  fi
  if [ -e "$SWIFT/.complete" ]; then
    launcher swiftc "'$SWIFT/usr/libexec/swift/bin/swiftc' -sdk '$SWIFT' -use-ld=lld -Xlinker --dynamic-linker='$SWIFT/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2'"
  fi
fi

if [ ${#failures[@]} -gt 0 ]; then
  say "could not be installed: ${failures[*]} (the other languages work; 'mbxp doctor' tells more)"
else
  say "all languages installed"
fi
