# shellcheck shell=bash
# Shared by all scripts: the repository's root, messages, exit codes, builds. Sourced, never run.
# shellcheck disable=SC2034 # scripts that source this file use the variables

# The repository's root, without symbolic links, whatever folder the script was called from.
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)

# shellcheck source=scripts/lib/options.sh
source "$root/scripts/lib/options.sh"
# shellcheck source=scripts/lib/packages.sh
source "$root/scripts/lib/packages.sh"

# Exit codes, the same for every script.
readonly exit_failed=1   # a step failed; its own output says why
readonly exit_usage=2    # an option this script does not have
readonly exit_swift=3    # no Swift toolchain, or one that is too old
readonly exit_packages=4 # system packages are missing and cannot be installed from here

# The release build: optimised, with Swift's libraries linked statically. It has its own folder, so that a
# plain 'swift build -c release' and the scripts do not discard each other's work.
static_build=(swift build --package-path "$root" --scratch-path "$root/.build-release" --static-swift-stdlib
    --disable-local-rpath)
release_build=("${static_build[@]}" --configuration release)

# Announces a step, on standard error: standard output is for the programs that scripts start.
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

# Builds programs in release mode and sets $binaries to their folder.
#   build_release PRODUCT…
build_release() {
    local product
    for product in "$@"; do
        say "building $product (release; the first build takes several minutes)"
        "${release_build[@]}" --product "$product" >&2 || fail "$exit_failed" "the build failed"
    done
    binaries=$("${release_build[@]}" --show-bin-path)
}

# Sets $binaries to the folder that the option --binaries names, or to that of programs built in release mode.
#   release_binaries PRODUCT…
release_binaries() {
    if given_binaries; then return; fi
    "$root/scripts/setup"
    build_release "$@"
}

# Sets $binaries to the folder that the option --binaries names, or to that of a debug build. The option --no-build leaves
# the latter as it is.
debug_binaries() {
    if given_binaries; then return; fi
    if [[ -z ${option[no-build]:-} ]]; then
        "$root/scripts/setup"
        # Tests too, as scripts/test does: the products alone would be built with other options, and everything with them.
        say "building products and tests (debug; the first build takes several minutes)"
        swift build --package-path "$root" --build-tests >&2 || fail "$exit_failed" "the build failed"
    fi
    binaries=$(swift build --package-path "$root" --show-bin-path)
}

given_binaries() {
    binaries=${option[binaries]:-}
    [[ -z $binaries || -d $binaries ]] || fail "$exit_usage" "no such folder: $binaries"
    [[ -n $binaries ]]
}

# Ends this script and runs a module of our Python in its place.
#   run_python MODULE [argument…]
run_python() {
    # No compiled copies are left in the repository, by the processes that the module starts either.
    export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/Tests/Support/Python:$root/Tests/Support/Torture:$root/bench
    exec "$python" -m "$@"
}
