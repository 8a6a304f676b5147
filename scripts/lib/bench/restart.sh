# shellcheck shell=bash disable=SC2154
# usage: scripts/bench restart [--things | option…]
#
# Measures a restart of a server with as much stored data as the limits allow.
#
# Creates a promise with an open window and the maximum number of positions for its participants, restarts the server, and
# prints as JSON the time and memory until everything is restored, with and without positions. docs/performance.md shows
# the results.
#   --fixes N           positions per participant (30000, the default of limits.kept-fixes)
#   --late              sends the oldest positions last, so that the server processes all of them twice
#   --participants N    people per promise (1; at most 50)
#   --promises N        promises of the same people (1; at most 100)
#   --events N          durable events per promise (default: those it has); needs two people
#   --sessions N        sign-in sessions per person (1)
#   --things            instead, fills a database with each thing that clients can make last, one after the other, and
#                       prints a table of what a start takes; docs/performance.md shows it
#   --only THING        with --things: one thing; repeatable. An unknown name lists them all
#   --binaries FOLDER   measures the programs in this folder instead of building them

options -- "$@"
most_words 0
module=restart
ensure_python
if [[ -n ${option[things]:-} ]]; then
    module=cost.restarts
    ensure_packages protobuf-compiler=protobuf libprotobuf-dev=protobuf
fi
release_binaries promised
run_python "$module" --binaries "$binaries" "$@"
