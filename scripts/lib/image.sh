# shellcheck shell=bash
# The container image of a release, made by buildah without a daemon. Sourced after common.sh and roots.sh.
# shellcheck disable=SC2154 # common.sh sets root and the exit codes

# buildah with its store in the folder WORK, so that it neither finds nor leaves anything on this machine.
#   image_tool WORK argument…
image_tool() {
    local store=$1/images
    shift
    buildah --root "$store/root" --runroot "$store/run" --storage-driver vfs "$@"
}

# Makes the image and writes it as an archive that docker, podman, skopeo and containerd load.
#   make_image PACKAGE FILE VERSION BASE DATE WORK
make_image() {
    local package=$1 file=$2 version=$3 base=$4 date=$5 work=$6
    local log=$work/image.log
    ensure_packages buildah=none crun=none python3=none
    mkdir -p "$work/context"
    cp -- "$package" "$root/Containerfile" "$work/context/"
    [[ $base != debootstrap ]] || { make_base "$work" && base=localhost/base; }
    note "installing the package on $base"
    image_tool "$work" build --isolation chroot --format docker --timestamp "$(date --date="$date" +%s)" --no-cache \
        --build-arg BASE="$base" --build-arg VERSION="$version" --tag "promised:$version" "$work/context" \
        >"$log" 2>&1 || fail "$exit_failed" "the image cannot be built:" "$(tail -n 15 "$log")"
    image_tool "$work" push --format v2s2 "promised:$version" "dir:$work/image" >"$log" 2>&1 ||
        fail "$exit_failed" "the image cannot be written:" "$(tail -n 5 "$log")"
    python3 -B "$root/scripts/lib/image.py" "$work/image" "$file" "promised:$version" ||
        fail "$exit_failed" "the archive of the image cannot be written"
}

# A root as small as Debian's slim images: without documents (but licences), manual pages and translations.
make_base() {
    local work=$1 below=$1/base log=$1/image.log
    note "making a Debian root"
    bootstrap "$below" "$log"
    printf '%s\n' 'path-exclude /usr/share/doc/*' 'path-include /usr/share/doc/*/copyright' \
        'path-exclude /usr/share/man/*' 'path-exclude /usr/share/info/*' 'path-exclude /usr/share/locale/*' \
        'path-exclude /usr/share/lintian/*' >"$below/etc/dpkg/dpkg.cfg.d/slim"
    find "$below/usr/share/doc" ! -type d ! -name copyright -delete
    rm -rf -- "$below"/usr/share/{man,info,locale,lintian}/* "$below"/var/cache/apt/* "$below"/var/lib/apt/lists/* \
        "$below"/var/log/*.log "$below"/var/log/apt
    tar --create --directory "$below" --file "$work/base.tar" --numeric-owner .
    rm -rf -- "$below"
    {
        image_tool "$work" from --name base scratch
        image_tool "$work" add base "$work/base.tar" /
        image_tool "$work" commit base localhost/base
    } >"$log" 2>&1 || fail "$exit_failed" "the root does not become an image:" "$(tail -n 5 "$log")"
    rm -- "$work/base.tar"
}

# Unmounts what buildah may have left mounted below the folder.
end_image() {
    local place
    while read -r place; do
        umount --lazy -- "$place" || true
    done < <(awk -v below="$1/images/" 'index($2, below) == 1 {print $2}' /proc/self/mounts)
}
