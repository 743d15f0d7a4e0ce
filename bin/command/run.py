# SPDX-License-Identifier: MIT
"""saffron run: a program on the driver."""
import os

from command import environment, looking, window
from command.errors import UsageError
from command.options import Parser, split_program


def add_options(place, p):
    """Those of programs that draw, whoever's the driver is."""
    p.gen(place)
    window.add_options(p)
    looking.add_options(p)
    return p


def parser(place):
    p = Parser(place, '[OPTIONS] [--gen=G] -- COMMAND [ARGUMENT...]',
               'Runs a program with stock libGL, libEGL or the Vulkan loader '
               "on the driver.\nINTEL_DEBUG=help lists what it can print. "
               "The exit code is the program's.")
    return add_options(place, p)


def help_text(place):
    return parser(place).format_help()


def options(place, p, words):
    """The values of the options, and the program's words with those of its
    display before them."""
    words, program = split_program(words)
    args = p.read(words)
    if not program:
        raise UsageError(f'{place.command.name}: which program?')
    program = window.prefix(place, args.window, args.screenshot) + program
    looking.export_options(args)
    return args, program


def run(place, words):
    args, program = options(place, parser(place), words)
    if not os.path.exists(place.icd()):
        place.ensure_build()
    environment.export_driver(place, args.gen)
    looking.check(place, args.gen)
    return looking.run(program, os.environ.get('LD_PRELOAD'),
                       args.stats == 'json')
