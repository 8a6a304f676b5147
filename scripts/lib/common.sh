# shellcheck shell=bash
# What all scripts share: where the repository is, how they speak, how they end. Sourced, never run.
# shellcheck disable=SC2034 # what is set here is read by those who source it

# The repository's root, without symbolic links, whatever folder the script was called from.
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)

# Exit codes, the same for every script.
readonly exit_failed=1   # a step failed; its own output says why
readonly exit_usage=2    # an option this script does not have
readonly exit_swift=3    # no Swift toolchain, or one that is too old
readonly exit_packages=4 # system packages are missing and cannot be installed from here

# How programs for use are built: with Swift's libraries inside (decision 0020). Whoever builds otherwise in the same
# folder has everything compiled anew.
release_build=(swift build --package-path "$root" --configuration release --static-swift-stdlib)

# Announces a step. Scripts speak on standard error, so that standard output belongs to what they start.
say() {
    printf '==> %s\n' "$*" >&2
}

# Adds a detail to the step announced last.
note() {
    printf '    %s\n' "$*" >&2
}

# Ends the script: fail CODE SENTENCE [DETAIL…]. Each further argument is printed on a line of its own.
fail() {
    local code=$1
    printf 'error: %s\n' "$2" >&2
    shift 2
    local detail
    for detail in "$@"; do
        printf '       %s\n' "$detail" >&2
    done
    exit "$code"
}

# Ends the script because of an argument it does not know.
fail_usage() {
    fail "$exit_usage" "unknown argument: $1" "'scripts/$(basename -- "$0") --help' lists what there is"
}
