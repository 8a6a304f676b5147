# shellcheck shell=bash disable=SC2154
# usage: scripts/client test
#
# Builds and tests an app that uses the package, outside the repository.
#
# Copies Tests/ClientPackage out of the repository, builds it in release without any flag, and
#   1. checks that it resolves two dependencies in addition to the client,
#   2. runs its tests over MemoryTransport, and those of ActorReturnTests,
#   3. runs its tests over the tools' transport against a running server,
#   4. exports the client with scripts/client export and checks that a version of it resolves.
# The server is .build/debug/promised, built if it is missing. The builds stay in .build-client; the first takes minutes.

options -- "$@"
most_words 0
"$root/scripts/setup"

work=$(mktemp -d)
server=
clean_up() {
    if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; fi
    rm -rf -- "$work"
}
trap clean_up EXIT

# The app lies outside the repository; its builds are kept.
app=$work/app
build=$root/.build-client
cp -R -- "$root/Tests/ClientPackage" "$app"
export CLIENT="$root/Clients/Swift" SERVER=
app_swift() {
    local command=$1
    shift
    swift "$command" --package-path "$app" --scratch-path "$build" "$@"
}

say "1/4: the app's dependencies"
app_swift package show-dependencies --format json >"$work/dependencies.json" 2>"$work/log" ||
    fail "$exit_failed" "the app does not resolve" "$(tail -n 5 -- "$work/log")"
found=$(grep -oE '"url": "https://[^"]+"' "$work/dependencies.json" | sort -u | tr '\n' ' ')
note "$found"
[[ $(wc -w <<<"$found") == 4 ]] || fail "$exit_failed" "expected swift-log and swift-protobuf alone, found: $found"

say "2/4: over memory, in release"
app_swift test --configuration release --disable-xctest >&2 || fail "$exit_failed" "the app's tests failed"

say "3/4: against a server"
binary="$root/.build/debug/promised"
if [[ ! -x $binary ]]; then
    swift build --package-path "$root" --product promised >&2 || fail "$exit_failed" "the server does not build"
fi
"$binary" serve --data "$work/data" --listen 127.0.0.1:0 >"$work/server.log" 2>&1 &
server=$!
# The server prints its address in one line once it listens.
url=
for _ in {1..300}; do
    url=$(sed -nE 's#^listening on (127\.0\.0\.1:[0-9]+)$#ws://\1/ws#p' "$work/server.log" | head -n 1)
    [[ -z $url ]] || break
    kill -0 "$server" 2>/dev/null || fail "$exit_failed" "the server ended" "$(tail -n 5 -- "$work/server.log")"
    sleep 0.1
done
[[ -n $url ]] || fail "$exit_failed" "the server did not say where it listens" "$(tail -n 5 -- "$work/server.log")"
SERVER=$root SERVER_URL=$url app_swift test --configuration release --disable-xctest --filter ServerTests >&2 ||
    fail "$exit_failed" "the app's tests against a server failed"

say "4/4: an exported version"
"$root/scripts/client" export 1.0.0 "$work/promised-client"
mkdir -p -- "$work/other/Sources/Other"
cat >"$work/other/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "other",
    platforms: [.iOS(.v18), .macOS(.v15)],
    dependencies: [.package(url: "file://$work/promised-client", from: "1.0.0")],
    targets: [
        .target(name: "Other", dependencies: [.product(name: "PromisedConcurrency", package: "promised-client")])
    ]
)
SWIFT
echo 'import PromisedConcurrency' >"$work/other/Sources/Other/Other.swift"
swift build --package-path "$work/other" --target Other --disable-dependency-cache >&2 || fail "$exit_failed" "the exported version does not build"
note "the client works outside its repository"
