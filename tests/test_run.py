#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of run.py: nothing that did not run, or did not say that it passed,
counts as passed."""
import contextlib
import io
import json
import os
import tempfile
import unittest
import unittest.mock

import run
from expectations import Expectations


def rows(*results):
    return ''.join(json.dumps({'name': f't{n}', 'result': r}) + '\n'
                   for n, r in enumerate(results))


class Stages(unittest.TestCase):
    def stage(self, result, ci=False, allowed=()):
        """(exit code, last line) of a run of one stage."""
        one = run.Run(ci, dict(allowed))
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            one.stage('s', result if callable(result) else lambda: result)
            code = one.end()
        return code, out.getvalue().splitlines()[-1]

    def test_passed(self):
        self.assertEqual(self.stage(run.Result(3)),
                         (0, '3 passed, 0 failed'))

    def test_failed(self):
        self.assertEqual(self.stage(run.Result(3, ['a', 'b'])),
                         (1, '3 passed, 2 failed'))

    def test_nothing(self):
        self.assertEqual(self.stage(run.Result()), (1, '0 passed, 1 failed'))
        self.assertEqual(self.stage(run.Result(0, [], ['a'])),
                         (1, '0 passed, 1 failed'))

    def test_no_stage(self):
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(run.Run(False, {}).end(), 1)

    def test_thrown(self):
        def throws():
            raise OSError('lost')
        self.assertEqual(self.stage(throws), (1, '0 passed, 1 failed'))

    def test_piglit(self):
        def result(code=0, unexpected=(), broken=()):
            return run.piglit_result({
                'as_expected': 2, 'unexpected': list(unexpected),
                'broken_rules': dict(broken)}, code)
        self.assertEqual(result().failed, [])
        self.assertEqual(result(1, ['a: expected pass, got fail']).failed,
                         ['a: expected pass, got fail'])
        self.assertEqual(result(1, broken={'CC-11': 3}).failed,
                         ['CC-11 broken in 3 places'])
        self.assertEqual(result(1).failed, ['piglit exits with 1'])

    def test_skipped(self):
        skips = run.Result(1, [], ['a'])
        self.assertEqual(self.stage(skips)[0], 0)
        self.assertEqual(self.stage(skips, ci=True)[0], 1)
        self.assertEqual(self.stage(run.Result(1, [], ['a']), ci=True,
                                    allowed={'s: a': 'why'})[0], 0)
        self.assertEqual(self.stage(run.Result(1, [], ['a']), ci=True,
                                    allowed={'other: a': 'why'})[0], 1)


class Skips(unittest.TestCase):
    def read(self, text):
        with tempfile.NamedTemporaryFile('w') as f:
            f.write(text)
            f.flush()
            return run.read_skips(f.name)

    def test_read(self):
        self.assertEqual(self.read('# all\n\nunit: a b # no X here\n'),
                         {'unit: a b': 'no X here'})

    def test_no_reason(self):
        for text in ('unit: a\n', 'unit: a #\n', 'a # why\n'):
            with self.assertRaises(SystemExit):
                self.read(text)

    def test_ours(self):
        run.read_skips(run.SKIPS)


class Expected(unittest.TestCase):
    def differences(self, text, results):
        with tempfile.NamedTemporaryFile('w', suffix='.txt') as f:
            f.write(text)
            f.flush()
            return Expectations([f.name], ('pass', 'fail')).differences(
                results)

    def test_differences(self):
        lines = 'fail b* # all of them\nfail c # broken\n'
        self.assertEqual(self.differences(lines, {'a': 'pass', 'b1': 'fail',
                                                  'c': 'fail'}), [])
        self.assertEqual(self.differences(lines, {'c': 'pass', 'd': 'fail'}),
                         [('c', 'fail', 'pass'), ('d', 'pass', 'fail')])

    def test_bad_line(self):
        for line in ('some a # reason\n', 'pass b3\n'):
            with self.assertRaisesRegex(SystemExit, ':1: expected'):
                self.differences(line, {})


class Build(unittest.TestCase):
    def test_configures(self):
        """Once, and again after packages were installed: Meson does not look
        for programs of its tests by itself."""
        with tempfile.TemporaryDirectory() as folder:
            ninja = os.path.join(folder, 'build.ninja')
            packages = os.path.join(folder, 'status')

            def meson():
                with unittest.mock.patch.object(run, 'PACKAGES', packages):
                    first, *more = run.commands_to_build(folder, ['-Dx=1'])
                self.assertEqual((more or [first])[0][0], 'ninja')
                return first[1:-2] if more else None

            self.assertEqual(meson(), ['setup', '-Dx=1'])
            for name in (ninja, packages):
                with open(name, 'w', encoding='utf-8'):
                    pass
            os.utime(packages, (1000, 1000))
            os.utime(ninja, (2000, 2000))
            self.assertEqual(meson(), None)
            os.utime(packages, (3000, 3000))
            self.assertEqual(meson(), ['setup', '--reconfigure'])
            os.unlink(packages)
            self.assertEqual(meson(), None)


class Programs(unittest.TestCase):
    def test_exit_codes(self):
        result = run.programs({'good': ['true'], 'bad': ['false'],
                               'none': ['sh', '-c', 'exit 77']})
        self.assertEqual((result.passed, result.failed, result.skipped),
                         (1, ['bad'], ['none']))

    @unittest.skipUnless(os.cpu_count() > 1, 'one processor')
    def test_at_once(self):
        """Two wait for each other; each one's words are in one piece."""
        with tempfile.TemporaryDirectory() as tmp:
            def one(mine, other):
                return ['sh', '-c', f'echo {mine}1; touch {tmp}/{mine}; '
                        f'for i in $(seq 100); do [ -e {tmp}/{other} ] && '
                        f'break; sleep 0.1; done; echo {mine}2; '
                        f'[ -e {tmp}/{other} ]']
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                codes = run.at_once(run.run_program,
                                    [one('a', 'b'), one('b', 'a')])
        self.assertEqual(codes, [0, 0])
        self.assertIn('a1\na2\n', out.getvalue())
        self.assertIn('b1\nb2\n', out.getvalue())



