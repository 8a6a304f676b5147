# shellcheck shell=bash disable=SC2154
# usage: scripts/generate confusables
#
# Generates the table of look-alike letters for the comparison of nicknames, from the installed ICU.
#
# Writes Sources/PromisedStore/Values/NicknameSkeleton+Table.generated.swift from the data of Unicode Technical Standard #39.
# Another version of ICU has another table; stored names keep their old skeletons, so a new table needs a migration
# (docs/decisions/0030-unique-nickname-skeletons.md).

options -- "$@"
most_words 0
target="$root/Sources/PromisedStore/Values/NicknameSkeleton+Table.generated.swift"
ensure_python
ensure_packages libicu-dev=icu-i18n
fresh=$(mktemp)
trap 'rm -f -- "$fresh"' EXIT
python3 "$root/scripts/lib/confusables.py" >"$fresh" || fail "$exit_failed" "the table could not be generated"
cp -- "$fresh" "$target"
note "wrote ${target#"$root/"}"
