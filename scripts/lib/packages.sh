# shellcheck shell=bash
# System packages: which are missing, and how they are installed. Sourced by common.sh.
# shellcheck disable=SC2154 # common.sh sets the exit codes

# Whether a Debian package is installed. Elsewhere (no dpkg) the package's pkg-config module is asked for instead.
#   package_installed PACKAGE PKG_CONFIG_MODULE
package_installed() {
    if command -v dpkg-query >/dev/null; then
        [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
    else
        command -v pkg-config >/dev/null && pkg-config --exists "$2"
    fi
}

# Runs a command as root: directly, or through sudo when there is one.
as_root() {
    if [[ $(id -u) == 0 ]]; then
        "$@"
    else
        sudo "$@"
    fi
}

# Installs Debian packages, or ends the script with what the reader can do instead.
#   install_packages PACKAGE…
install_packages() {
    if ! command -v apt-get >/dev/null; then
        fail "$exit_packages" "missing: $*, and this system has no apt-get" \
            "install the same libraries, with their headers, by this system's own package manager, and try again"
    fi
    if [[ $(id -u) != 0 ]] && ! command -v sudo >/dev/null; then
        fail "$exit_packages" "missing: $*, and installing them takes root" \
            "run as root once: apt-get update && apt-get install --yes $*"
    fi
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
    note "installing $*"
    if ! as_root "${apt[@]}" update --quiet >&2; then
        note "apt-get update failed; trying with the package lists that are there"
    fi
    as_root "${apt[@]}" install --yes --quiet --no-install-recommends "$@" >&2 ||
        fail "$exit_packages" "apt-get could not install: $*" "its own messages above say why"
}

# Installs those of the packages that are not there yet, and says what it found.
#   ensure_packages PACKAGE=PKG_CONFIG_MODULE…
ensure_packages() {
    local pair missing=()
    for pair in "$@"; do
        if package_installed "${pair%%=*}" "${pair#*=}"; then
            note "${pair%%=*} is installed"
        else
            missing+=("${pair%%=*}")
        fi
    done
    if [[ ${#missing[@]} -gt 0 ]]; then
        install_packages "${missing[@]}"
    fi
}

# The Python that runs our modules; the system's own where they need modules that apt-get installs.
python=python3

# Installs Python unless it is there.
ensure_python() {
    command -v python3 >/dev/null || install_packages python3-minimal
}

# Installs Python and modules of it unless they are there.
#   ensure_modules MODULE=PACKAGE…
ensure_modules() {
    ensure_python
    local pair
    for pair in "$@"; do
        python=/usr/bin/python3
        "$python" -c "import ${pair%%=*}" 2>/dev/null || install_packages "${pair#*=}"
    done
}
