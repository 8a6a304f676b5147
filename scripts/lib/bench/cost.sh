# shellcheck shell=bash disable=SC2154
# usage: scripts/bench cost [option…]
#
# Searches the dearest input of each request, and measures what it costs the server.
#
# Fills a database up to the limits of docs/limits.md, and searches, for each request in each encoding, the input within all
# limits that costs the server most: at random at first, then by small changes of the dearest. The table shows the median of
# seven repeats of the dearest one: processor time of the process and of the service thread, and memory beyond the reply.
# docs/performance.md explains it.
#   --only REQUEST            one request, such as "listVisits", "admin listUsers" or "pages"; repeatable. An unknown name
#                             lists them all
#   --seconds-per-request N   how long inputs are searched, in each encoding (3)
#   --seed N                  another search (1)
#   --encoding NAME           json, protobuf or both (both)
#   --places N                places of the directory (1000000)
#   --world FOLDER            keeps the filled database in a new folder, or uses one that an earlier run kept
#   --json FILE               writes the rows as JSON as well
#   --binaries FOLDER         measures the programs in this folder instead of building them
#
# exit codes: 0 all requests stayed within their bounds, 1 one did not, or the build failed, 2 usage; while setting up,
#             those of scripts/setup

options -- "$@"
most_words 0
ensure_python
ensure_packages protobuf-compiler=protobuf libprotobuf-dev=protobuf
release_binaries promised
run_python cost --binaries "$binaries" "$@"
