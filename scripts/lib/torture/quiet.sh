# shellcheck shell=bash disable=SC2154
# usage: scripts/torture quiet [--no-build]
#
# Keeps idle connections open for three minutes and expects no disconnect.
#
# Keeps these connections idle for three minutes of real time, all at once:
#   - each pair of our server, our client, and a server and a client of Python's websockets (QuietTests);
#   - promisectl promise watch on a promise without events;
#   - the phones of promised demo, slowed down so that they are silent for longer than the timeout;
#   - a client of Python's websockets that has signed up with promised.
# Then each must still be connected, without a reconnection, and receive messages.
#   --no-build   uses the existing debug build and its tests

options -- "$@"
most_words 0
ensure_packages python3-websockets=none
debug_binaries

work=$(mktemp -d)
started=()
tidy() {
    ((${#started[@]} == 0)) || kill "${started[@]}" 2>/dev/null || true
    wait
    rm -rf -- "$work"
}
trap tidy EXIT

# Waits until a line of a file matches, half a minute at most.
#   wait_for PATTERN FILE
wait_for() {
    local _
    for _ in {1..300}; do
        if grep -qE -- "$1" "$2"; then return; fi
        sleep 0.1
    done
    fail "$exit_failed" "no line '$1' in $(basename -- "$2"):" "$(cat -- "$2")"
}

say "starting promised and the idle clients"
"$binaries/promised" serve --data "$work/data" --listen 127.0.0.1:0 --set passwords.scrypt-log2-n=10 \
    >"$work/serve" 2>"$work/serve.errors" &
started+=($!)
wait_for '^listening on' "$work/serve"
address=$(sed -n 's/^listening on //p' "$work/serve")
export PROMISED_URL=ws://$address/ws PROMISED_TOKEN_FILE=$work/data/admin.token
ctl=$binaries/promisectl
printf 'correct horse battery' |
    "$ctl" user create --nickname ada --email ada@example.org --password-stdin >"$work/ada"
"$ctl" promise create --owner ada --title Tea --place 51.5007,-0.1246 --place-name 'Big Ben' \
    --at "$(date -u -d '+1 day' +%Y-%m-%dT%H:%M:%SZ)" --json >"$work/promise"
id=$(/usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)["promise"]["promiseId"])' <"$work/promise")

"$ctl" promise watch "$id" >"$work/watch" 2>&1 &
watch=$!
started+=("$watch")
wait_for Tea "$work/watch"
mkfifo "$work/say"
/usr/bin/python3 -B "$root/Tests/Outside/peer.py" --url "$PROMISED_URL" --subprotocol promised.v1.json \
    <"$work/say" >"$work/outside" &
started+=($!)
exec {outside}>"$work/say"
wait_for '^opened' "$work/outside"
printf '%s\n' '{"id":1,"signUp":{"email":"bob@example.org","password":"correct horse battery","nickname":"bob"}}' \
    >&"$outside"
wait_for '^heard .*"session"' "$work/outside"

# Of the 225 minutes from the window's opening to the result nothing happens in 165: more than a minute of this.
"$binaries/promised" demo --speed 150 --once --listen 127.0.0.1:0 >"$work/demo" 2>"$work/demo.errors" &
demo=$!
started+=("$demo")

say "three minutes of silence"
began=$SECONDS
PROMISED_REAL_TIME=1 swift test --package-path "$root" --skip-build --disable-xctest --no-parallel \
    --filter QuietTests >"$work/tests" 2>&1 || {
    cat -- "$work/tests" >&2
    fail "$exit_failed" "a test failed"
}
grep -E '^✔ (Test|Suite) ' -- "$work/tests"
((SECONDS - began >= 180)) || sleep $((180 - SECONDS + began))

say "$((SECONDS - began)) s later: checking the connections"
kill -0 "$watch" 2>/dev/null || fail "$exit_failed" "the watch has ended:" "$(cat -- "$work/watch")"
"$ctl" promise edit "$id" --title Supper >"$work/update"
wait_for 'the promise was edited' "$work/watch"
if grep -E 'connection was lost' "$work/watch"; then fail "$exit_failed" "the watch lost its connection"; fi
printf '%s\n' '{"id":2,"getMe":{}}' >&"$outside"
wait_for '^heard .*"id":2.*"bob"' "$work/outside"
if grep '^closed' "$work/outside"; then fail "$exit_failed" "the outside client was closed"; fi
wait "$demo" || fail "$exit_failed" "the demo failed:" "$(cat -- "$work/demo" "$work/demo.errors")"
grep -q 'the result is final' "$work/demo" || fail "$exit_failed" "the demo has no result:" "$(cat -- "$work/demo")"
if grep -E 'lost the connection|cannot connect|could not|was refused' "$work/demo"; then
    fail "$exit_failed" "a phone of the demo lost its connection"
fi
[[ ! -s $work/demo.errors ]] || fail "$exit_failed" "the demo complained:" "$(cat -- "$work/demo.errors")"
note "promised demo: $(sed -n 's/ participants are ready.*//p' "$work/demo") phones, no connection lost"
note "promisectl promise watch: one connection, and the change was shown"
note "Python's websockets at promised: one connection, and the request was answered"
