# Completion for fish. The choices come from the programs: from their help texts, which the programs print from the same
# table that they parse options with, and, for moves, from the answer to a query.

# The help text of the command before the cursor.
function __neutreeko_help
    set -l words (commandline -opc)
    if string match -q '*neutreeko-solve' -- $words[1]
        $words[1] --help
    else
        $words[1] $words[2] --help 2>/dev/null
    end
end

function __neutreeko_commands
    set -l words (commandline -opc)
    $words[1] --help | sed -nE '/^Commands:/,/^$/s/^  ([a-z]+) +(.*)/\1\t\2/p'
    $words[1] --help | sed -nE 's/^ +(-., )?(--[a-z-]+) +(.*)/\2\t\3/p'
end

function __neutreeko_opponents
    for line in (__neutreeko_help | sed -nE '/^(Players|Opponents):/,/^$/s/^  ([a-z]+(:N)?) +(.*)/\1\t\3/p')
        if set -l bounds (string match -r '\((\d+) to (\d+)\) ' -- $line)
            for n in (seq $bounds[2] $bounds[3])
                string replace N $n -- $line | string replace $bounds[1] ''
            end
        else
            printf '%s\n' $line
        end
    end
end

# The kinds of value that the option before the cursor takes.
function __neutreeko_values
    set -l option (commandline -opc)[-1]
    string match -q -- '-*' $option
    and __neutreeko_help | sed -nE "s/^ +(-., )?$option ([^ ]+).*/\2/p; s/^ +$option, --[a-z-]+ ([^ ]+).*/\1/p"
end

function __neutreeko_choices
    set -l words (commandline -opc)
    if not string match -q '*neutreeko-solve' -- $words[1]; and test (count $words) = 1 -o "$words[2]" = help
        __neutreeko_commands
        return
    end
    set -l values (__neutreeko_values | string split '|')
    for value in $values
        switch $value
            case PLAYER
                __neutreeko_opponents
            case POSITION
                printf '%s\n' standard fair fair:
            case FILE
                __fish_complete_path (commandline -ct)
            case DIR
                __fish_complete_directories (commandline -ct)
            case '*'
                # Words in capitals are placeholders.
                string match -r '^[a-z].*' -- $value
        end
    end
    test -z "$values"; or return
    if string match -q -- '-*' (commandline -ct)
        __neutreeko_help | sed -nE 's/^ +(-., )?(--[a-z-]+)( [^ ]+)? +(.*)/\2\t\4/p; s/^ +(--[a-z-]+)( [^ ]+)?$/\1/p'
        return
    end
    switch "$words[2]"
        case match
            __neutreeko_opponents
        case review
            __fish_complete_path (commandline -ct)
        case query
            test (count $words) -gt 2; or printf '%s\n' standard drawn random fair fair:
            $words[1] query --json $words[3..-1] 2>/dev/null | tail -n 1 |
                string match -ar '"move": "[^"]*", "result": "[^"]*"' |
                string replace -r '"move": "([^"]*)", "result": "([^"]*)"' '$1'\t'$2'
    end
end

complete -c neutreeko -f -a '(__neutreeko_choices)'
complete -c neutreeko-solve -f -a '(__neutreeko_choices)'
