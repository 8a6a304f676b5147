# shellcheck shell=bash
# The suites of tests, by their declarations. Sourced after common.sh.
# shellcheck disable=SC2154 # common.sh sets root

# Prints the suites that have a tag, one per line, in the test runner's spelling: Target.Suite.
#   suites_tagged TAG
suites_tagged() {
    find "$root/Tests" "$root/Clients/Swift/Tests" -name '*.swift' -exec awk -v tag=".tags(.$1)" '
        /^@Suite/ { declaration = "@" }
        declaration != "" {
            declaration = declaration $0
            if (match($0, /(struct|class|enum|actor) [A-Za-z]+/)) {
                suite = substr($0, RSTART, RLENGTH)
                sub(/.* /, "", suite)
                target = FILENAME
                sub(/.*\/Tests\//, "", target)
                sub(/\/.*/, "", target)
                if (index(declaration, tag)) print target "." suite
                declaration = ""
            }
        }' {} + | sort
}
