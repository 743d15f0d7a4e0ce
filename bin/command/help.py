# SPDX-License-Identifier: MIT
"""saffron help: the commands."""
from command.table import COMMANDS

# Where what a command is for begins.
COLUMN = 26


def wrap(text, width):
    """Lines of words. What textwrap does takes longer to load."""
    lines = ['']
    for word in text.split():
        if len(lines[-1]) + 1 + len(word) > width and lines[-1]:
            lines.append('')
        lines[-1] = f'{lines[-1]} {word}'.lstrip()
    return lines


def entry(row):
    lines = wrap(row.summary, 80 - COLUMN)
    head = f'  {row.name} {row.words}'.rstrip()
    if len(head) < COLUMN - 1:
        head = head.ljust(COLUMN) + lines.pop(0)
    return '\n'.join([head, *(' ' * COLUMN + line for line in lines)])


def generations(place):
    """The last paragraph."""
    gens = place.generations()
    return '\n'.join(wrap(
        f"G is a chip, {', '.join(gens)}, or one of its sizes: "
        f"{', '.join(s for sizes in gens.values() for s in sizes)}.",
        80))


def more(place):
    """What is said behind the list of commands."""
    return f"""'{place.me} COMMAND --help' says more. The build is in 'build', or where
SAFFRON_BUILD_DIR says. What 'meson install' installs has this command, too,
with what needs no sources: demo, run, shim, doctor, the tools.
{generations(place)}
"""


def help_text(place):
    rows = '\n'.join(entry(row) for row in COMMANDS)
    return f'usage: {place.me} COMMAND [OPTIONS]\n\n{rows}\n\n' + more(place)


def run(place, words):
    del words
    print(help_text(place), end='')
    return 0
