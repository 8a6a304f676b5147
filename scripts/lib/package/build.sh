# shellcheck shell=bash disable=SC2154
# usage: scripts/package build [option…]
#
# Builds promised_VERSION_ARCHITECTURE.deb and prints its path on standard output.
#
# It contains the programs with the Swift runtime linked in, the page, configuration, presets for imports of places, systemd
# unit, manual pages generated from the commands' help, shell completions, documents. Uses the release build of the other
# scripts (.build-release); the first build takes several minutes.
#   --output DIR           the folder for the package (default: the current folder)
#   --configuration NAME   release (default) or debug, which builds faster and runs slower
#   --binaries FOLDER      packages the programs in this folder instead of building them
#   --asyncapi FILE|none   the protocol as an AsyncAPI document, or no such document (default: scripts/generate --asyncapi
#                          makes it, which builds the tests in debug mode; with --binaries: none)

options -- "$@"
most_words 0
readonly programs=(promised promisectl promise-load)
output=${option[output]:-$PWD} configuration=${option[configuration]:-release} binaries=${option[binaries]:-}
asyncapi=${option[asyncapi]:-}
[[ $configuration == release || $configuration == debug ]] ||
    fail "$exit_usage" "--configuration is release or debug, not $configuration"
for folder in "$output" ${binaries:+"$binaries"}; do
    [[ -d $folder ]] || fail "$exit_usage" "no such folder: $folder"
done
output=$(cd -- "$output" && pwd -P)
[[ -n $asyncapi || -z $binaries ]] || asyncapi=none
[[ -z $asyncapi || $asyncapi == none || -f $asyncapi ]] || fail "$exit_usage" "no such file: $asyncapi"

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
readonly tree=$work/tree documents=$work/tree/usr/share/doc/promised

build_programs() {
    local build=("${static_build[@]}" --configuration "$configuration")
    local program
    for program in "${programs[@]}"; do
        note "$program"
        "${build[@]}" --product "$program" >&2 || fail "$exit_failed" "the build of $program failed"
    done
    binaries=$("${build[@]}" --show-bin-path)
}

# The configuration of a machine that serves: the defaults, for production, with the data where the unit puts it and
# backups in a folder there.
write_configuration() {
    local file=$tree/etc/promised/promised.yaml
    sed -e 's|^environment: development$|environment: production|' \
        -e 's|^  directory: data$|  directory: /var/lib/promised|' \
        -e '/^backup:$/,/^[a-z]*:$/ s|^  directory: none$|  directory: /var/lib/promised/backups|' \
        "$root/config/promised.yaml" >"$file"
    if ! grep -q '^environment: production$' "$file" || ! grep -q '^  directory: /var/lib/promised$' "$file" ||
        ! grep -A 4 '^backup:$' "$file" | grep -q '^  directory: /var/lib/promised/backups$'; then
        fail "$exit_failed" "config/promised.yaml does not have the lines that the package replaces"
    fi
}

add_programs() {
    local program
    for program in "${programs[@]}"; do
        install -D -m 0755 -- "$binaries/$program" "$tree/usr/bin/$program" ||
            fail "$exit_failed" "$binaries has no $program"
        strip --strip-unneeded --remove-section=.comment --remove-section=.note "$tree/usr/bin/$program"
    done
}

# A manual page and completions of each program, as it describes itself.
add_descriptions() {
    local program run share=$tree/usr/share
    install -d "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/vendor-completions" \
        "$share/fish/vendor_completions.d"
    for program in "${programs[@]}"; do
        run=$tree/usr/bin/$program
        "$run" --experimental-dump-help | python3 "$root/packaging/manual.py" "$date" "$version" |
            gzip -9 --no-name >"$share/man/man1/$program.1.gz"
        # It is sourced, never run.
        "$run" --generate-completion-script bash | sed '1{/^#!/d}' >"$share/bash-completion/completions/$program"
        "$run" --generate-completion-script zsh >"$share/zsh/vendor-completions/_$program"
        "$run" --generate-completion-script fish >"$share/fish/vendor_completions.d/$program.fish"
    done
}

