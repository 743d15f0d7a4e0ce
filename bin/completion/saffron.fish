# SPDX-License-Identifier: MIT
# Completion for fish. What is completed is decided by `saffron --complete`.

function __saffron_complete
    set -l words (commandline --cut-at-cursor --tokenize --current-process)
    set -l last (commandline --cut-at-cursor --current-token)
    set -l found ($words[1] --complete $words[2..] "$last" 2>/dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path "$last"
    end
end

complete --command saffron --no-files --arguments '(__saffron_complete)'
