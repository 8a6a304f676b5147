# shellcheck shell=bash
# The archive of a release: a folder that runs wherever it is unpacked. Sourced after common.sh.
# shellcheck disable=SC2154 # common.sh sets root and the exit codes
#
# The programs are those of the Debian package. They look for libraries in lib/ beside bin/ first, for the page, the presets
# and Leaflet in share/promised. Of the system they need glibc and libstdc++ as old as these, or newer.
readonly oldest_glibc=2.35 oldest_glibcxx=3.4.30

# The library through which libwebsockets runs on libev. It is loaded by its path.
readonly event_plugin=libwebsockets-evlib_ev.so

# Makes the archive, and leaves the package's files in WORK/package.
#   make_archive PACKAGE FILE NAME DATE WORK
make_archive() {
    local package=$1 file=$2 name=$3 date=$4 work=$5
    local tree=$work/archive/$name
    ensure_packages binutils=none patchelf=none libjs-leaflet=none
    dpkg-deb --extract "$package" "$work/package"
    add_archive_files "$work/package" "$tree"
    add_libraries "$tree"
    add_plugin_finder "$tree/lib"
    find_libraries_beside "$tree"
    check_symbols "$tree"
    find "$tree" -type d -exec chmod 0755 {} + -o -type f -exec chmod u=rwX,go=rX {} +
    tar --create --directory "$work/archive" --sort=name --owner=0 --group=0 --numeric-owner --mtime="$date" \
        --format=gnu "$name" | gzip -9 --no-name >"$file"
}

add_archive_files() {
    local package=$1 tree=$2 program
    mkdir -p "$tree/bin" "$tree/lib" "$tree/share/promised" "$tree/licences"
    for program in promised promisectl; do
        cp -- "$package/usr/bin/$program" "$tree/bin/"
        ln -s "bin/$program" "$tree/$program"
    done
    cp -R -- "$package"/usr/share/promised/* "$tree/share/promised/"
    cp -RL -- /usr/share/javascript/leaflet "$tree/share/promised/leaflet"
    # A folder that may be read only: the data lies elsewhere, as the command line says.
    cp -- "$root/config/promised.yaml" "$root/LICENSE" "$root/NOTICE" "$root/README.md" "$tree/"
    cp -- "$package/usr/share/doc/promised/promised.spdx.json" "$tree/"
    cp -R -- "$package/usr/share/doc/promised/third-party/." "$tree/licences/"
    cp -L -- /usr/share/doc/libjs-leaflet/copyright "$tree/licences/leaflet"
}

# The shared libraries that these files load, by their paths, without those that every system has.
loaded_libraries() {
    ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// {print $1, $3}' | sort -u |
        grep -vE '^(libc|libm|libdl|libpthread|librt|libresolv|libutil|libstdc\+\+|libgcc_s)\.so'
}

# Copies what the programs load, with its licences.
add_libraries() {
    local tree=$1 plugin name path owner
    plugin=$(dpkg-query --listfiles libwebsockets-evlib-ev | grep "/$event_plugin\$") ||
        fail "$exit_failed" "libwebsockets-evlib-ev has no $event_plugin"
    cp -- "$plugin" "$tree/lib/"
    while read -r name path; do
        cp -L -- "$path" "$tree/lib/$name"
    done < <(loaded_libraries "$tree/bin/promised" "$tree/bin/promisectl" "$plugin")
    for name in "$tree"/lib/*; do
        # The system's own record has the path with or without /usr.
        owner=$(dpkg-query --search "*/${name##*/}" 2>/dev/null | sed -n '1s/[,:].*//p')
        [[ -z $owner ]] || cp -L -- "/usr/share/doc/$owner/copyright" "$tree/licences/$owner"
    done
}

# libwebsockets looks for its plug-in in the folder of the machine that built it; a library in front of it names ours.
add_plugin_finder() {
    "${CC:-cc}" -shared -fPIC -O2 -Wall -Wextra -Werror -Wl,-soname,libpromised-plugins.so \
        -o "$1/libpromised-plugins.so" "$root/packaging/plugins.c" || fail "$exit_failed" "packaging/plugins.c does not build"
    strip --strip-unneeded "$1/libpromised-plugins.so"
}

find_libraries_beside() {
    local tree=$1 program library
    for library in "$tree"/lib/*; do
        # shellcheck disable=SC2016 # the loader fills it in
        patchelf --set-rpath '$ORIGIN' "$library"
    done
    for program in "$tree"/bin/*; do
        # One change at a time: patchelf 0.14 mixes up two.
        # shellcheck disable=SC2016
        patchelf --set-rpath '$ORIGIN/../lib' "$program"
        patchelf --add-needed libpromised-plugins.so "$program"
    done
}

# Fails if a file needs a newer C or C++ library than is promised.
check_symbols() {
    local file
    for file in "$1"/bin/* "$1"/lib/*; do
        check_newest "$file" GLIBC "$oldest_glibc"
        check_newest "$file" GLIBCXX "$oldest_glibcxx"
    done
    note "needs glibc $oldest_glibc and libstdc++ with GLIBCXX_$oldest_glibcxx, or newer ones"
}

#   check_newest FILE LIBRARY VERSION
check_newest() {
    local newest
    newest=$({ objdump -T "$1" | grep -oE "\b$2_[0-9.]+" || true; } | sort -Vu | tail -n 1)
    [[ $(printf '%s\n' "$newest" "$2_$3" | sort -V | tail -n 1) == "$2_$3" ]] ||
        fail "$exit_failed" "${1##*/} needs $newest, newer than $2_$3"
}
