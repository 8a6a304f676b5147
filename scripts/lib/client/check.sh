# shellcheck shell=bash disable=SC2154
# usage: scripts/client check
#
# Checks that apps can use the package: its platforms, its two dependencies, no unsafe flag.
#
# Reads Clients/Swift and fails if an app could not use it, because
#   - Package.swift has other platforms, a dependency other than swift-protobuf and swift-log, an exact version or an unsafe
#     flag
#   - a source uses an API newer than those platforms (InlineArray, the spans of texts, Task.immediate, isolated deinit)
#   - a target other than PromisedConcurrency runs asynchronous functions on their caller's actor (HowFramesLeave.md)
#   - a source imports a module other than those of the package, its dependencies, Foundation and the system

options -- "$@"
most_words 0

readonly client="$root/Clients/Swift"
readonly platforms='platforms: [.iOS(.v18), .macOS(.v15), .watchOS(.v11), .tvOS(.v18), .visionOS(.v2)],'
readonly newer='InlineArray|utf8(Span|\.span)|UTF8Span|Task\.immediate|isolated deinit|Observations'
readonly modules='Promised(Client|Protocol|Concurrency)|SwiftProtobuf|Logging|Synchronization'
readonly systems='Foundation|FoundationEssentials|FoundationNetworking|Darwin|Glibc|Musl'

# Fails when a line of the sources matches $1 (grep -E) and, if given, not $2.
refuse_lines() {
    local lines
    mapfile -t lines < <(grep --recursive --include='*.swift' --exclude='*.pb.swift' --line-number -E -e "$1" \
        "$client/Sources" | grep -v -E -e "${2:-^$}" || true)
    [[ ${#lines[@]} == 0 ]] || fail "$exit_failed" "$3:" "${lines[@]#"$root/"}"
}

say "checking Clients/Swift"
grep --quiet --fixed-strings "$platforms" "$client/Package.swift" ||
    fail "$exit_failed" "Clients/Swift/Package.swift does not name the platforms" "expected: $platforms"
if grep --quiet -E 'unsafeFlags|exact:|branch:|revision:' "$client/Package.swift"; then
    fail "$exit_failed" "Clients/Swift/Package.swift has an unsafe flag or a version that is not 'from:'"
fi
dependencies=$(grep -oE 'github\.com/[^"]+' "$client/Package.swift" | sort | tr '\n' ' ')
[[ $dependencies == 'github.com/apple/swift-log github.com/apple/swift-protobuf ' ]] ||
    fail "$exit_failed" "Clients/Swift depends on: $dependencies" "allowed are swift-log and swift-protobuf"
kept=$(grep -E 'staysOnCaller|NonisolatedNonsending' "$client/Package.swift" | grep -v 'let staysOnCaller' || true)
[[ $kept =~ ^[^$'\n']*\"PromisedConcurrency\"[^$'\n']*$ ]] ||
    fail "$exit_failed" "Clients/Swift/Package.swift lets more than PromisedConcurrency stay on the caller's actor" "$kept"
refuse_lines 'nonisolated\(nonsending\)' '/PromisedConcurrency/' "a function that stays on its caller's actor (HowFramesLeave.md)"
refuse_lines "$newer" '' "newer than the platforms of the package"
refuse_lines '^ *(@testable )?((public|internal|package) )?import ' ":[0-9]+: *((public|internal|package) )?import ($modules|$systems)\$" \
    "a module that the package does not have"
note "platforms, dependencies and imports are correct"
