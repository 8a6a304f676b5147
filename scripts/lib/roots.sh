# shellcheck shell=bash
# New Debian roots from this machine's mirror. Sourced after common.sh.
# shellcheck disable=SC2154 # common.sh sets the exit codes

# Makes a root with Debian's smallest set of packages, of this machine's release.
#   bootstrap FOLDER LOG
bootstrap() {
    local folder=$1 log=$2 release mirror
    ensure_packages debootstrap=none
    release=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
    # shellcheck disable=SC2016 # apt-get fills these in
    mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE)' | awk -v r="$release" '$2 == r {print $1; exit}')
    debootstrap --variant=minbase "$release" "$folder" ${mirror:+"$mirror"} >"$log" 2>&1 ||
        fail "$exit_failed" "debootstrap made no root:" "$(tail -n 5 "$log")"
}

# Ends the script unless this user may make roots and start programs in them.
need_root() {
    [[ $(id -u) == 0 ]] || fail "$exit_usage" "this test starts programs in new roots, which takes root"
}

# The release in the folder that the option --release names, or one made from the option --binaries; sets $release.
#   given_release FOLDER [option of scripts/release…]
given_release() {
    local folder=$1
    shift
    release=${option[release]:-}
    [[ -z $release || -d $release ]] || fail "$exit_usage" "no such folder: $release"
    [[ -z $release ]] || return 0
    release=$folder
    mkdir -- "$release"
    "$root/scripts/release" --output "$release" --asyncapi none \
        ${option[binaries]:+--binaries "${option[binaries]}"} "$@" >/dev/null
}

# Runs one of the programs in Tests/Release in a network of its own, in which there is nothing else.
#   try_release PROGRAM argument…
try_release() {
    local program=$1
    shift
    # Compiled copies would lie about in the repository.
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/Tests/Support/Python:$root/Tests/Support/Torture \
        unshare --mount --net -- bash -c 'ip link set lo up && exec "$@"' - \
        python3 "$root/Tests/Release/$program.py" "$@"
}
