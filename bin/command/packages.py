# SPDX-License-Identifier: MIT
"""saffron packages: what the commands need."""
from command.errors import UsageError
from command.needs import SETS, Needs
from command.options import Parser


def parser(place):
    p = Parser(place, '[build|run|test]...',
               "Lists Debian's names of what these commands need, with "
               "purpose; elsewhere\n'doctor' looks for the programs, headers "
               'and libraries themselves.')
    p.add_argument('sets', nargs='*', metavar='SET',
                   help='all of them without one')
    return p


def help_text(place):
    return parser(place).format_help()


def run(place, words):
    args = parser(place).read(words)
    for name in args.sets:
        if name not in SETS:
            raise UsageError(f"packages: build, run or test, not '{name}'")
    rows = Needs(place).of(args.sets or SETS)
    width = max(len(r.package) for r in rows)
    for r in rows:
        print(f'{r.package:<{width}}  {r.purpose}')
    return 0