class Meson(unittest.TestCase):
    """unit_suites with a stand-in for Meson."""

    def suites(self, script, before=None):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, 'meson-logs'))
            log = os.path.join(folder, 'meson-logs', 'testlog.json')
            if before:
                with open(log, 'w', encoding='utf-8') as f:
                    f.write(before)
            meson = os.path.join(folder, 'meson')
            with open(meson, 'w', encoding='utf-8') as f:
                f.write(f'#!/bin/sh\nlog={log}\n{script}\n')
            os.chmod(meson, 0o755)
            return run.unit_suites(folder, 1, meson)

    def writes(self, *results, code=0):
        return f"cat >$log <<'E'\n{rows(*results)}E\nexit {code}"

    def test_rows(self):
        result = self.suites(self.writes(
            'OK', 'EXPECTEDFAIL', 'SKIP', 'FAIL', 'TIMEOUT', 'ERROR',
            'UNEXPECTEDPASS', 'INTERRUPT', code=1))
        self.assertEqual(result.passed, 2)
        self.assertEqual(result.skipped, ['t2'])
        self.assertEqual(len(result.failed), 5)

    def test_exit_code(self):
        self.assertEqual(self.suites(self.writes('OK')).failed, [])
        self.assertEqual(len(self.suites(self.writes('OK', code=1)).failed),
                         1)

    def test_stale_log(self):
        result = self.suites('exit 0', before=rows('OK', 'OK'))
        self.assertEqual(result.passed, 0)
        self.assertEqual(len(result.failed), 1)

    def test_half_a_log(self):
        with self.assertRaises(ValueError):
            self.suites('printf \'{"name": "t0", \' >$log')


if __name__ == '__main__':
    unittest.main()
