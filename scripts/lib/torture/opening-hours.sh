# shellcheck shell=bash disable=SC2154
# usage: scripts/torture opening-hours [--record]
#
# Compares the opening hours that the server reads with those of an independent implementation.
#
# Installs opening-hours-py from PyPI into a temporary virtual environment, lets it evaluate opening hours at 2,000 instants
# over two years, and runs the test that compares ours with the result (OpeningHoursAgreementTests). The texts are the examples
# in scripts/lib/hours_states.py and, where they are, those in ../shared/places/hours beside the repository.
#   --record   evaluates the examples alone, at fewer instants, and writes the result to
#              Tests/PromisedPlacesTests/Hours/RecordedOpeningStates.generated.swift, which the ordinary tests check

options -- "$@"
most_words 0
mode=${option[record]:+record}
table="$root/Tests/PromisedPlacesTests/Hours/RecordedOpeningStates.generated.swift"
library=opening-hours-py==2.1.4

folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
ensure_python
python3 -c 'import ensurepip' 2>/dev/null || install_packages python3-venv
say "installing $library"
if ! python3 -m venv "$folder/venv" || ! "$folder/venv/bin/pip" install --quiet "$library" tzdata >&2; then
    fail "$exit_failed" "$library could not be installed"
fi

say "evaluating opening hours with $library"
program=("$folder/venv/bin/python" -B "$root/scripts/lib/hours_states.py" "${mode:-compare}" --library "$library")
if [[ $mode == record ]]; then
    "${program[@]}" >"$folder/table" || fail "$exit_failed" "the states could not be evaluated"
    cp -- "$folder/table" "$table"
    note "wrote ${table#"$root/"}"
    exit
fi
"${program[@]}" --folder "$root/../shared/places/hours" >"$folder/states.json" ||
    fail "$exit_failed" "the states could not be evaluated"

say "comparing (the first build of the tests takes several minutes)"
OPENING_STATES="$folder/states.json" swift test --package-path "$root" --filter OpeningHoursAgreementTests >&2 ||
    fail "$exit_failed" "the states differ; the output above names the texts and the instants"
