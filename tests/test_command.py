#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of bin/saffron itself: test_command.py BIN_SAFFRON BUILD"""
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import weston

SAFFRON, BUILD = sys.argv[1:3]
sys.path.append(os.path.dirname(SAFFRON))
# pylint: disable=wrong-import-position
from command import chips, helptext, needs, runner  # noqa: E402
from command.errors import Failure  # noqa: E402
from command.place import Place  # noqa: E402
from command.table import BY_NAME, COMMANDS  # noqa: E402


def saffron(*words, cwd=None, **env):
    """The command, with a changed environment, to its end."""
    env = {'SAFFRON_BUILD_DIR': BUILD, **env}
    return subprocess.run([SAFFRON, *words], cwd=cwd, text=True, check=False,
                          env=dict(os.environ,
                                   **{k: str(v) for k, v in env.items()}),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Needs(unittest.TestCase):
    """Of the system: bin/dependencies.txt."""

    def needs(self, table=None, dpkg=None):
        return needs.Needs(Place(SAFFRON), table, dpkg)

    def test_probes(self):
        """What Debian has installed is found without asking Debian."""
        if not shutil.which('dpkg-query'):
            self.skipTest('no Debian')
        rows, others = ({r.package for r in
                         self.needs(dpkg=dpkg).missing(*needs.SETS)}
                        for dpkg in (True, False))
        self.assertEqual(others - rows, set())

    def test_names(self):
        """Each missing piece by name and purpose."""
        kinds = {'program': 'no-such-program', 'module': 'no-such-module',
                 'python': 'no_such_python', 'header': 'no/such.h',
                 'library': 'libnosuch.so.1', 'file': '/no/such/*.json'}
        with tempfile.NamedTemporaryFile('w', encoding='utf-8') as table:
            table.write(''.join(f'build\tnone-{k}\t{k}:{v}\tpurpose of {k}\n'
                                for k, v in kinds.items()))
            table.flush()
            there = self.needs(table.name, dpkg=False)
            text = there.describe(there.missing('build'))
            for kind, name in kinds.items():
                self.assertRegex(text, rf'(?m)^  {re.escape(name)} +purpose '
                                       rf'of {kind} \(Debian: none-{kind}\)$')
            with self.assertRaisesRegex(Failure, 'install these'), \
                    contextlib.redirect_stderr(io.StringIO()):
                there.require('build')
            if shutil.which('dpkg-query'):
                there = self.needs(table.name)
                text = there.describe(there.missing('build'))
                self.assertRegex(text, '(?m)^  none-file +purpose of file$')

    def test_list(self):
        text = saffron('packages', 'build').stdout
        self.assertIn('python3-mako', text)
        self.assertNotIn('piglit', text)
        self.assertEqual(saffron('packages', 'nonsense').returncode, 2)


class Usage(unittest.TestCase):
    def test_names(self):
        """A tool's help is about what was typed."""
        for tool in ('asm', 'compile', 'd3d', 'decode', 'disasm',
                     'structurize', 'trace', 'gp-run'):
            for words in ((tool, '--help'), (tool, '--no-such-option')):
                done = saffron(*words)
                text = done.stdout + done.stderr
                self.assertRegex(text, rf'usage: saffron {tool}\b')
                self.assertNotIn(f'saffron-{tool}', text)


class Window(unittest.TestCase):
    """tests/weston.py, where it does not start."""

    def test_first_cause(self):
        log = ('[09:00:00.1] weston 10.0.1\n'
               '[09:00:00.2] GL extensions: GL_EXT_blend GL_KHR_no_error\n'
               '[09:00:00.3] failed to bind to /tmp/.X11-unix/X0: No such '
               'file or directory\n' + '  GL_EXT_long_list_of\n' * 300 +
               '[09:00:00.4] fatal: failed to create display\n')
        text = weston.first_cause(log)
        self.assertTrue(text.startswith('failed to bind to /tmp/.X11-unix'),
                        text)
        self.assertIn('fatal: failed to create', text)
        self.assertNotIn('GL_', text)
        self.assertIn('nothing', weston.first_cause(''))
        self.assertEqual(weston.first_cause('a\nb\n'), 'a; b')

    def test_folder(self):
        """That of the sockets of X servers is made where there is none."""
        with tempfile.TemporaryDirectory() as place, \
                unittest.mock.patch.object(weston, 'X_FOLDER',
                                           place + '/.X11-unix'):
            for _ in range(2):
                weston.make_x_folder()
                mode = os.stat(weston.X_FOLDER).st_mode
                self.assertEqual(mode & 0o7777, 0o1777)
        with unittest.mock.patch.object(weston, 'X_FOLDER', '/dev/null/x'), \
                self.assertRaisesRegex(RuntimeError, '/dev/null/x cannot be'):
            weston.make_x_folder()

    def test_screenshot(self):
        for words, why in ((('--screenshot=x.png',), 'of --window'),
                           (('--window', '--screenshot=/no/where'),
                            'cannot be written')):
            done = saffron('run', *words, '--', 'true')
            self.assertEqual(done.returncode, 2)
            self.assertIn(why, done.stderr)


class Build(unittest.TestCase):
    def icd(self, build, directory):
        """What a program in `directory` is told to load."""
        done = subprocess.run([SAFFRON, 'run', '--', 'printenv',
                               'VK_ICD_FILENAMES'], cwd=directory,
                              env=dict(os.environ, SAFFRON_BUILD_DIR=build),
                              stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout.strip()

    def test_relative(self):
        """A build that is named from here is the same one elsewhere."""
        parent, name = os.path.split(BUILD)
        path = self.icd(name, parent)
        self.assertEqual(path, self.icd(BUILD, '/'))
        self.assertTrue(os.path.isabs(path))
        self.assertTrue(os.path.exists(path))

    def test_mistyped(self):
        """A build that is not there is not made by the way."""
        build = BUILD + '-mistyped'
        for command in (['run', '--', 'true'], ['compile', '/dev/null']):
            done = subprocess.run([SAFFRON, *command], timeout=60,
                                  env=dict(os.environ,
                                           SAFFRON_BUILD_DIR=build),
                                  stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.STDOUT, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"there is no build in '{build}'", done.stdout)
            self.assertFalse(os.path.exists(build))


class Options(unittest.TestCase):
    def device(self, *options):
        """The device that a program is told to take."""
        env = dict(os.environ, SAFFRON_BUILD_DIR=BUILD)
        env.pop('SAFFRON_DEVICE', None)
        return subprocess.run([SAFFRON, 'run', *options, '--', 'printenv',
                               'SAFFRON_DEVICE'], env=env, text=True,
                              stdout=subprocess.PIPE, check=True
                              ).stdout.strip()

    def test_value_of_its_own(self):
        """An option's value may be the next word, in any command."""
        self.assertEqual(self.device('--gen', 'hsw'), 'sim:hsw')
        self.assertEqual(self.device('--gen=ivb'), 'sim:ivb')
        done = subprocess.run([SAFFRON, 'piglit', '--gen', 'hsv', '--list',
                               '/dev/null'], stdout=subprocess.PIPE,
                              env=dict(os.environ, SAFFRON_BUILD_DIR=BUILD),
                              stderr=subprocess.STDOUT, text=True,
                              check=False)
        self.assertIn("unknown generation 'hsv'", done.stdout)
        self.assertEqual(done.returncode, 2)

    def test_before_the_build(self):
        """A wrong generation costs no build."""
        with tempfile.TemporaryDirectory() as folder:
            build = os.path.join(folder, 'build')
            for command in ('demo', 'run', 'shim', 'piglit', 'cts'):
                done = subprocess.run([SAFFRON, command, '--gen=hsv'],
                                      env=dict(os.environ,
                                               SAFFRON_BUILD_DIR=build),
                                      stdout=subprocess.PIPE, text=True,
                                      stderr=subprocess.STDOUT, check=False)
                self.assertIn("unknown generation 'hsv'", done.stdout)
                self.assertEqual(done.returncode, 2)
                self.assertFalse(os.path.exists(build))

    def test_no_value(self):
        done = subprocess.run([SAFFRON, 'run', '--gen'], text=True,
                              stdout=subprocess.PIPE, check=False,
                              stderr=subprocess.STDOUT)
        self.assertIn("run: '--gen' wants a value", done.stdout)
        self.assertEqual(done.returncode, 2)

    def test_looking(self):
        """Before the program runs, which might not complain of no GPU."""
        for option, words in (('--chaos=abc', 'is a seed'),
                              ('--chaos=1:noise', "not '1:noise'"),
                              ('--rules=ZZ-99', "no rule 'ZZ-99'"),
                              ('--strict=maybe', 'report or fault'),
                              ('--trace-filter=xs', "'xs'"),
                              ('--window=0x5', 'is WIDTHxHEIGHT'),
                              ('--window=', 'is WIDTHxHEIGHT'),
                              ('--screenshot=a', 'of --window'),
                              ('--trace=/no/where', 'cannot be written'),
                              ('--stats=/no/where', 'cannot be written')):
            for command in ('run', 'shim'):
                done = subprocess.run([SAFFRON, command, option, '--', 'echo',
                                       'ran'], stdout=subprocess.PIPE,
                                      env=dict(os.environ,
                                               SAFFRON_BUILD_DIR=BUILD),
                                      stderr=subprocess.PIPE, text=True,
                                      check=False)
                self.assertIn(words, done.stderr)
                self.assertEqual((done.returncode, done.stdout), (2, ''))

    def test_stats(self):
        """Behind what the program prints, and its exit code stays."""
        done = saffron('run', '--stats=json', '--', 'sh', '-c',
                       'echo text; echo counters >$SAFFRON_SIM_STATS.part; '
                       'mv $SAFFRON_SIM_STATS.part $SAFFRON_SIM_STATS; '
                       'exit 3')
        self.assertEqual((done.stdout, done.returncode),
                         ('text\ncounters\n', 3))
        done = saffron('run', '--stats=json', '--', 'sh', '-c', 'kill -9 $$')
        self.assertEqual((done.stdout, done.returncode), ('', 137))

    def test_runner(self):
        """What is about the driver is heard before a runner of tests starts,
        and all else is the runner's, in its order."""
        from command import runner
        place = Place(SAFFRON)
        place.command = BY_NAME['piglit']
        words = ['--list', 'a', 'b', '-t', 'x y', '--gen=ivb', '-j4',
                 '--stock=lib', '--results=c']
        for option, name, value in (
                ('--strict', 'STRICT', 'report'),
                ('--strict=fault', 'STRICT', 'fault'),
                ('--rules=PC', 'RULES', 'PC'), ('--chaos=1', 'CHAOS', '1')):
            for at in range(len(words) + 1):
                if words[at - 1] in ('--list', '-t'):
                    continue
                with unittest.mock.patch.dict(os.environ):
                    before, rest = runner.on_driver(
                        place, [*words[:at], option, *words[at:], '--', 'z',
                                '--strict=other'])
                    self.assertEqual(os.environ['SAFFRON_SIM_' + name], value)
                    self.assertEqual(os.environ['SAFFRON_DEVICE'], 'sim:ivb')
                self.assertEqual(before, [])
                self.assertEqual(rest, words + ['--', 'z', '--strict=other'])
        with unittest.mock.patch.dict(os.environ):
            self.assertEqual(runner.on_driver(place, ['--stock', 'a'])[1],
                             ['--stock=' + place.shim(), 'a'])
            self.assertNotIn('VK_DRIVER_FILES', os.environ)

    def test_of_the_program(self):
        """What follows the program's name is the program's."""
        done = subprocess.run([SAFFRON, 'run', '--', 'echo', '--gen', 'hsw'],
                              env=dict(os.environ, SAFFRON_BUILD_DIR=BUILD),
                              stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(done.stdout, '--gen hsw\n')

    def test_generations(self):
        """Those of the simulator, in every command; the others have a name
        in the complaint."""
        tool = Path(BUILD) / 'src/intel/tools/saffron-sim-options'
        gens = Place(SAFFRON).generations()
        for gen in [f'{g}{size}' for g in gens
                    for size in ('', '-gt1', '-gt2', '-gt3', '-gt4', '-gt5')]:
            known = subprocess.run([tool, gen], stderr=subprocess.PIPE,
                                   text=True, check=False)
            self.assertEqual(known.returncode, 2 if known.stderr else 0, gen)
            listed = gen in gens or gen in gens[gen.partition('-')[0]]
            self.assertEqual(known.returncode == 0, listed, gen)
            if known.stderr:
                self.assertIn(f"unknown generation '{gen}'", known.stderr)
            command = 'shim' if gen == 'ivb-gt4' else 'run'
            done = saffron(command, f'--gen={gen}', '--', 'true')
            self.assertEqual(done.returncode, known.returncode, gen)
            self.assertEqual(f"unknown generation '{gen}'" in done.stderr,
                             bool(known.stderr))

    def test_chips(self):
        """Each chip, size and other name is one of the table in C, and one
        of a generation."""
        table = Path(SAFFRON).parent.parent / chips.SOURCE
        others = chips.other_names(table.as_posix())
        for name in [*others, *chips.FAMILIES, 'bxt-2x6', 'kbl-gt1.5']:
            done = saffron('run', f'--gen={name}', '--', 'true')
            self.assertEqual(done.returncode, 0, name)
        for name, family in (('ivb', 'ivb'), ('byt', 'ivb'), ('apl', 'skl'),
                             ('kbl-gt3', 'skl'), ('hsw-gt1', 'hsw'),
                             ('sk', None), ('', None)):
            self.assertEqual(chips.family(table, name), family)

    def test_mali400(self):
        """What has a tool of its own for the chip, and nothing else."""
        for tool in ('decode', 'trace', 'd3d', 'structurize'):
            for words in (['--gen=mali400'], ['--gen', 'mali400'],
                          ['-g', 'mali400']):
                done = saffron(tool, *words, '/dev/null')
                self.assertEqual(done.returncode, 2, tool)
                self.assertIn(f'{tool}: --gen=mali400 is for compile',
                              done.stderr)
        done = saffron('gp-run', '--gen=mali400', '--help')
        self.assertIn('usage: saffron gp-run', done.stdout)
        done = saffron('asm', '--gen=mali400', '--help')
        self.assertIn('usage: saffron asm --gen=mali400', done.stdout)


    def test_rules_unread(self):
        """Nowhere to write to is an error, no traceback."""
        rules = Path(SAFFRON).parents[1] / 'src/intel/sim/strict/rules'
        for out in (os.open('/dev/full', os.O_WRONLY), self.closed_pipe()):
            done = subprocess.run([sys.executable, '-B', rules / 'table.py',
                                   'list'], stdout=out, check=False,
                                  stderr=subprocess.PIPE, text=True)
            os.close(out)
            self.assertEqual(done.returncode, 2)
            self.assertLess(len(done.stderr.splitlines()), 2)

    @staticmethod
    def closed_pipe():
        reading, writing = os.pipe()
        os.close(reading)
        return writing


class Output(unittest.TestCase):
    """No tool takes what it could not write for written."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)

    def file(self, name, content):
        (self.path / name).write_bytes(content)
        return str(self.path / name)

    def test_full(self):
        nir = str(Path(SAFFRON).parents[1] /
                  'src/compiler/nir/tests/mesa/zink.vert.nir')
        vert = self.file('a.vert', b'#version 450\n'
                         b'void main() { gl_Position = vec4(0.0); }\n')
        batch = self.file('batch', b'05000000\n')
        eu = self.file('a.asm', b'nop\n')
        gp = self.file('a.gp', b'nop\n')
        zeros = self.file('zeros', bytes(16))
        trace = self.file('trace', b'SAFTRACE\3\0\0\0\x5a\0\0\0' + bytes(8))
        for words in (['compile', nir], ['compile', '--stats', nir],
                      ['compile', '--stats=json', nir], ['compile', '--help'],
                      ['compile', '--passes', nir],
                      ['compile', '--gen=mali400', vert],
                      ['compile', '--gen=mali400', '--stats=json', vert],
                      ['asm', '--gen=skl', eu],
                      ['asm', '--gen=mali400', gp],
                      ['disasm', '--gen=skl', '--hex',
                       self.file('hex', b'00' * 16)],
                      ['disasm', '--gen=mali400', zeros],
                      ['decode', '--hex', batch], ['structurize', nir],
                      ['structurize', '-o', '-', nir],
                      ['d3d', 'emit', '-t', '-p', 'vs_3_0', vert],
                      ['gp-run', gp], ['trace', trace], ['rules']):
            self.fails(words, SAFFRON, *words)
        measure = Path(BUILD) / 'src/intel/tools/saffron-measure'
        eu = self.file('eu', subprocess.run(
            [SAFFRON, 'asm', '--gen=skl', eu], stdout=subprocess.PIPE,
            env=dict(os.environ, SAFFRON_BUILD_DIR=BUILD), check=True).stdout)
        self.fails('measure', measure, '--gen=skl', eu)

    def fails(self, what, *command):
        env = dict(os.environ, SAFFRON_BUILD_DIR=BUILD)
        with open('/dev/full', 'wb') as full:
            done = subprocess.run(command, env=env, stdout=full, check=False,
                                  stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 2, (what, done.stderr))
        self.assertIn('standard output: ', done.stderr, what)
        self.assertNotIn('Traceback', done.stderr)

    def test_color(self):
        done = saffron('decode', '--color=purple', '/dev/null')
        self.assertEqual((done.returncode, done.stderr),
                         (2, "saffron decode: --color is not 'purple'\n"))


class Passes(unittest.TestCase):
    """compile --passes."""
    NIR = str(Path(SAFFRON).parents[1] /
              'src/compiler/nir/tests/mesa/zink.frag.nir')
    ROW = re.compile(r'(\S+) +(NIR|SIMD\d+) +(\d+) +(\d+)')

    def passes(self, *words):
        done = saffron('compile', *words, SAFFRON_BUILD_DIR=BUILD)
        text, _, table = done.stdout.partition('pass      ')
        return done, text, self.ROW.findall(table)

    def test_all(self):
        done, text, rows = self.passes('--passes', self.NIR)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('NIR', [row[1] for row in rows])
        self.assertIn('eu_allocate_registers', [row[0] for row in rows])
        # Headings and lines are those that the table has counted.
        self.assertEqual(re.findall(r'^-- (\S+) \((\S+)\)$', text, re.M),
                         [row[:2] for row in rows])
        for sign, column in ('+', 2), ('-', 3):
            lines = [line for line in text.split('\n')
                     if line.startswith(sign) and
                     not re.match(r'-- \S+ \(', line)]
            self.assertEqual(len(lines), sum(int(row[column])
                                             for row in rows))
        # A program that each pass left as it was is not there.
        self.assertTrue(all(int(row[2]) + int(row[3]) for row in rows))

    def test_one(self):
        done, text, rows = self.passes('--passes=eu_schedule', self.NIR)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({row[0] for row in rows}, {'eu_schedule'})
        done, text, rows = self.passes('--passes=nir_none', self.NIR)
        self.assertEqual((done.returncode, text, rows), (2, '', []))
        self.assertIn('nir_none', done.stderr)

    def test_errors(self):
        for words, code in (('/no/such/file',), 2), (('--gen=x',), 2), \
                (('--format=nir', '/dev/null'), 1):
            done, text, _ = self.passes('--passes', *words)
            self.assertEqual((done.returncode, text), (code, ''))
            self.assertTrue(done.stderr)


class Help(unittest.TestCase):
    """What --help says is also in the manual and what shells complete."""

    def complete(self, *words):
        return saffron('--complete', *words).stdout.split()

    def test_parse(self):
        usage, parts = helptext.parse(
            'usage: a [X]\n       more\nWhat it is.\n\n  an example\n\n'
            '  -x, --xx=A,B  takes two\n                values\n'
            '      --one=O, --two=T   of both\n  --long[=fault]\n'
            '                later\n  -v  short\n')
        self.assertEqual(usage, 'a [X] more')
        self.assertEqual([(p.kind, p.head, p.text()) for p in parts], [
            ('text', None, 'What it is.'), ('example', None, 'an example'),
            ('option', '-x, --xx=A,B', 'takes two values'),
            ('option', '--one=O, --two=T', 'of both'),
            ('option', '--long[=fault]', 'later'), ('option', '-v', 'short')])

    def test_each(self):
        """The help of each command is complete for the parser: what looks
        like an option is one."""
        for row in COMMANDS:
            if row.name == 'help':
                continue
            text = saffron(row.name, '--help').stdout
            options = helptext.options(text)
            self.assertIn('--help', options, row.name)
            for line in text.splitlines():
                for name in re.findall(r'^ {1,6}(?:-\w, )?(--[a-z][\w-]*)',
                                       line):
                    self.assertTrue({name, name + '='} & set(options),
                                    (row.name, name))
            self.assertEqual(self.complete(row.name, '--'), options + ['--'] *
                             (row.name in ('run', 'shim', 'view')))

    def test_scripts(self):
        """What a script does has somebody who starts it."""
        self.assertEqual({c.name for c in COMMANDS if c.script},
                         set(runner.RUNNERS))

    def test_complete(self):
        names = [c.name for c in COMMANDS]
        self.assertEqual(self.complete(''), names + ['--help', '--version'])
        self.assertEqual(self.complete('str'), ['structurize'])
        gens = [g for gen, sizes in Place(SAFFRON).generations().items()
                for g in (gen, *sizes)]
        for words in (['run', '--gen='], ['piglit', '--gen='],
                      ['compile', '-x', '--gen=']):
            self.assertEqual(self.complete(*words)[:len(gens)],
                             ['--gen=' + g for g in gens])
        self.assertEqual(self.complete('run', '--gen', '')[:len(gens)], gens)
        self.assertEqual(self.complete('asm', '--gen=m'), ['--gen=mali400'])
        self.assertEqual(self.complete('run', '--gen=m'), [])
        self.assertEqual(self.complete('run', '--strict=f'),
                         ['--strict=fault'])
        self.assertIn('--effort=', self.complete('compile', '--gen=mali400',
                                                 '--'))
        # Files, and what another program takes.
        for words in (['compile', ''], ['run', '--', 'ls', '--'],
                      ['run', '--gen', 'skl', 'ls', '--'], ['nothing', ''],
                      ['help', '']):
            self.assertEqual(self.complete(*words), [])

    def test_shells(self):
        """The scripts in bin/completion, by the shells that there are."""
        with tempfile.TemporaryDirectory() as place:
            os.symlink(SAFFRON, place + '/saffron')
            folder = os.path.dirname(SAFFRON) + '/completion'
            bash = (f'. {folder}/saffron.bash\ncompopt() {{ :; }}\n'
                    'try() { COMP_LINE=$1 COMP_POINT=${#1}; COMPREPLY=(); '
                    '_saffron; echo "${COMPREPLY[*]}"; }\n'
                    'try "saffron comp"; try "saffron run --gen=sk"; '
                    'try "saffron run --gen sk"; try "saffron asm a"')
            gens = [g for g in self.complete('run', '--gen', 'sk')]
            want = ['compile', *[' '.join(gens)] * 2, '']
            path = f'{place}:{os.environ["PATH"]}'
            done = subprocess.run(['bash', '-c', bash], text=True, check=True,
                                  env=dict(os.environ, PATH=path),
                                  stdout=subprocess.PIPE)
            self.assertEqual(done.stdout.splitlines(), want)
            if shutil.which('fish'):
                done = subprocess.run(
                    ['fish', '--no-config', '-c',
                     f'source {folder}/saffron.fish\n'
                     "complete -C 'saffron comp'\n"
                     "complete -C 'saffron run --gen=sk'"], text=True,
                    env=dict(os.environ, PATH=path), check=True,
                    stdout=subprocess.PIPE)
                self.assertEqual(done.stdout.split(), [
                    'compile', *('--gen=' + g for g in gens)])
            if shutil.which('zsh'):
                done = subprocess.run(
                    ['zsh', '-f', '-c', 'compadd() { print -r -- "$@"; }\n'
                     '_default() { print files; }\n'
                     'try() { words=("$@") CURRENT=$#; '
                     f'. {folder}/_saffron; }}\n'
                     'try saffron comp; try saffron run --gen=sk; '
                     "try saffron asm ''; try saffron compile --o"],
                    text=True, env=dict(os.environ, PATH=path), check=True,
                    stdout=subprocess.PIPE)
                self.assertEqual(done.stdout.splitlines(), [
                    '-- compile', '-- ' + ' '.join('--gen=' + g
                                                   for g in gens),
                    'files', '-S  -- --output='])

    def test_chips(self):
        """The table in C, and the file that is installed of it."""
        source = Path(SAFFRON).parents[1] / chips.SOURCE
        with tempfile.TemporaryDirectory() as place:
            out = place + '/chips'
            subprocess.run([sys.executable, chips.__file__, source, out],
                           check=True)
            self.assertEqual(chips.read(out), chips.read(str(source)))
            self.assertIn('skl-gt4', chips.read(out)['skl'])


class Files(unittest.TestCase):
    """Files of the user, and our own in between."""

    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        self.path = Path(self.dir.name).resolve()

    def test_links(self):
        """What is no file of its own is not removed for a trace."""
        there = self.path / 'there'
        there.write_text('kept', encoding='utf-8')
        for name, target in (('link', there), ('dangling', 'nowhere'),
                             ('device', '/dev/null')):
            link = self.path / name
            link.symlink_to(target)
            for option in ('trace', 'stats'):
                done = saffron('run', f'--{option}={link}', '--', 'true')
                self.assertEqual((done.returncode, done.stderr), (0, ''))
                self.assertTrue(link.is_symlink(), option)
        self.assertEqual(there.read_text(encoding='utf-8'), 'kept')
        done = saffron('run', f'--trace={there}', '--', 'true')
        self.assertEqual(done.returncode, 0)
        self.assertFalse(there.exists())

    def test_relative(self):
        """The names are of where one stands, not of where the program goes."""
        for option, name in (('stats', 'SAFFRON_SIM_STATS'),
                             ('trace', 'SAFFRON_SIM_TRACE_FILE')):
            done = saffron('run', f'--{option}=a/../file', '--', 'env', '-C',
                           '/', 'printenv', name, cwd=self.make('a'))
            self.assertEqual(done.stdout, f'{self.path}/a/../file\n')

    def test_record(self):
        """What is beside a recording goes with it, and nothing else."""
        other = self.path / '.shaders'
        files = [self.path / name for name in ('a', 'a.shaders')]
        for path in [other, *files]:
            path.write_text('there', encoding='utf-8')
        self.assertEqual(saffron('run', '--stats=json', '--', 'true',
                                 cwd=self.path).returncode, 0)
        self.assertTrue(other.exists() and all(p.exists() for p in files))
        done = saffron('run', '--record=a', '--', 'printenv',
                       'SAFFRON_SIM_TRACE_FILTER', cwd=self.path)
        self.assertRegex(done.stdout, r'\bmemory\b.*\bthreads=0\b')
        self.assertTrue(other.exists() and not any(p.exists() for p in files))
        for words in (['--record=a', '--trace=b'],
                      ['--record=a', '--trace-filter=vs']):
            done = saffron('run', *words, '--', 'true', cwd=self.path)
            self.assertEqual(done.returncode, 2)
            self.assertIn('in place of --trace', done.stderr)

    def test_view_options(self):
        """What is wrong is said before anything is served."""
        for words, text in (([], 'which recording'),
                            (['/no/where'], "no file '/no/where'"),
                            (['--'], 'which recording'),
                            (['--port=x', '/dev/null'], 'invalid int'),
                            (['--nonsense', '/dev/null'], '--nonsense')):
            done = saffron('view', *words)
            self.assertEqual((done.returncode, done.stdout), (2, ''))
            self.assertIn(text, done.stderr)

    def make(self, name):
        (self.path / name).mkdir(exist_ok=True)
        return self.path

    def fake_build(self, demo):
        """A build that needs no work, whose demo is a line of a shell."""
        build = self.path / 'build'
        (build / 'demo').mkdir(parents=True)
        (build / 'build.ninja').write_text('', encoding='utf-8')
        program = build / 'demo/mandelbrot'
        program.write_text(f'#!/bin/sh\n{demo}\n', encoding='utf-8')
        program.chmod(0o755)
        return build

    def test_demo(self):
        """It leaves nothing behind where it cannot draw."""
        build = self.fake_build('exit 1')
        self.make('tmp')
        done = saffron('demo', f'--out={self.path}', SAFFRON_BUILD_DIR=build,
                       TMPDIR=self.path / 'tmp', XDG_RUNTIME_DIR=self.path)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn('the demo failed', done.stderr)
        self.assertEqual(os.listdir(self.path / 'tmp'), [])

    def test_demo_options(self):
        """It says what is wrong before it builds."""
        for option, words in (('--out=/no/where', "'/no/where' is no dir"),
                              ('--size=0x8', '--size is WIDTHxHEIGHT'),
                              ('--size=8', '--size is WIDTHxHEIGHT'),
                              ('--siz=8x8', 'unknown option'),
                              ('--size=8x16385', '--size is WIDTHxHEIGHT'),
                              ('--size=8x', '--size is WIDTHxHEIGHT')):
            done = saffron('demo', option, SAFFRON_BUILD_DIR='/no/where')
            self.assertEqual(done.returncode, 2, option)
            self.assertIn(words, done.stderr)

    def test_help(self):
        """It prints, and installs and builds nothing."""
        fake = self.make('bin') / 'bin'
        for name in ('dpkg-query', 'apt-get', 'sudo', 'ninja', 'meson'):
            (fake / name).write_text(f'#!/bin/sh\n: >{self.path}/called\n'
                                     'exit 1\n', encoding='utf-8')
            (fake / name).chmod(0o755)
        for command in ('demo', 'test', 'run', 'shim', 'rules', 'peer',
                        'piglit', 'cts', 'programs', 'fuzz', 'bench',
                        'doctor', 'build'):
            done = saffron(command, '--help', PATH=f"{fake}:{os.environ['PATH']}",
                           SAFFRON_BUILD_DIR='/no/where')
            self.assertEqual((done.returncode, done.stderr), (0, ''), command)
            self.assertIn(f'saffron {command}', done.stdout)
            self.assertFalse((self.path / 'called').exists(), command)
        for command in ('build', 'doctor'):
            done = saffron(command, '--gen=skl', SAFFRON_BUILD_DIR='/no/where')
            self.assertEqual(done.returncode, 2)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
