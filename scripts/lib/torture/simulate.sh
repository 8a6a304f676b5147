# shellcheck shell=bash disable=SC2154
# usage: scripts/torture simulate [--seeds N] [--from S] [option…]
#
# Lives random meetups in a simulated world, on all processors.
#
# Lives the stories of N seeds from S on, divided among the processors. After each thing that happens the invariants of
# the world are checked. The first seed that breaks one is shrunk to its shortest story, printed as JSON: keep it in
# Tests/PromisedWorldTests/Stories.
#   --seeds N           how many stories (20000)
#   --from S            the first seed (1)
#   --binaries FOLDER   uses promise-simulate in this folder instead of building it
# The script passes other options to promise-simulate; 'promise-simulate --help' lists them.

options --more -- "$@"
seeds=${option[seeds]:-20000} from=${option[from]:-1}
[[ $seeds =~ ^[1-9][0-9]*$ ]] || fail "$exit_usage" "--seeds needs a positive number, not '$seeds'"
[[ $from =~ ^[0-9]+$ ]] || fail "$exit_usage" "--from needs a number, not '$from'"
release_binaries promise-simulate

# A process keeps some memory of each story, so each lives a bounded number of them.
readonly per_process=2000
say "$seeds seeds from $from, on $(nproc) processors"

# Prints the first seed and the number of seeds of each process.
shares() {
    local first left
    for ((first = from; first < from + seeds; first += per_process)); do
        left=$((from + seeds - first))
        printf '%d %d\n' "$first" "$((left < per_process ? left : per_process))"
    done
}

# Lives the stories of one share: live PROGRAM OPTIONS FIRST COUNT. 255 makes xargs start no more.
live() {
    # The options have no spaces in them.
    # shellcheck disable=SC2086
    "$1" $2 --from "$3" --seeds "$4" || exit 255
}
export -f live

shares | xargs -P "$(nproc)" -L 1 bash -c 'live "$@"' live "$binaries/promise-simulate" "${words[*]:-}" ||
    exit "$exit_failed"
