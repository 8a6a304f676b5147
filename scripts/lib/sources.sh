# shellcheck shell=bash
# Which files are ours. Sourced after common.sh. Every list is separated by NUL, so that any name survives.
# shellcheck disable=SC2154 # common.sh sets root

# All files of the repository but hidden ones and those in hidden folders (.git, build folders), .ci excepted.
# Further arguments are tests of find.
repository_files() {
    find "$root" -mindepth 1 -name '.*' ! -name .ci -prune -o -type f "$@" -print0
}

# The Swift sources written by hand.
swift_sources() {
    repository_files -name '*.swift' ! -name '*.pb.swift' ! -name '*.generated.swift'
}

# The shell scripts: what says of itself, in its first lines, that it is one.
shell_scripts() {
    find "$root/scripts" "$root/.ci" -type f \
        -exec grep --files-with-matches --null --extended-regexp '^(#!.*bash|# shellcheck shell=)' {} +
}
