# shellcheck shell=bash
# Help, options and subcommands. Sourced by common.sh.
# shellcheck disable=SC2034,SC2154 # scripts use the variables; common.sh sets root and the exit codes
#
# The comment at the head of a script is its help: the usage, a sentence, the options, a line each. A line that begins with
# `  --name VALUE  ` declares an option with a value, one that begins with `  --name  ` an option without. The files in the
# folder of lib/ that has a script's name are its subcommands.

# The words that call this script.
called=scripts/${0##*/}
# Values of the options that were given, by their names without dashes: yes for one without a value. The values of an option
# that is repeatable are separated by line feeds.
declare -A option=()
# The arguments that are no options.
words=()

# Prints the comment at the head of a file.
head_comment() {
    sed -n -e '/^#!/d' -e '/^# shellcheck /d' -e '/^#/!q' -e 's/^# \{0,1\}//p' -- "$1"
}

# Prints the help of a file, its subcommands among it.
print_help() {
    local text file folder
    text=$(head_comment "$1")
    printf '%s\n' "$text"
    folder=$root/scripts/lib/$(basename -- "$1")
    if [[ -d $folder ]]; then
        printf '\nSUBCOMMANDS:\n'
        for file in "$folder"/*.sh; do
            printf '  %-14s %s\n' "$(basename -- "$file" .sh)" "$(head_comment "$file" | sed -n 3p)"
        done
        printf '\n%s NAME --help describes one of them.\n' "$called"
    fi
    [[ $text == *'exit codes:'* ]] || printf '\nexit codes: 0 success, 1 a step failed, 2 usage, %s\n' \
        '3 no Swift, 4 system packages are missing and cannot be installed'
}

# Reads the arguments into $option and $words, as the calling file's head declares them; --help prints that.
#   options [--more] -- "$@"    with --more, options that are not declared are among the words
options() {
    local file=${BASH_SOURCE[1]} more=no text line name value
    if [[ $1 == --more ]]; then more=yes && shift; fi
    shift
    text=$(head_comment "$file")
    while (($# > 0)); do
        name=${1%%=*}
        line=$(declaration "$name" "$text")
        if [[ $1 == -h || $1 == --help ]]; then
            print_help "$file"
            exit
        elif [[ $1 != -* || ($line == '' && $more == yes) ]]; then
            words+=("$1")
        elif [[ $line == '' ]]; then
            fail_usage "$1"
        elif [[ $line != "  $name "[!\ ]* ]]; then
            [[ $1 == "$name" ]] || fail "$exit_usage" "$name takes no value" "$(help_hint)"
            option[${name#--}]=yes
        else
            if [[ $1 == "$name" ]]; then
                (($# > 1)) || fail "$exit_usage" "$name needs a value" "$(help_hint)"
                shift
                value=$1
            else
                value=${1#*=}
            fi
            [[ $line != *repeatable* ]] || value=${option[${name#--}]:+${option[${name#--}]}$'\n'}$value
            option[${name#--}]=$value
        fi
        shift
    done
}

# Prints the line of a help that declares an option.
declaration() {
    local line
    while IFS= read -r line; do
        if [[ $1 == -* && $line == "  $1 "* ]]; then
            printf '%s\n' "$line"
            return
        fi
    done <<<"$2"
}

# Ends the script because of an argument it does not know.
fail_usage() {
    fail "$exit_usage" "unknown argument: $1" "$(help_hint)"
}

# Ends the script if more words are given than so many.
most_words() {
    ((${#words[@]} <= $1)) || fail_usage "${words[$1]}"
}

help_hint() {
    printf "'%s --help' lists the arguments\n" "$called"
}

# Runs the subcommand that the first argument names, in place of the rest of the script. Returns without one.
#   subcommand "$@"
subcommand() {
    local file=$root/scripts/lib/${0##*/}/${1:-}.sh
    [[ -n ${1:-} && $1 != -* ]] || return 0
    [[ $1 != */* && -f $file ]] || fail "$exit_usage" "unknown subcommand: $1" "$(help_hint)"
    called+=" $1"
    shift
    # shellcheck source=/dev/null
    source "$file" "$@"
    exit
}

# Does the same for a script that is nothing without a subcommand.
only_subcommands() {
    subcommand "$@"
    if [[ ${1:-} == -h || ${1:-} == --help ]]; then
        print_help "$0"
        exit
    fi
    [[ $# == 0 ]] || fail_usage "$1"
    print_help "$0" >&2
    exit "$exit_usage"
}
