#!/usr/bin/env bash
# Is the judge worth anything? For each wrong broker of mutations.txt: build it from a copy of the one
# source that is changed, and let the judge, with the budget it has in CI, find out.
#
#   mutations.sh BUILD_FOLDER [arguments of redis_conformance, such as --seed]
set -euo pipefail

readonly usage_error=64
if [[ $# -lt 1 || ! -e $1/build.ninja ]]; then
    echo "mutations.sh: give the build folder, with redis_conformance built in it" >&2
    exit "$usage_error"
fi
build=$(realpath "$1")
readonly build judge_arguments=("${@:2}")
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
readonly here
root=$(realpath "$here/../..")
readonly root
readonly exit_differs=1

# command_for TARGET: the last command that makes it.
command_for() { ninja -C "$build" -t commands "$1" | tail -n 1; }

# mutate FILE FROM TO OUT: the file with its one FROM replaced.
mutate() {
    local text rest
    text=$(<"$1")
    rest=${text/"$2"/}
    if [[ $rest == "$text" || ${rest/"$2"/} != "$rest" ]]; then
        echo "mutations.sh: not exactly once in $1:" >&2
        echo "$2" >&2
        return "$usage_error"
    fi
    printf '%s\n' "${text/"$2"/"$3"}" >"$4"
}

# build_mutant FILE SOURCE FOLDER: FOLDER/judge, with SOURCE in place of FILE.
build_mutant() {
    local object compile link
    object=tests/conformance/CMakeFiles/redis_model_apart.dir/__/__/$1.o
    compile=$(command_for "$object")
    compile=${compile/"-c $root/$1"/"-c $2"}
    compile=${compile/"-o $object"/"-g0 -Wno-error -o $3/mutant.o"}
    compile=$(sed -E 's/ -MD -MT [^ ]+ -MF [^ ]+//' <<<"$compile")
    link=$(command_for redis_conformance)
    link=${link/"-o redis_conformance"/"$3/mutant.o -Wl,--strip-debug -o $3/judge"}
    (cd "$build" && eval "$compile" && eval "$link")
}

caught=0
total=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# judge_with FOLDER ARGUMENTS...
judge_with() { "$1/judge" --no-shrink "${judge_arguments[@]}" "${@:2}" >"$1/out" 2>&1; }

# judge_mutant NAME WHAT FILE FROM TO
judge_mutant() {
    local work=$folder/$1 status=0 how
    mkdir -p "$work"
    mutate "$root/$3" "$4" "$5" "$work/$(basename "$3")"
    if ! build_mutant "$3" "$work/$(basename "$3")" "$work" >"$work/log" 2>&1; then
        cat "$work/log" >&2
        echo "mutations.sh: $1 does not build" >&2
        return "$usage_error"
    fi
    total=$((total + 1))
    # A part of the commands first: what only a restart or a failover shows is then found sooner.
    judge_with "$work" --commands 30000 || status=$?
    if [[ $status != "$exit_differs" ]]; then
        status=0
        judge_with "$work" --restarts 0 --failovers 0 || status=$?
    fi
    how=$(sed -nE 's/^(caught by .*)$/\1/p' "$work/out" | tail -n 1)
    if [[ $status == "$exit_differs" ]]; then
        caught=$((caught + 1))
        printf '%-16s %s: %s\n' "$1" "$2" "$how"
    else
        printf '%-16s %s: NOT CAUGHT (exit %s)\n' "$1" "$2" "$status"
        tail -n 3 "$work/out"
    fi
    rm -rf "$work"
}

name='' what='' file='' from='' to=''
flush() {
    [[ -z $name ]] || judge_mutant "$name" "$what" "$file" "${from%$'\n'}" "${to%$'\n'}"
    name='' from='' to=''
}
while IFS= read -r line <&3 || [[ -n $line ]]; do
    case $line in
    '= '*)
        flush
        name=${line#= } what=${line#*: }
        name=${name%%:*}
        ;;
    '@ '*) file=${line#@ } ;;
    '- '*) from+=${line#- }$'\n' ;;
    '+ '*) to+=${line#+ }$'\n' ;;
    esac
done 3<"$here/mutations.txt"
flush

echo "mutations: $caught of $total wrong brokers were told from redis-server"
[[ $caught == "$total" ]]
