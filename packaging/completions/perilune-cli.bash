# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of perilune-cli for bash.

_perilune_cli_script_begins() {
    # The index of the first word of `record` that is neither an option nor its value, or nothing.
    local index word
    for ((index = 2; index < COMP_CWORD; ++index)); do
        word=${COMP_WORDS[index]}
        case $word in
        -o | --output | --name | --cwd | --env | --stdin | --timeout | --repeat | --warmup | --mode | \
            --interval | --clock | --max-nodes | --max-depth | --max-string-bytes) ((++index)) ;;
        -*) ;;
        *) echo "$index" && return ;;
        esac
    done
}

_perilune_cli() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local verb=${COMP_WORDS[1]} options='' words=''
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "record report export import help version" -- "$current")
        return
    fi
    case $verb in
    record)
        [ -z "$(_perilune_cli_script_begins)" ] || { compopt -o default && return; }
        options="--output --name --cwd --env --stdin --timeout --repeat --warmup --mode --interval
            --clock --lines --memory --durations --timeline --max-nodes --max-depth
            --max-string-bytes --help"
        case $previous in
        --mode) words="exact sampling" ;;
        --clock) words="tsc monotonic cpu" ;;
        esac
        ;;
    report)
        options="--run --format --sort --limit --help"
        case $previous in
        --format) words="table json" ;;
        --sort) words="self total calls" ;;
        esac
        ;;
    export)
        options="--format --output --run --raw --limit --max-depth --bom --plain-names --help"
        [ "$previous" != --format ] ||
            words="collapsed speedscope callgrind pprof csv csv-edges csv-lines markdown html"
        ;;
    import) options="--output --name --help" ;;
    help) words="record report export import" ;;
    esac
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    else
        compopt -o default
    fi
}

complete -F _perilune_cli perilune-cli
