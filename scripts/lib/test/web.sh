# shellcheck shell=bash disable=SC2154
# usage: scripts/test web [option…]
#
# Tests the web page in headless Chromium, with screenshots and axe-core.
#
# Builds promised (debug) and tests its web page: first each module, then meetups. The script writes screenshots to the folder
# PROMISED_SHOTS, by default .build/web-tests/shots. apt-get installs Chromium, its driver, Selenium, websockets, Leaflet and a
# Korean font if they are missing, pip installs axe-core.
#   --measure    instead measures the page while its map is panned over ten thousand places, and with fifty participants who
#                report once a second; a number behind it is the seconds of each (60)
#   --pictures FOLDER   instead makes pictures of every screen, 360 and 1280 pixels wide, in English and Korean, light and dark
#   --no-build   uses the existing debug build
# Other options go to the test runner: -k MeetingTests, or -k korean.

# The Python package that carries axe-core, and its version: only its axe.min.js is used.
readonly axe_package=axe-playwright-python==0.1.8
readonly axe_folder=$root/.build/web-tests/axe

# Fetches axe-core into the build folder unless it is there.
ensure_axe() {
    [[ -n $(find "$axe_folder" -name axe.min.js -print -quit 2>/dev/null) ]] && return
    local pip=(/usr/bin/python3 -m pip install --quiet --root-user-action=ignore --disable-pip-version-check)
    "${pip[@]}" --no-deps --target "$axe_folder" "$axe_package" >&2 ||
        fail "$exit_packages" "axe-core could not be fetched" "it comes with the Python package $axe_package"
}

options --more -- "$@"
pictures=
if [[ -n ${option[pictures]:-} ]]; then
    mkdir -p -- "${option[pictures]}" || fail "$exit_usage" "the folder ${option[pictures]} cannot be made"
    pictures=$(realpath -- "${option[pictures]}")
fi

say "preparing the browser"
# None of them has a pkg-config module: where there is no dpkg they count as missing.
ensure_packages chromium=none chromium-driver=none python3-selenium=none python3-pip=none \
    python3-websockets=none libjs-leaflet=none node-qrcode-generator=none fonts-nanum=none
ensure_axe

debug_binaries

export PROMISED_AXE=$axe_folder
export PROMISED_SHOTS=${PROMISED_SHOTS:-$root/.build/web-tests/shots}
cd -- "$root/Tests/Web" || exit "$exit_failed"
# Bytecode would lie about in the repository.
python=(/usr/bin/python3 -B)

# Chromium leaves folders behind.
TMPDIR=$(mktemp --directory)
export TMPDIR
trap 'rm -rf -- "$TMPDIR"' EXIT

if [[ -n ${option[measure]:-} ]]; then
    say "measuring"
    status=0
    "${python[@]}" measure.py "${words[@]}" || status=$?
    exit "$status"
fi
if [[ -n ${option[pictures]:-} ]]; then
    say "making pictures of every screen"
    "${python[@]}" pictures.py "$pictures" || exit "$exit_failed"
    exit 0
fi
say "testing the modules and the page"
"${python[@]}" -m unittest discover --verbose "${words[@]}" || exit "$exit_failed"
note "screenshots are in $PROMISED_SHOTS"
