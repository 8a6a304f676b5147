# shellcheck shell=bash disable=SC2154
# usage: scripts/package test [--unpack] [--lib DIR] [PACKAGE]
#
# Installs a package in a new Debian root, runs it there and removes it.
#
# Tests PACKAGE, or builds one (scripts/package build) and tests that. Runs lintian, installs the package with its dependencies
# in a new Debian root by the README's command, starts the server with the installed configuration, checks /healthz, the page
# and promisectl doctor, stops the server, runs a whole demo by the README's command without a network, and removes and purges
# the package. The new root comes from this machine's apt mirror. The script leaves nothing running, mounted or installed.
#   --unpack    unpacks the package into a folder and starts the server from there, as without root rights
#   --lib DIR   additional shared libraries, if the Swift runtime is not linked in
# shellcheck source=scripts/lib/roots.sh
source "$root/scripts/lib/roots.sh"

options -- "$@"
most_words 1
unpack=${option[unpack]:-no} libraries=${option[lib]:-} package=${words[0]:-}
[[ $(id -u) == 0 ]] || unpack=yes

# The mounts below the new root end with this name space, whatever happens.
if [[ $unpack == no && -z ${PROMISED_OWN_MOUNTS:-} ]]; then
    export PROMISED_OWN_MOUNTS=yes
    exec unshare --mount -- "$0" test ${libraries:+--lib "$libraries"} ${package:+"$package"}
fi

work=$(mktemp -d)
readonly below=$work/root
server=
tidy() {
    [[ -z $server ]] || kill -KILL "$server" 2>/dev/null || true
    umount --recursive "$below/proc" 2>/dev/null || true
    rm -rf -- "$work"
}
trap tidy EXIT

# Runs an installed program where it was installed.
inside() {
    if [[ $unpack == yes ]]; then
        local program=$1
        shift
        LD_LIBRARY_PATH=$libraries "$below$program" "$@"
    else
        LD_LIBRARY_PATH=${libraries:+/opt/lib} chroot "$below" "$@"
    fi
}

# The paths of an installed server, as this process has to name them to it.
place() {
    if [[ $unpack == yes ]]; then printf '%s%s' "$below" "$1"; else printf '%s' "$1"; fi
}

run_lintian() {
    local report
    ensure_packages lintian=none
    # Programs that need libraries besides say where from, which lintian would not have.
    if ! report=$(lintian --fail-on error ${libraries:+--suppress-tags custom-library-search-path} "$package" 2>&1); then
        fail "$exit_failed" "lintian finds errors:" "$(grep '^E:' <<<"$report")"
    fi
    note "lintian: no error, $(grep -c '^W:' <<<"$report" || true) warnings"
}

make_root() {
    bootstrap "$below" "$work/log"
    mountpoint -q "$below/proc" || mount -t proc proc "$below/proc"
    # As this machine reaches its mirror.
    cp -- /etc/resolv.conf "$below/etc/resolv.conf"
    cp -- /etc/apt/apt.conf.d/* "$below/etc/apt/apt.conf.d/" 2>/dev/null || true
    printf '%s\n' 'APT::Get::Assume-Yes "true";' 'APT::Install-Recommends "false";' \
        >"$below/etc/apt/apt.conf.d/promised-test"
}

# The README's command with these words, as it stands there.
readme_command() {
    PYTHONDONTWRITEBYTECODE=1 python3 "$root/Tests/Release/trial.py" Package | grep -F -- "$1" ||
        fail "$exit_failed" "the README installs no package with $1"
}

install_package() {
    cp -- "$package" "$below/tmp/"
    [[ -z $libraries ]] || { mkdir -p "$below/opt/lib" && cp -L -- "$libraries"/*.so* "$below/opt/lib/"; }
    chroot "$below" sh -c "cd /tmp && apt-get update && $(readme_command 'apt-get install')" >"$work/log" 2>&1 ||
        fail "$exit_failed" "it cannot be installed:" "$(tail -n 15 "$work/log")"
    chroot "$below" getent passwd promised >/dev/null || fail "$exit_failed" "there is no system user"
    [[ $(chroot "$below" stat -c '%U %a' /var/lib/promised) == 'promised 700' ]] ||
        fail "$exit_failed" "/var/lib/promised does not belong to the system user"
}

# Starts the server as its user where there is one; sets port.
start_server() {
    local options=(serve --config "$(place /etc/promised/promised.yaml)" --data "$(place /var/lib/promised)"
        --listen 127.0.0.1:0)
    if [[ $unpack == yes ]]; then
        # In place of the subshell, so that it is the server that gets signals.
        (LD_LIBRARY_PATH=$libraries exec "$below/usr/bin/promised" "${options[@]}") >"$work/said" 2>"$work/log" &
    else
        LD_LIBRARY_PATH=${libraries:+/opt/lib} chroot --userspec=promised:promised "$below" \
            /usr/bin/promised "${options[@]}" >"$work/said" 2>"$work/log" &
    fi
    server=$!
    for ((tries = 0; tries < 300; tries++)); do
        [[ -s $work/said ]] && break
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    port=$(sed -n 's/^listening on .*:\([0-9]*\)$/\1/p' "$work/said")
    [[ -n $port ]] || fail "$exit_failed" "the server does not listen:" "$(cat "$work/log")"
}

get() {
    curl --fail --silent --show-error --max-time 10 --noproxy '*' "http://127.0.0.1:$port$1" ||
        fail "$exit_failed" "$1 is not answered"
}

# The presets and the categories of the package are those that the programs read, and the bill of materials is whole.
try_files() {
    local preset name
    for name in '"name": "swift-nio-ssl"' '"name": "libwebsockets'; do
        grep -q "$name" "$below/usr/share/doc/promised/promised.spdx.json" ||
            fail "$exit_failed" "the bill of materials lacks a linked package or a loaded library"
    done
    inside /usr/bin/promisectl place categories --file "$(place /usr/share/promised/categories.yaml)" >/dev/null ||
        fail "$exit_failed" "the categories of the package are invalid"
    for preset in "$root"/config/places/*.yaml; do
        cmp --silent "$preset" "$below/usr/share/promised/places/${preset##*/}" ||
            fail "$exit_failed" "the package lacks the preset ${preset##*/}"
    done
}

