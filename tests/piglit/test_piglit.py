#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of piglit/run.py with a program in piglit's place (fake_piglit.py)."""
import contextlib
import importlib.util
import io
import pathlib
import json
import os
import re
import sys
import tempfile
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = importlib.util.spec_from_file_location('piglit_run',
                                              os.path.join(HERE, 'run.py'))
run = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(run)


def run_main(options):
    with mock.patch.object(sys, 'argv', ['run', '--gen=none', *options]), \
            mock.patch.object(run.chips, 'family', lambda _path, name: name):
        return run.main()


class Parts(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        self.tsv = self.path('r.tsv')
        os.symlink(os.path.join(HERE, 'fake_piglit.py'), self.path('piglit'))

    def path(self, name):
        return os.path.join(self.dir.name, name)

    def runs(self):
        """What the program ran, since the last time."""
        with open(self.path('log'), encoding='utf-8') as log:
            lines = log.read().splitlines()
        os.remove(self.path('log'))
        return lines

    def piglit(self, *options, ends=''):
        """(exit code, stdout, stderr), with parts of four tests."""
        env = {'PATH': self.dir.name + ':' + os.environ['PATH'],
               'FAKE_PIGLIT_LOG': self.path('log'),
               'FAKE_PIGLIT_NOT_PASS': ends}
        out, err = io.StringIO(), io.StringIO()
        with mock.patch.object(run, 'PART', 4), \
                mock.patch.dict(os.environ, env), \
                contextlib.redirect_stdout(out), \
                contextlib.redirect_stderr(err):
            code = run_main(['--tsv', self.tsv, *options])
        return code, out.getvalue().splitlines(), err.getvalue()

    def test_wrong_options(self):
        """One line, before anything runs."""
        for options, words in ((['--every=0'], '--every wants'),
                               (['--batch=-1'], '--batch wants'),
                               (['-j0'], '--jobs wants'),
                               (['--timeout=0'], '--timeout wants'),
                               (['-t', '['], "-t '['"),
                               (['--platform=x'], 'invalid choice'),
                               (['--json', self.path('no/x')], 'No such'),
                               (['--results', self.dir.name], 'directory')):
            err = io.StringIO()
            with self.assertRaises(SystemExit) as end, \
                    contextlib.redirect_stderr(err):
                run_main([*options, '--list=/dev/null'])
            self.assertEqual(end.exception.code, 2, options)
            self.assertIn(words, err.getvalue())

    def test_unknown(self):
        """A name that the profile lacks is an error before anything runs."""
        with open(self.path('list'), 'w', encoding='utf-8') as f:
            f.write('t1\nx2\nx3\n')
        with self.assertRaises(SystemExit) as end:
            self.piglit('--list', self.path('list'))
        self.assertIn("list: 'x2' is no test of quick_shader (2 such names)",
                      end.exception.code)
        self.assertFalse(os.path.exists(self.path('log')))

    def test_known(self):
        """Of a list of another piglit what this one has is run, if anything."""
        with open(self.path('list'), 'w', encoding='utf-8') as f:
            f.write('t1\nx2\nt3\n')
        code, out, _ = self.piglit('--known', '--list', self.path('list'))
        self.assertEqual(code, 0)
        self.assertIn('1 of 3 names are no tests of this piglit', out)
        self.assertEqual(self.runs(), ['t1 t3'])
        with open(self.path('list'), 'w', encoding='utf-8') as f:
            f.write('x2\n')
        with self.assertRaises(SystemExit):
            self.piglit('--known', '--list', self.path('list'))

    def test_parts(self):
        """All tests run once, and it says how far it is."""
        code, out, err = self.piglit()
        self.assertEqual((code, out), (0, ['0 not as expected',
                                           '10 passed, 0 failed, 0 skipped']))
        self.assertEqual(self.runs(), ['t0 t1 t2 t3', 't4 t5 t6 t7', 't8 t9'])
        self.assertEqual(err.splitlines(), ['4 of 10 tests ran',
                                            '8 of 10 tests ran',
                                            '10 of 10 tests ran'])

    def test_one_part(self):
        self.assertEqual(self.piglit('-t', 't[12]')[2], '')

    def test_chaos(self):
        """What a line of chaos.txt spares a test is all that it is spared."""
        with open(self.path('chaos.txt'), 'w', encoding='utf-8') as f:
            f.write('math t1 # why\nmath t6 # why\n')
        for chaos, spared in (('7', '7:-math'), ('7:ids,math',
                                                 '7:ids,math,-math')):
            with mock.patch.object(run, 'HERE', self.dir.name), \
                    mock.patch.dict(os.environ, SAFFRON_SIM_CHAOS=chaos):
                code, out, _ = self.piglit(ends='t1=fail,t2=fail')
            self.assertEqual(code, 1)
            self.assertEqual(out[:2], ['t1: expected pass, got fail',
                                       't2: expected pass, got fail'])
            self.assertEqual(self.runs(), [
                f'{chaos} t0 t2 t3', f'{spared} t1', f'{chaos} t4 t5 t7',
                f'{spared} t6', f'{chaos} t8 t9'])

    def test_windows(self):
        """Some lines hold with a window system alone, some without alone."""
        with open(self.path('stock-none.txt'), 'w', encoding='utf-8') as f:
            f.write('skip t1 # needs a window\nfail t1 # in a window: why\n'
                    'fail t3 # why\n')
        with open(self.path('stock.txt'), 'w', encoding='utf-8') as f:
            f.write('skip t2 # needs a window\n')
        with open(self.path('stock-window.txt'), 'w', encoding='utf-8') as f:
            f.write('crash t4 # why\n')
        for options, ends in (([], 't1=skip,t2=skip,t3=fail'),
                              (['--platform=glx'], 't1=fail,t3=fail,t4=crash')):
            with mock.patch.object(run, 'HERE', self.dir.name):
                _, out, _ = self.piglit('--stock=libc.so.6', *options, ends=ends)
            self.assertEqual(out[0], '0 not as expected')

    def test_windows_beside_others(self):
        """What another's window may have disturbed runs again, alone."""
        for platform, again in (('glx', ['t1 t2']), ('gbm', [])):
            code, out, _ = self.piglit(f'--platform={platform}', '-j2', '-t',
                                       't[0-3]', ends='t1=fail,t2=crash')
            self.assertEqual(code, 1)
            self.assertEqual(self.runs(), ['t0 t1 t2 t3', *again])
            rows = ['t1: expected pass, got fail',
                    't2: expected pass, got crash']
            beside = [row + ' beside other windows' for row in rows]
            self.assertEqual(out[:-2], (beside if again else []) + rows)

    def test_time_limit(self):
        """A test that is watched may take longer."""
        for env, seconds in (({}, 900), ({'SAFFRON_SIM_STRICT': ''}, 900),
                             ({'SAFFRON_SIM_STRICT': 'report'}, 3600),
                             ({'SAFFRON_SIM_CHAOS': '7'}, 3600)):
            clean = {'SAFFRON_SIM_STRICT': '', 'SAFFRON_SIM_CHAOS': ''}
            with mock.patch.dict(os.environ, clean | env):
                self.assertEqual(run.time_limit(), seconds, env)

    def test_results(self):
        """What is kept of piglit's own words has all parts."""
        code, out, _ = self.piglit('--results', self.path('r.json'),
                                   ends='t1=fail,t9=crash')
        self.assertEqual(code, 1)
        self.assertEqual(out[:2], ['t1: expected pass, got fail',
                                   't9: expected pass, got crash'])
        with open(self.path('r.json'), encoding='utf-8') as f:
            tests = json.load(f)['tests']
        self.assertEqual(len(tests), 10)
        self.assertEqual(tests['t9']['result'], 'crash')

    def ran(self):
        """The file of what ran, for the time of a test."""
        path = pathlib.Path(self.path('ran.txt'))
        for name in ('record', 'report'):
            function = getattr(run.ran, name)
            patch = mock.patch.object(
                run.ran, name, lambda *a, f=function: f(*a, path=path))
            patch.start()
            self.addCleanup(patch.stop)
        return path

    def test_record(self):
        """A run is noted if it ends as expected, and is current until the
        rules change; a smaller part does not take a larger one's place."""
        path = self.ran()
        self.assertEqual(self.piglit('--current')[0], 1)
        self.piglit('--record', ends='t1=fail')
        self.assertFalse(path.exists())
        code, out, _ = self.piglit('--record', '--every=1')
        self.assertEqual(code, 0, out)
        self.assertEqual(len(run.ran.read(path)), 1)
        self.piglit('--record')
        self.assertEqual(len(run.ran.read(path)), 1)
        code, out, _ = self.piglit('--current')
        self.assertEqual(code, 0)
        self.assertIn('current', out[-1])
        with mock.patch.object(run.ran, 'digest', lambda: '0' * 12):
            code, out, _ = self.piglit('--current')
        self.assertEqual(code, 1)
        self.assertIn('older than the rules', out[-1])
        for options in (['-t', 'a'], ['--shard=1/2']):
            with self.assertRaises(SystemExit):
                self.piglit('--record', *options)

    def test_what_rules_say(self):
        """Words of comments and blanks are no rule."""
        self.assertEqual(run.ran.meaning('a  /* b\n */ =\n1; // c\n'),
                         'a = 1;')
        self.assertEqual(run.ran.python_meaning('"""Head."""\na = 1  # b\n'),
                         run.ran.python_meaning('a  =  1\n'))
        self.assertNotEqual(run.ran.python_meaning('a = 1'),
                            run.ran.python_meaning('a = 2'))
        self.assertRegex(run.ran.digest(), '^[0-9a-f]{12}$')

    def test_what_refuses(self):
        """Each source of the chip that makes a fault is in the digest, and so
        is each condition of a rule of instructions."""
        refusal = re.compile(r'\b(?:sim_\w*fault|cs_\w*fault|eu_decode_illegal|'
                             r'isa_breaks_\w+|refuse)\(')
        inside = set(run.ran.sources())
        count = 0
        for folder in ('isa', 'sim', 'genxml'):
            for path in (run.ran.ROOT / 'src/intel' / folder).rglob('*.c'):
                if 'tests' not in path.parts and refusal.search(
                        path.read_text(encoding='utf-8')):
                    self.assertIn(path, inside)
                    count += 1
        self.assertGreater(count, 40)

    def test_resume(self):
        """What the file has is not run again, but counts; half a line does
        not."""
        with open(self.tsv, 'w', encoding='utf-8') as f:
            f.write('t0\tpass\nt1\tfail\nt2\tgood\nt3\tpa')
        code, out, _ = self.piglit('--resume', '-t', 't[0-4]')
        self.assertEqual(self.runs(), ['t2 t3 t4'])
        self.assertEqual((code, out), (1, ['t1: expected pass, got fail',
                                           '1 not as expected',
                                           '4 passed, 1 failed, 0 skipped']))
        with open(self.tsv, encoding='utf-8') as f:
            self.assertEqual(f.read(), 't0\tpass\nt1\tfail\nt2\tpass\n'
                             't3\tpass\nt4\tpass\n')

    def test_stopped(self):
        """What ran before piglit went wrong is in the file."""
        with mock.patch.object(run, 'run_piglit',
                               side_effect=[{'tests': {
                                   f't{n}': {'result': 'pass'}
                                   for n in range(4)}}, SystemExit(1)]), \
                self.assertRaises(SystemExit):
            self.piglit()
        with open(self.tsv, encoding='utf-8') as f:
            self.assertEqual(len(f.readlines()), 4)


if __name__ == '__main__':
    unittest.main()
