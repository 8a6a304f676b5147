# shellcheck shell=bash disable=SC2154
# usage: scripts/generate coverage [--check] [ROW…]
#
# Prints each rule, row of the protocol and threat with the tests that prove it.
#
# Rules are those of docs/coverage.md, threats those of docs/threat-model.md; the tests name them. With ROW, such as 5.4, subscribe or slow-loris, prints these rows alone.
#   --check   prints no list; fails if a row has no test, or a mark names no row or belongs to no test

options -- "$@"
ensure_python
arguments=("${words[@]}")
[[ -z ${option[check]:-} ]] || arguments=(--check "${arguments[@]}")
exec "$python" -B "$root/scripts/lib/coverage.py" "${arguments[@]}"
