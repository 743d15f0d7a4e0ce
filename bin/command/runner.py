# SPDX-License-Identifier: MIT
"""Runners of tests in the checkout, which have their own options and help."""
import os
import shutil
import sys

from command import environment, looking, needs, window
from command.options import Parser, size
from command.place import become, export


# What runs in place of a command's script, by the first word.
OTHER_SCRIPTS = {('fuzz', '--programs'): 'tests/fuzz/programs.py',
                 ('fuzz', '--amber'): 'tests/fuzz/amber.py',
                 ('fuzz', '--rewrites'): 'tests/fuzz/rewrites.py',
                 ('fuzz', '--shader-tests'): 'tests/fuzz/shader_tests.py'}

# Options of those that run on a driver; the rest are the script's.
HEARD = ('--window', '--strict', '--rules', '--chaos')


def wants_help(words):
    """Nothing is installed or built for that."""
    before = words[:words.index('--')] if '--' in words else words
    return '-h' in before or '--help' in before


def become_script(place, before=(), words=()):
    become([*before, sys.executable, place.command.script, *words])


def on_driver(place, words):
    """(words before the runner's, its words) from what was typed: options that
    are about the driver's environment, or with --stock that of Mesa's own,
    are heard here."""
    at = words.index('--') if '--' in words else len(words)
    ours = [w for w in words[:at] if w.partition('=')[0] in HEARD or
            w == '--stock']
    rest = [w for w in words[:at] if w not in ours]
    p = Parser(place, '', '')
    p.add_argument('--window', nargs='?', const=True,
                   type=size('--window', 9999))
    p.add_argument('--stock', action='store_true')
    looking.add_judging(p)
    args = p.read(ours)
    gen = 'skl'
    for word in rest:
        if word.startswith('--gen='):
            gen = word[len('--gen='):]
    before = window.prefix(place, args.window)
    if args.stock or '--opencl' in rest:
        environment.export_stock(gen)
        rest.insert(0, f'--stock={place.shim()}')
        if before:
            before = ['env', f'LD_PRELOAD={place.shim()}', *before]
    else:
        environment.export_driver(place, gen)
    looking.export_judging(args)
    looking.check(place, gen)
    return before, rest + words[at:]


def piglit(place, words):
    if not shutil.which('piglit'):
        needs.Needs(place).require('test')
    place.ensure_build()
    before, words = on_driver(place, words)
    become_script(place, before, ['--platform=mixed_glx_egl'] * bool(before) +
                  words)


def cts(place, words):
    place.ensure_build()
    become_script(place, *on_driver(place, words))


def peer(place, words):
    needs.Needs(place).require('test')
    if not os.access(os.path.join(place.build, 'src/intel/tools/'
                                  'saffron-measure'), os.X_OK):
        place.ensure_build()
    environment.export_runtime_dir()
    export(SAFFRON_BUILD_DIR=place.build)
    become_script(place, words=words)


def corpus(place, words):
    needs.Needs(place).require('test')
    place.ensure_build()
    export(SAFFRON_BUILD_DIR=place.build)
    become_script(place, words=words)


def programs(place, words):
    needs.Needs(place).require('test')
    place.ensure_build()
    become_script(place, words=words)


def test(place, words):
    needs.Needs(place).require('build', 'run', 'test')
    export(SAFFRON_ROOT=place.root)
    become_script(place, words=[f'--build={place.build}', *words])


def fuzz(place, words):
    needs.Needs(place).require('test')
    place.ensure_build()
    if place.command.script.endswith('/rewrites.py'):
        environment.export_driver(place, 'skl')
    become_script(place, words=[f'--build={place.build}', *words])


def bench(place, words):
    needs.Needs(place).require('test')
    place.ensure_build()
    export(SAFFRON_ROOT=place.root, SAFFRON_ICD=place.icd(),
           SAFFRON_SHIM=place.shim())
    become_script(place, words=[f'--build={place.build}', *words])


RUNNERS = {f.__name__: f
           for f in (piglit, cts, peer, corpus, programs, test, fuzz,
                     bench)}


def run(place, words):
    row = place.command
    other = OTHER_SCRIPTS.get((row.name, words[0] if words else None))
    if other:
        del words[0]
    row.script = os.path.join(place.root, other or row.script)
    if wants_help(words):
        become([sys.executable, '-B', row.script, '--help'])
    RUNNERS[row.name](place, words)
    return 1
