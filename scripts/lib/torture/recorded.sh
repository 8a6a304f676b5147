# shellcheck shell=bash disable=SC2154
# usage: scripts/torture recorded [option…]
#
# Plays conversations that clients of earlier versions had to the present server.
#
# Plays the recordings of Tests/Recorded, in JSON and in Protocol Buffers: the frames of then are sent, and each reply and
# durable event of then must come, with at least its fields. Takes a quarter of a minute; scripts/test runs it at its end. A
# recording is never changed.
#   --record FOLDER     instead, records the conversation of today in a new folder of Tests/Recorded
#   --binaries FOLDER   plays to promised in this folder instead of building it (debug)

options -- "$@"
most_words 0
ensure_python
[[ -z ${option[record]:-} ]] || ensure_packages protobuf-compiler=protobuf libprotobuf-dev=protobuf
debug_binaries

say "playing recorded conversations"
run_python recorded --binaries "$binaries" "$@"
