# shellcheck shell=bash disable=SC2154
# usage: scripts/torture crashes [option…]
#
# Crashes a server under load, and makes its disk fail; nothing acknowledged may be lost.
#
# Runs cases against fresh servers: kill -9 under load, losses of power that drop and reorder what was not synced, faults of
# SQLite's files, damaged, read-only and locked databases, a full disk, and an upgrade that is cut off. After each crash
# ordinary clients check that everything acknowledged is there and that durable events continue without a gap. A line per
# case shows the result: passed, FAILED, or skipped because this machine does not permit it.
#   --only NAME         runs one case; repeatable. An unknown name lists them all
#   --kills N           crashes by kill -9 (500)
#   --cuts N            losses of power (100)
#   --seed N            decides the moments of the crashes, and which sectors survive (1)
#   --binaries FOLDER   tests promised and promisectl in this folder instead of building them

options -- "$@"
most_words 0
ensure_python
ensure_packages gcc=gcc libc6-dev=libc6-dev libsqlite3-dev=sqlite3
release_binaries promised promisectl

say "crashing"
run_python crashes --binaries "$binaries" "$@"
