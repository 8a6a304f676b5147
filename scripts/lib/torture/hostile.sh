# shellcheck shell=bash disable=SC2154
# usage: scripts/torture hostile [option…]
#
# Attacks a server within its limits and measures the latency of ordinary clients.
#
# Runs each attack against a fresh server, with requests that participants, or an address without an account, may send.
# During each attack twelve ordinary clients report, request, read and commit; the table shows their latency (commits: p99 of
# requests that wait for the disk) and the attack's cost for the server. An attack also fails if the server closes the wrong
# connection, sends a frame of more than 262,144 bytes, or gives an unexpected answer.
#   --only NAME         runs one attack; repeatable. An unknown name lists them all
#   --seconds N         duration of each attack (10)
#   --runs N            runs of each attack; the table shows medians (1)
#   --bound MS          the highest p99 allowed for ordinary clients (50; 250 beside a hundred attackers)
#   --binaries FOLDER   attacks promised in this folder instead of building it

options -- "$@"
most_words 0
ensure_python
ensure_packages protobuf-compiler=protobuf libprotobuf-dev=protobuf
release_binaries promised

say "attacking"
run_python hostile --binaries "$binaries" "$@"