try_server() {
    start_server
    note "listening on port $port"
    get /healthz >/dev/null
    get / | cmp --silent - "$below/usr/share/promised/page/index.html" || fail "$exit_failed" "/ is not the page"
    inside /usr/bin/promisectl doctor --url "ws://127.0.0.1:$port/ws" \
        --token-file "$(place /var/lib/promised/admin.token)" >&2 || fail "$exit_failed" "the doctor finds something"
    kill -TERM "$server"
    wait "$server" || fail "$exit_failed" "the server did not stop cleanly:" "$(tail -n 5 "$work/log")"
    server=
}

# A whole demo, by the README's command, in a network of its own.
try_demo() {
    local command start=$EPOCHSECONDS
    command=$(readme_command 'promised demo')
    LD_LIBRARY_PATH=${libraries:+/opt/lib} unshare --net -- bash -c 'ip link set lo up && exec "$@"' - \
        chroot --userspec=nobody:nogroup "$below" sh -c "cd /tmp && $command" >"$work/log" 2>&1 ||
        fail "$exit_failed" "the demo fails:" "$(tail -n 15 "$work/log")"
    grep -q no-show "$work/log" || fail "$exit_failed" "the demo prints no table:" "$(tail -n 15 "$work/log")"
    note "a whole demo: $((EPOCHSECONDS - start)) s"
}

remove_package() {
    chroot "$below" apt-get remove --yes promised >"$work/log" 2>&1 || fail "$exit_failed" "it cannot be removed"
    [[ -e $below/etc/promised/promised.yaml && -e $below/var/lib/promised/promised.sqlite ]] ||
        fail "$exit_failed" "removing the package deleted the configuration or the data"
    chroot "$below" apt-get purge --yes promised >"$work/log" 2>&1 || fail "$exit_failed" "it cannot be purged"
    local path
    for path in /usr/bin/promised /etc/promised /var/lib/promised /usr/share/promised; do
        [[ ! -e $below$path ]] || fail "$exit_failed" "purging it left $path"
    done
}

if [[ -z $package ]]; then
    package=$("$root/scripts/package" build --output "$work")
fi
[[ -f $package ]] || fail "$exit_usage" "no such package: $package"

say "package test 1/3: lintian"
run_lintian
ensure_packages curl=none python3=none iproute2=none
if [[ $unpack == yes ]]; then
    say "package test 2/3: unpacking"
    dpkg-deb --extract "$package" "$below"
    mkdir -p "$below/var/lib"
    say "package test 3/3: running"
    try_files
    try_server
else
    say "package test 2/3: installing into a new Debian root (takes some minutes)"
    make_root
    install_package
    say "package test 3/3: running and removing"
    try_files
    try_server
    try_demo
    remove_package
fi
say "the package works"
