# shellcheck shell=bash disable=SC2154
# usage: scripts/bench places [option…]
#
# Measures the directory of a million places, beside other stores of places.
#
# Imports invented places into a running server and prints a table: the import and other commits beside it, the start, and
# how long one connection waits for viewports, filters, the nearest places and texts. Afterwards it asks the same of SQLite's
# R*Tree and, where they are installed, of Redis and PostGIS.
#   --places N          number of places (1000000)
#   --queries N         queries of each kind (300)
#   --runs N            repetitions of the queries (3); the table has the median, and the smallest and greatest in brackets
#   --seed N            seed of the generator (1)
#   --binaries FOLDER   measures the programs in this folder instead of building them

options -- "$@"
most_words 0
ensure_python
release_binaries promised promisectl
run_python places --binaries "$binaries" "$@"
