# shellcheck shell=bash disable=SC2154
# usage: scripts/generate texts [--golden]
#
# Generates the tables of search keys from the Unicode data of the installed Python.
#
# Writes Sources/PromisedPlaces/Text/KeyTable.generated.swift.
#   --golden   writes nothing; prints the checksums of TextKeyTests, made with Python's own normalisation

options -- "$@"
most_words 0
readonly target="$root/Sources/PromisedPlaces/Text/KeyTable.generated.swift"
ensure_python
if [[ -n ${option[golden]:-} ]]; then
    exec "$python" "$root/scripts/lib/text_tables.py" --golden
fi
fresh=$(mktemp)
trap 'rm -f -- "$fresh"' EXIT
python3 "$root/scripts/lib/text_tables.py" >"$fresh" || fail "$exit_failed" "the tables could not be generated"
cp -- "$fresh" "$target"
note "wrote ${target#"$root/"}"
