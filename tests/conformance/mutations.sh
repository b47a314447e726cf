#!/usr/bin/env bash
# Is a judge worth anything? For each wrong model of a list: build it from a copy of the one source
# that is changed, and let the judge, with the budget it has in CI, find out.
#
#   mutations.sh BUILD_FOLDER LIST [arguments of the judge, such as --seed]
#
# LIST, such as mutations.txt, begins with the judge, the library of its model, what in its answer
# tells how the mutant was caught, and a line for each attempt: arguments for the judge, which are
# tried in turn until one catches the mutant.
set -euo pipefail

readonly usage_error=64
if [[ $# -lt 2 || ! -e $1/build.ninja || ! -e $2 ]]; then
    echo "mutations.sh: give the build folder, with the judge built in it, and a list of mutations" >&2
    exit "$usage_error"
fi
build=$(realpath "$1")
readonly build list=$2 judge_arguments=("${@:3}")
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

# build_mutant FILE SOURCE FOLDER: FOLDER/judge, with SOURCE in place of FILE, which is compiled alone or
# is included in what is compiled.
build_mutant() {
    local object compiled=$root/$1 mutant=$2 compile link
    case $library in
    *_apart) object=tests/conformance/CMakeFiles/$library.dir/__/__/$1.o ;;
    *)
        compiled=$(grep --files-with-matches --fixed-strings "\"$root/$1\"" \
            "$build/model/CMakeFiles/$library.dir/Unity/"*.cxx)
        object=${compiled#"$build/"}.o
        mutant=$3/merged.cpp
        sed "s#\"$root/$1\"#\"$2\"#" "$compiled" >"$mutant"
        ;;
    esac
    compile=$(command_for "$object")
    compile=${compile/"-c $compiled"/"-c $mutant"}
    compile=${compile/"-o $object"/"-g0 -Wno-error -o $3/mutant.o"}
    compile=$(sed -E 's/ -MD -MT [^ ]+ -MF [^ ]+//' <<<"$compile")
    link=$(command_for "$judge")
    link=${link/"-o $judge"/"$3/mutant.o -Wl,--strip-debug -o $3/judge"}
    (cd "$build" && eval "$compile" && eval "$link")
}

caught=0
total=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# judge_with FOLDER ARGUMENTS...
judge_with() { timeout 900 "$1/judge" "${judge_arguments[@]}" "${@:2}" >"$1/out" 2>&1; }

# judge_mutant NAME WHAT FILE FROM TO
judge_mutant() {
    local work=$folder/$1 status=0 how attempt arguments
    mkdir -p "$work"
    mutate "$root/$3" "$4" "$5" "$work/$(basename "$3")"
    if ! build_mutant "$3" "$work/$(basename "$3")" "$work" >"$work/log" 2>&1; then
        cat "$work/log" >&2
        echo "mutations.sh: $1 does not build" >&2
        return "$usage_error"
    fi
    total=$((total + 1))
    for attempt in "${attempts[@]}"; do
        status=0
        read -ra arguments <<<"$attempt"
        judge_with "$work" "${arguments[@]}" || status=$?
        [[ $status != "$exit_differs" ]] || break
    done
    how=$(sed -nE "s/$tells/\\1/p" "$work/out" | paste --serial --delimiters=, | sed 's/,/, /g')
    if [[ $status == "$exit_differs" ]]; then
        caught=$((caught + 1))
        printf '%-16s %s: caught by %s\n' "$1" "$2" "$how"
    else
        printf '%-16s %s: NOT CAUGHT (exit %s)\n' "$1" "$2" "$status"
        tail -n 3 "$work/out"
    fi
    rm -rf "$work"
}

name='' what='' file='' from='' to='' judge='' library='' tells='^caught by (.*)$' attempts=()
flush() {
    [[ -z $name ]] || judge_mutant "$name" "$what" "$file" "${from%$'\n'}" "${to%$'\n'}"
    name='' from='' to=''
}
while IFS= read -r line <&3 || [[ -n $line ]]; do
    case $line in
    'judge '*) judge=${line#judge } ;;
    'library '*) library=${line#library } ;;
    'tells '*) tells=${line#tells } ;;
    'attempt '*) attempts+=("${line#attempt }") ;;
    '= '*)
        flush
        name=${line#= } what=${line#*: }
        name=${name%%:*}
        ;;
    '@ '*) file=${line#@ } ;;
    '- '*) from+=${line#- }$'\n' ;;
    '+ '*) to+=${line#+ }$'\n' ;;
    esac
done 3<"$list"
flush

echo "mutations: $judge told $caught of $total wrong models from the right one"
[[ $caught == "$total" ]]