add_files() {
    install -d "$tree/usr/share/promised" "$tree/etc/promised"
    cp -R -- "$root/Clients/Web" "$tree/usr/share/promised/page"
    install -D -m 0644 -t "$tree/usr/share/promised/places" "$root"/config/places/*.yaml
    install -m 0644 "$root/config/categories.yaml" "$tree/usr/share/promised/categories.yaml"
    install -D -m 0644 "$root/config/systemd/promised.service" "$tree/lib/systemd/system/promised.service"
    write_configuration
}

add_documents() {
    install -d "$documents/examples"
    cp -R -- "$root/README.md" "$root/CHANGELOG.md" "$root/NOTICE" "$root"/docs/* "$documents/"
    cp -R -- "$root/config/prometheus" "$root/config/grafana" "$documents/examples/"
    case $asyncapi in
        none) ;;
        '') "$root/scripts/generate" --asyncapi "$documents/asyncapi.yaml" ;;
        *) install -m 0644 -- "$asyncapi" "$documents/asyncapi.yaml" ;;
    esac
    install -m 0644 "$root/packaging/copyright" "$documents/copyright"
    install -D -m 0644 "$root/packaging/lintian-overrides" "$tree/usr/share/lintian/overrides/promised"
    sed -e "s|@VERSION@|$version|" -e "s|@DATE@|$(date -R -d "$date")|" "$root/packaging/changelog.in" |
        gzip -9 --no-name >"$documents/changelog.gz"
    add_licences
    # Of the program before it was stripped: the libraries are the same.
    "$root/scripts/package" sbom --program "$binaries/promised" >"$documents/promised.spdx.json"
}

# The licences and notices of what is linked in, as they came.
add_licences() {
    local package file checkouts=$root/.build-release/checkouts
    [[ -d $checkouts ]] || checkouts=$root/.build/checkouts
    for package in "$checkouts"/*/; do
        for file in "$package"LICENSE* "$package"NOTICE*; do
            [[ -f $file ]] || continue
            install -D -m 0644 -- "$file" "$documents/third-party/$(basename -- "$package")/$(basename -- "$file")"
        done
    done
}

# The packages that the programs load, with the versions that they were linked against.
dependencies() {
    mkdir -p "$work/source/debian"
    printf 'Source: promised\n' >"$work/source/debian/control"
    # A file that no package owns (a Swift runtime beside binaries that were not linked with it) names none.
    (cd "$work/source" && dpkg-shlibdeps --ignore-missing-info --warnings=0 -O "${programs[@]/#/$tree/usr/bin/}") |
        sed 's/^shlibs:Depends=//'
}

write_control() {
    install -d "$tree/DEBIAN"
    local size depends script
    size=$(du --summarize --apparent-size --block-size=1024 --exclude=DEBIAN "$tree" | cut -f 1)
    depends=$(dependencies)
    [[ -n $depends ]] || fail "$exit_failed" "dpkg-shlibdeps found no dependencies"
    sed -e "s|@VERSION@|$version|" -e "s|@ARCHITECTURE@|$architecture|" -e "s|@SIZE@|$size|" \
        -e "s|@DEPENDS@|$depends|" "$root/packaging/control.in" >"$tree/DEBIAN/control"
    printf '/etc/promised/promised.yaml\n' >"$tree/DEBIAN/conffiles"
    for script in postinst prerm postrm; do install -m 0755 "$root/packaging/$script" "$tree/DEBIAN/$script"; done
    (cd "$tree" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum) >"$work/md5sums"
    mv -- "$work/md5sums" "$tree/DEBIAN/md5sums"
    chmod -R u+rwX,go=rX "$tree"
}

say "package 1/3: programs"
# None of them has a pkg-config module: where there is no dpkg they count as missing.
ensure_packages dpkg-dev=none binutils=none python3=none
if [[ -z $binaries ]]; then
    "$root/scripts/setup"
    note "building ($configuration, with the Swift runtime linked in)"
    build_programs
fi

say "package 2/3: files"
version=$(sed -nE 's/.*static let text = "([^"]+)".*/\1/p' "$root/Sources/PromisedServer/Values/ProductVersion.swift")
[[ -n $version ]] || fail "$exit_failed" "the version cannot be read"
architecture=$(dpkg --print-architecture)
# The day of the last change, so that the same tree gives the same package.
date=$(git -C "$root" log -1 --format=%cs 2>/dev/null || date +%F)
package=$output/promised_${version}_$architecture.deb
add_programs
add_descriptions
add_files
add_documents

say "package 3/3: $package"
write_control
compression=(-Zxz)
[[ $configuration == release ]] || compression=(-Zgzip -z1)
dpkg-deb --root-owner-group "${compression[@]}" --build "$tree" "$package" >&2 || fail "$exit_failed" "dpkg-deb failed"
printf '%s\n' "$package"
