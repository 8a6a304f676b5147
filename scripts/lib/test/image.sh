# shellcheck shell=bash disable=SC2154
# usage: scripts/test image [option…]
#
# Makes the container image of a release and tries it without a container daemon and without a network.
#
# Follows the README's commands from the image to a whole demo and a doctor without a failure; umoci unpacks it, runc runs it,
# behind a stand-in for docker (Tests/Release/docker). Tries the check of health, a read-only root, another user, an exchange
# of the container while a promise is under way, and SIGTERM. Prints sizes and times, and fails beyond their bounds. Takes
# root, and a quarter of an hour with the release.
#   --release DIR       tries the release in this folder instead of making one
#   --binaries FOLDER   makes it of the programs in this folder instead of building them
#   --base IMAGE        as in scripts/release (default here: debootstrap)
# shellcheck source=scripts/lib/roots.sh
source "$root/scripts/lib/roots.sh"

options -- "$@"
most_words 0
need_root
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
ensure_packages python3=none iproute2=none umoci=none runc=none

say "image test 1/2: release"
given_release "$work/release" --base "${option[base]:-debootstrap}"
[[ -n $(find "$release" -name 'promised_*_linux_*.oci.tar') ]] || fail "$exit_usage" "no image in $release"
say "image test 2/2: trying it"
try_release image "$release" || fail "$exit_failed" "the image does not do what it should"
say "the image works"
