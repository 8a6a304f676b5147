# shellcheck shell=bash disable=SC2154
# usage: scripts/torture fuzz [option…]
#
# Gives the readers of outside bytes random inputs, guided by coverage, and checks a property of each.
#
# Builds promise-fuzz in release mode with libFuzzer into .build-fuzz (the first build takes several minutes) and gives each
# target random inputs, made from those that reached something new and guided by the edges they reach. Each target states a
# property that holds for all bytes (--list prints them). Targets run on all processors, one on each, at the lowest priority.
# Prints a line for each target: inputs, inputs per second, edges reached before and after, and violations. An input that
# breaks a property, takes more than 5 s or 1 GB, is kept in .build-fuzz/found with the program's output.
#   --minutes N     the minutes of all targets together (10)
#   --inputs N      the inputs of each target at most; unlimited without this option
#   --target NAME   only this target; repeatable
#   --seed S        the seed of the random generator; without this option another one each time
#   --keep          afterwards, writes the smallest set of inputs that reaches all edges to Tests/Fuzz/Corpus
#   --list          lists the targets with their properties
# Tests/Fuzz/Corpus has a file for each target, an input in base64 on each line. To keep a found case, correct the fault and
# add a line with the output of 'base64 -w0 FILE' below one that begins with '# found'.

options -- "$@"
most_words 0
minutes=${option[minutes]:-10} inputs=${option[inputs]:--1} seed=${option[seed]:-0} keep=${option[keep]:-no}
mapfile -t targets < <(printf '%s' "${option[target]:-}")
[[ $minutes =~ ^[1-9][0-9]*$ ]] || fail "$exit_usage" "--minutes needs a positive number, not '$minutes'"
[[ $inputs =~ ^(-1|[1-9][0-9]*)$ ]] || fail "$exit_usage" "--inputs needs a positive number, not '$inputs'"
[[ $seed =~ ^[0-9]+$ ]] || fail "$exit_usage" "--seed needs a number, not '$seed'"

readonly work=$root/.build-fuzz
readonly corpora=$root/Tests/Fuzz/Corpus
readonly dictionaries=$root/Tests/Fuzz/Dictionaries

"$root/scripts/setup"
say "building promise-fuzz (release, with libFuzzer; the first build takes several minutes)"
resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
LIBFUZZER=$resources/clang/lib/linux/libclang_rt.fuzzer_no_main-$(uname -m).a
[[ -f $LIBFUZZER ]] || fail "$exit_swift" "this Swift toolchain has no libFuzzer" "expected $LIBFUZZER"
export LIBFUZZER
build=(swift build --package-path "$root" --scratch-path "$work" --configuration release)
"${build[@]}" --product promise-fuzz >&2 || fail "$exit_failed" "the build failed"
program=$("${build[@]}" --show-bin-path)/promise-fuzz
# Hash tables have the same order in each process, and an abort reaches libFuzzer, which then keeps the input.
export SWIFT_DETERMINISTIC_HASHING=1 SWIFT_BACKTRACE=enable=no

if [[ -n ${option[list]:-} ]]; then
    exec "$program" --list
fi
mapfile -t known < <("$program" --list | cut -d ' ' -f 1)
((${#targets[@]} > 0)) || targets=("${known[@]}")
for target in "${targets[@]}"; do
    [[ " ${known[*]} " == *" $target "* ]] ||
        fail "$exit_usage" "there is no target '$target'" "'scripts/torture fuzz --list' lists the targets"
done

# Writes the inputs of a corpus into a folder: unpack TARGET FOLDER.
unpack() {
    local line number=0
    mkdir -p "$2"
    [[ -f $corpora/$1.txt ]] || return 0
    while IFS= read -r line; do
        [[ $line != '' && $line != '#'* ]] || continue
        # Not within the redirection: base64's own process would count.
        number=$((number + 1))
        base64 -d <<<"$line" >"$2/kept-$number"
    done <"$corpora/$1.txt"
}

# Writes the smallest set of inputs that reaches all edges to the corpus of a target, behind the cases that were found.
pack() {
    local least file found
    least=$(mktemp -d)
    "$program" "$1" -merge=1 -use_counters=0 "$least" "$work/corpus/$1" >"$work/log/$1-merge.txt" 2>&1 || return 1
    found=$(grep -A 1 '^# found' "$corpora/$1.txt" 2>/dev/null | grep -v '^--$' || true)
    {
        for file in "$least"/*; do printf '%s\n' "$(base64 -w 0 <"$file")"; done | LC_ALL=C sort -u
        [[ $found == '' ]] || printf '%s\n' "$found"
    } >"$corpora/$1.txt"
    rm -r "$least"
}

# Fuzzes one target and prints its line: fuzz TARGET SECONDS.
fuzz() {
    local target=$1 seconds=$2 log=$work/log/$1.txt options status=0
    unpack "$target" "$work/corpus/$target"
    options=(-max_total_time="$seconds" -runs="$inputs" -seed="$seed" -timeout=5 -rss_limit_mb=1024
        -print_final_stats=1 -artifact_prefix="$work/found/$target-")
    # The fuzzer takes one dictionary: the numbers of all targets and the words of this one.
    cp "$dictionaries/numbers.dict" "$work/dict/$target.dict"
    [[ ! -f $dictionaries/$target.dict ]] || cat "$dictionaries/$target.dict" >>"$work/dict/$target.dict"
    options+=(-dict="$work/dict/$target.dict")
    nice -n 19 "$program" "$target" "${options[@]}" "$work/corpus/$target" >"$log" 2>&1 || status=$?
    awk -v target="$target" -v status="$status" '
        /\tINITED / { for (i = 1; i < NF; i++) if ($i == "cov:") first = $(i + 1) }
        / cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") last = $(i + 1) }
        /^stat::number_of_executed_units/ { inputs = $2 }
        /^stat::average_exec_per_sec/ { rate = $2 }
        END { printf "%-18s %12d %9d %7d %7d  %s\n", target, inputs, rate, first, last, status ? "VIOLATION" : "held" }
    ' "$log"
    ((status == 0)) || { cp "$log" "$work/found/$target.txt" && return 1; }
    [[ $keep == no ]] || pack "$target"
}
export -f fuzz unpack pack
export work corpora dictionaries program inputs seed keep

mkdir -p "$work"/{corpus,dict,log,found} "$corpora"
processors=$(nproc)
seconds=$((minutes * 60 * processors / ${#targets[@]}))
((seconds > 0)) || seconds=1
say "${#targets[@]} targets, $seconds s each, on $processors processors"
printf '%-18s %12s %9s %7s %7s  %s\n' target inputs 'inputs/s' edges reached property
printf '%s\n' "${targets[@]}" | xargs -P "$processors" -I NAME bash -c 'fuzz "$@"' fuzz NAME "$seconds" ||
    fail "$exit_failed" "a property does not hold: see .build-fuzz/found"
