# shellcheck shell=bash disable=SC2154
# usage: scripts/torture soak [option…]
#
# Attacks and crashes a server for an hour beside ordinary clients; they lose nothing and see nothing of others.
#
# Runs the attacks of scripts/torture hostile in random order against one server, which is killed at random moments and
# restarted on its data; during the middle third it is not. Beside that 26 ordinary clients live meetups, keep visits and
# files, and fall out with friends. The run fails if an acknowledged write is lost, a durable event is missed, doubled or
# changed, a position reaches a client that may not see it, or memory or open files grow.
#   --minutes N         how long it lasts (60); memory is compared from about ten on
#   --seed N            the order of attacks and acts (random, printed)
#   --lose-writes       puts older data in place at each crash, to see that the run then fails
#   --binaries FOLDER   uses promised in this folder instead of building it

options -- "$@"
most_words 0
ensure_python
ensure_packages protobuf-compiler=protobuf libprotobuf-dev=protobuf
release_binaries promised

say "abusing and crashing"
run_python soak --binaries "$binaries" "$@"
