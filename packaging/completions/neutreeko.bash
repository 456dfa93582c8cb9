# shellcheck shell=bash
# Completion for bash. The choices come from the programs: from their help texts, which the programs print from the same
# table that they parse options with, and, for moves, from the answer to a query.

# _neutreeko_values HELP OPTION: the values that the option takes. FILE, DIR and other placeholders in capitals are printed
# as they are; nothing is printed when the option takes no value.
_neutreeko_values() {
    local value
    while read -r value; do
        case $value in
        PLAYER) _neutreeko_opponents "$1" ;;
        POSITION*) printf '%s\n' standard fair fair: "${value//|/$'\n'}" ;;
        *) printf '%s\n' "${value//|/$'\n'}" ;;
        esac
    done < <(sed -nE "s/^ +(-., )?$2 ([^ ]+).*/\2/p; s/^ +$2, --[a-z-]+ ([^ ]+).*/\1/p" <<<"$1")
}

_neutreeko_opponents() {
    local form least most
    while read -r form least most; do
        case $form in
        *:N) seq -f "${form%N}%g" "$least" "$most" ;;
        *) printf '%s\n' "$form" ;;
        esac
    done < <(sed -nE '/^(Players|Opponents):/,/^$/s/^  ([a-z]+(:N)?) +(\(([0-9]+) to ([0-9]+)\))?.*/\1 \4 \5/p' <<<"$1")
}

_neutreeko() {
    # shellcheck disable=SC2034 # split is set by _init_completion
    local cur prev words cword split help found command=()
    _init_completion -s -n : || return
    if [[ ${words[0]} != *neutreeko-solve ]]; then
        command=("${words[1]}")
        if ((cword == 1)) || [[ ${words[1]} == help ]]; then
            found=$("${words[0]}" --help | sed -nE '/^Commands:/,/^$/s/^  ([a-z]+) .*/\1/p
                s/^ +(-., )?(--[a-z-]+).*/\2/p')
            mapfile -t COMPREPLY < <(compgen -W "$found" -- "$cur")
            return
        fi
    fi
    help=$("${words[0]}" "${command[@]}" --help 2>/dev/null) || return
    found=
    [[ $prev != -* ]] || found=$(_neutreeko_values "$help" "$prev")
    case $found in
    FILE)
        _filedir
        return
        ;;
    DIR)
        _filedir -d
        return
        ;;
    esac
    if [[ ! $found && $cur == -* ]]; then
        found=$(sed -nE 's/^ +(-., )?(--[a-z-]+).*/\2/p' <<<"$help")
    elif [[ ! $found ]]; then
        case ${command[*]} in
        match) found=$(_neutreeko_opponents "$help") ;;
        review)
            _filedir
            return
            ;;
        query)
            ((cword > 2)) || found=$'standard\ndrawn\nrandom\nfair\nfair:\n'
            found+=$("${words[0]}" query --json "${words[@]:2:cword-2}" 2>/dev/null |
                tail -n 1 | grep -o '"move": "[^"]*"' | cut -d '"' -f 4)
            ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$(grep -v '^[A-Z]' <<<"$found")" -- "$cur")
    [[ ${COMPREPLY[*]} != *: ]] || compopt -o nospace # a number follows
    __ltrim_colon_completions "$cur"
} &&
    complete -F _neutreeko neutreeko neutreeko-solve
