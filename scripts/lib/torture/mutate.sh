# shellcheck shell=bash disable=SC2154
# usage: scripts/torture mutate [option…]
#
# Breaks each rule and each row of the protocol in a copy, and expects the tests that prove it to fail.
#
# Copies the sources to .build-mutate, breaks every rule of docs/coverage.md and every row of the protocol there
# (Tests/Mutations/*.txt), builds the copy once, and for each mutation runs the tests that name its row (scripts/generate
# coverage ROW): at least one must fail. A crash or a hang also counts. Prints a line per mutation: the row, the broken rule,
# the test that failed. The first build takes as long as that of the tests, the runs half an hour on two cores. Tests/Mutations/README.md describes the format of the lists.
#   --row ROW    only the mutations of this row, such as 5.9; repeatable
#   --list       lists the mutations without running them
#   --check      only checks that every mutation still matches the sources; takes a second
#   --no-build   uses the copy as it was last built

options -- "$@"
most_words 0
ensure_python
[[ -n ${option[list]:-}${option[check]:-} ]] || "$root/scripts/setup"
exec "$python" -B "$root/Tests/Mutations/mutate.py" "$@"
