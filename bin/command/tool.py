# SPDX-License-Identifier: MIT
"""Tools in C, which have their own options and help."""
from command.errors import UsageError
from command.place import become

# Tools of the vertex processor of Mali-400 by what is typed.
MALI_FOLDER = 'arm/utgard'
MALI = {'compile': 'gp-compile', 'asm': 'gp-asm', 'disasm': 'gp-disasm',
        'gp-run': 'gp-run'}


def without_mali(words):
    """The words, and whether --gen=mali400 was among them."""
    rest, mali, previous = [], False, ''
    for word in words:
        if previous + word in ('--gen=mali400', '-gmali400'):
            mali = True
            if previous:
                rest.pop()
        else:
            rest.append(word)
        previous = word if word == '-g' else ''
    return rest, mali


def run(place, words):
    row = place.command
    name, folder = row.name, row.tool
    rest, mali = without_mali(words)
    if mali:
        if name not in MALI:
            raise UsageError(f'{name}: --gen=mali400 is for compile, asm, '
                             'disasm, gp-run')
        name, folder = MALI[name], MALI_FOLDER
        if folder == row.tool:
            words = rest  # it has no other chip
    tool = place.tool(name, folder)
    if name == 'compile':
        from command import passes
        if '--bisect-pass' in words:
            return passes.bisect(tool, words)
        if any(word.partition('=')[0] == '--passes' for word in words):
            return passes.run(tool, words)
    if name == 'chip':
        from command import chip
        words = chip.words_for(place, words)
        if words is None:
            return 0
    become([tool, *words], f'saffron {row.name}')
    return 1
