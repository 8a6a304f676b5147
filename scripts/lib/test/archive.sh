# shellcheck shell=bash disable=SC2154
# usage: scripts/test archive [option…]
#
# Makes the archive of a release and tries it in roots without Swift and without a network.
#
# Follows the README's commands from the archive to a whole demo and a doctor without a failure, as a user without rights in a
# folder with a blank in its name, in a new Debian root from this machine's apt mirror; then from a read-only folder, and in a
# root with nothing but the C and C++ libraries. Prints sizes and times, and fails beyond their bounds. Takes root, and ten
# minutes with the release.
#   --release DIR       tries the release in this folder instead of making one
#   --binaries FOLDER   makes it of the programs in this folder instead of building them
#   --root DIR          in this root, which may be of another system, instead of a new one; files are left in it
# shellcheck source=scripts/lib/roots.sh
source "$root/scripts/lib/roots.sh"

options -- "$@"
most_words 0
need_root
# The mounts in the roots end with this name space, whatever happens.
if [[ -z ${PROMISED_OWN_MOUNTS:-} ]]; then
    export PROMISED_OWN_MOUNTS=yes
    exec unshare --mount -- "$0" archive "$@"
fi
work=$(mktemp -d)
trap 'umount --lazy "$work/root/proc" 2>/dev/null || true; rm -rf -- "$work"' EXIT
ensure_packages python3=none iproute2=none

say "archive test 1/3: release"
given_release "$work/release" --no-image
archive=$(find "$release" -name 'promised_*_linux_*.tar.gz')
[[ -f $archive ]] || fail "$exit_usage" "no archive in $release"
say "archive test 2/3: a new root"
below=${option[root]:-$work/root}
[[ -n ${option[root]:-} ]] || bootstrap "$below" "$work/log"
say "archive test 3/3: trying it"
unset PROMISED_OWN_MOUNTS
try_release archive "$archive" "$below" || fail "$exit_failed" "the archive does not do what it should"
say "the archive works"
