# SPDX-License-Identifier: MIT
"""saffron rules: what --strict checks."""
import sys

from command import chips
from command.options import Parser
from command.place import become


def parser(place):
    p = Parser(place, '[--gen=G] [ID...]',
               'Lists the rules by which the chips punish a wrong driver or '
               'compiler, or says\nall about some: what is needed, what '
               'happens otherwise, the source. Those with\na star are checked '
               "by 'run', 'shim' and 'piglit' with --strict.")
    p.add_argument('--gen', metavar='G',
                   help=f"those of {', '.join(chips.FAMILIES)}")
    return p


def help_text(place):
    return parser(place).format_help()


def run(place, words):
    if words and words[0] in ('-h', '--help'):
        print(help_text(place), end='')
        return 0
    table = place.file('rules', 'src/intel/sim/strict/rules') + '/table.py'
    become([sys.executable, '-B', table, 'list', *words])
    return 1
