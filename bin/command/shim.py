# SPDX-License-Identifier: MIT
"""saffron shim: a program with Mesa's own driver on the simulated GPU."""
import os

from command import environment, looking
from command.options import Parser
from command.run import add_options, options


def parser(place):
    p = Parser(place, '[OPTIONS] [--gen=G] -- COMMAND [ARGUMENT...]',
               'Runs a program that finds a simulated Intel GPU as a DRM '
               'render node: libGL,\nlibEGL and GBM load the distribution\'s '
               'own driver for it (iris for skl and\nbdw, crocus for hsw and '
               'ivb). Needs no /dev/dri and no rights. Without a\ndisplay, '
               'use EGL without a surface:\n\n'
               f'  {place.me} shim -- env EGL_PLATFORM=surfaceless eglinfo\n'
               f'  {place.me} shim --window -- glxgears\n\n'
               'INTEL_DEBUG=vs,fs,bat of that driver works as usual. The exit '
               "code is the\nprogram's. More about looking inside the GPU is "
               'in docs/inspecting.rst.')
    return add_options(place, p)


def help_text(place):
    return parser(place).format_help()


def run(place, words):
    args, program = options(place, parser(place), words)
    if not os.path.exists(place.shim()):
        place.ensure_build()
    environment.export_stock(args.gen)
    looking.check(place, args.gen)
    # A sanitizer's library has to come before all others.
    libraries = [os.environ.get('SAFFRON_TEST_PRELOAD'), place.shim(),
                 os.environ.get('LD_PRELOAD')]
    return looking.run(program, ':'.join(x for x in libraries if x),
                       args.stats == 'json')
