# shellcheck shell=bash disable=SC2154
# usage: scripts/torture conformance [option…]
#
# Compares the server, and the client against hostile servers, with a table of cases of RFC 6455 and RFC 9112.
#
# Each case opens a raw connection to a server on 127.0.0.1 and compares the outcome with what any server must do and what
# promised does. Then promisectl meets servers that break the protocol: each must end it with one clear line, in time and
# without more memory. Prints each unexpected outcome and a summary; all of it takes about a minute.
#   --list              lists the cases and their expectations instead
#   --case ID           only this case, or all whose ids begin with ID and a dot: 6.12, smuggle, client.close; repeatable
#   --server NAME       the server: promised (default), websockets (Debian: python3-websockets), node-ws (Debian: nodejs and
#                       node-ws), all or none; repeatable. Servers that are not installed are skipped. With all, the table
#                       itself is checked: a case fails if no independent server does what it asks, unless it cites a clause
#   --no-clients        leaves promisectl out
#   --any-memory        lets promisectl use any memory: a build with a sanitizer keeps freed blocks
#   --json              prints one JSON document with every outcome; the summaries go to standard error
#   --report            runs all servers and all cases, and writes the results into docs/reliability.md
#   --malloc-debug      builds and runs release programs whose memory glibc checks at each call (libc_malloc_debug, check 3)
#                       and fills when it is allocated and freed (perturb 165): a misuse of the heap ends the program
#   --binaries FOLDER   uses the programs in this folder instead of building them (debug)
#
# exit codes: 0 every outcome is the expected one, 1 one is not, or the build failed, 2 usage; while setting up, those of
#             scripts/setup

options -- "$@"
most_words 0
ensure_python
if [[ -n ${option[list]:-} ]]; then
    binaries=.
elif [[ -n ${option[malloc-debug]:-} ]]; then
    release_binaries promised promisectl
else
    debug_binaries
fi

say "comparing with the table"
run_python conformance --binaries "$binaries" "$@"
