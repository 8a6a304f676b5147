# shellcheck shell=bash disable=SC2154
# usage: scripts/package sbom [--program FILE]
#
# Prints all that the programs are made of, with versions and licences, in SPDX.
#
# The SPDX 2.3 document (JSON) has the Swift packages that are linked in, with versions and revisions, their licences as NOTICE
# gives them, and the Swift toolchain. The same tree gives the same document. Resolves the packages if no build has done so
# before; builds nothing. The Debian package contains the document as /usr/share/doc/promised/promised.spdx.json.
#   --program FILE   adds the shared libraries that the built program FILE loads, with the versions of their Debian
#                    packages on this machine

options -- "$@"
most_words 0
program=()
if [[ -n ${option[program]:-} ]]; then
    [[ -f ${option[program]} ]] || fail "$exit_usage" "no such program: ${option[program]}"
    program=(--program "${option[program]}")
fi
ensure_packages python3=none
[[ -f $root/Package.resolved ]] || "$root/scripts/setup"
# The day of the last change, so that the same tree gives the same document.
date=$(git -C "$root" log -1 --format=%cs 2>/dev/null || date +%F)
exec python3 -B "$root/scripts/lib/materials.py" "$root" --date "$date" "${program[@]}"
