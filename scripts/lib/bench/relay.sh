# shellcheck shell=bash disable=SC2154
# usage: scripts/bench relay [option…]
#
# Compares the server with a bare relay and writes the results to docs/performance.md.
#
# Builds promised, promise-load and the relay (bench/relay, C), runs them alternately several times, and writes medians and
# spread, with a chart.
#   --runs N            number of interleaved runs (3)
#   --connections A,B   numbers of connections (1000,5000,10000,19000)
#   --duration D        measured time of each run (60s)
#   --warm-up D         time before the measurement of each run (15s)
#   --keep FILE         records each run in FILE; a later call with the same file continues from there
#   --quick             100 and 500 connections, 10s each, one run; prints the result and does not change the documents
#   --output DIR        writes table and chart to DIR instead of docs
#   --binaries FOLDER   measures the programs in this folder; does not change the documents

options -- "$@"
most_words 0
ensure_packages libev-dev=libev
ensure_python
release_binaries promised promise-load

say "building the bare relay"
relay=$root/.build-release/bare-relay
mkdir -p -- "$root/.build-release"
"${CC:-cc}" -O2 -Wall -Wextra -o "$relay" "$root/bench/relay/relay.c" -lwebsockets -lev ||
    fail "$exit_failed" "the relay could not be built"
documents=(--docs "$root/docs")
[[ -z ${option[binaries]:-} ]] || documents=()
run_python bench --binaries "$binaries" --relay "$relay" "${documents[@]}" "$@"
