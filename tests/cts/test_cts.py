#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of cts/run.py with a program that crashes, hangs and loses its device
on demand (fake_deqp.py)."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import run  # noqa: E402

FAKE = os.path.join(HERE, 'fake_deqp.py')
WANT = {'pass1': 'pass', 'fail1': 'fail', 'crash1': 'crash', 'pass2': 'pass',
        'skip1': 'skip', 'hang1': 'timeout', 'warn1': 'warn', 'lost1': 'lost',
        'exit1': 'crash', 'lines1': 'fail', 'gone1': 'lost', 'pass3': 'pass',
        'slow1': 'pass', 'spin1': 'timeout'}


def cts(*options, env=None):
    return subprocess.run(
        [sys.executable, '-B', os.path.join(HERE, 'run.py'), '--gen=none',
         *options], env=dict(os.environ, **(env or {})),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def results(path):
    with open(path, encoding='utf-8') as lines:
        rows = [line.rstrip('\n').split('\t') for line in lines]
    return {row[0].rsplit('.', 1)[1]: row[1] for row in rows}


class Runs(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        self.tsv = os.path.join(self.dir.name, 'r.tsv')
        self.log = os.path.join(self.dir.name, 'log')

    def run_fake(self, *options, **env):
        return cts('--deqp-vk', FAKE, '--timeout=2', '--results', self.tsv,
                   *options, env=dict(env, FAKE_DEQP_LOG=self.log))

    def processes(self):
        with open(self.log, encoding='utf-8') as lines:
            return len(lines.readlines())

    def test_every_end(self):
        """Each case ends as it should, whatever ended beside it."""
        for chunk, jobs in (('200', '1'), ('1', '4'), ('3', '2')):
            done = self.run_fake(f'--chunk={chunk}', f'-j{jobs}')
            self.assertEqual(results(self.tsv), WANT)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stdout.splitlines()[-2:],
                             ['9 not as expected',
                              '5 passed, 8 failed, 1 skipped'])
        self.assertIn('crash1: expected pass, got crash (signal 11)',
                      done.stdout)
        self.assertIn('exit1: expected pass, got crash (the program ended '
                      'with 3)', done.stdout)

    def test_restarts(self):
        """A new process only where the last one ended."""
        self.run_fake('--chunk=200', '-j1')
        self.assertEqual(self.processes(), 6)

    def test_green(self):
        done = self.run_fake('-t', 'pass')
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]),
                         (0, '3 passed, 0 failed, 0 skipped'))

    def test_resume(self):
        """What the file has is not run again; half a line does not count."""
        with open(self.tsv, 'w', encoding='utf-8') as f:
            f.write('dEQP-FAKE.a.pass1\tpass\tsays pass\n'
                    'dEQP-FAKE.a.pass2\tpa')
        done = self.run_fake('-t', 'pass[12]', '--resume')
        self.assertEqual(done.stdout.splitlines()[-1],
                         '2 passed, 0 failed, 0 skipped')
        with open(self.log, encoding='utf-8') as f:
            self.assertEqual(f.read(), 'dEQP-FAKE.a.pass2\n')

    def test_dead_program(self):
        """A program that ends before its first case costs no case its
        result, and no time without end."""
        done = self.run_fake('-t', 'pass', FAKE_DEQP_DEAD='1')
        self.assertEqual(done.stdout.splitlines()[-1],
                         '0 passed, 3 failed, 0 skipped')

    def test_caselist(self):
        listed = os.path.join(self.dir.name, 'list')
        with open(listed, 'w', encoding='utf-8') as f:
            f.write('# one\ndEQP-FAKE.a.pass1\n')
        done = self.run_fake(f'--caselist={listed}')
        self.assertEqual(done.stdout.splitlines()[-1],
                         '1 passed, 0 failed, 0 skipped')
        # glcts is asked for the packages of the list.
        done = cts('--glcts', FAKE, f'--caselist={listed}',
                   env={'FAKE_DEQP_FATAL': '1'})
        self.assertEqual(done.stdout.splitlines()[-1],
                         '1 passed, 0 failed, 0 skipped')

    def test_unknown(self):
        """A name that no program has is an error before anything runs, in
        whatever part of the list it is."""
        listed = os.path.join(self.dir.name, 'list')
        with open(listed, 'w', encoding='utf-8') as f:
            f.write('dEQP-FAKE.a.pass1\ndEQP-FAKE.a.none\nx\n')
        for more in ([], ['-t', 'pass']):
            done = self.run_fake(f'--caselist={listed}', *more)
            self.assertEqual((done.returncode, done.stdout), (1, ''))
            self.assertIn(f"{listed}: 'dEQP-FAKE.a.none' is no case of {FAKE} "
                          '(2 such names)', done.stderr)
            self.assertFalse(os.path.exists(self.log))

    def test_binary_list(self):
        listed = os.path.join(self.dir.name, 'list')
        with open(listed, 'wb') as f:
            f.write(b'\x7fELF\xff\n')
        done = self.run_fake(f'--caselist={listed}')
        self.assertEqual((done.returncode, done.stderr),
                         (1, f'saffron: {listed}: this is no text\n'))

    def test_strict_log(self):
        """Only a log with a report in it stays."""
        for said in ('', 'strict: CC-11 at a place\n'):
            env = {'SAFFRON_SIM_STRICT': 'report', 'TMPDIR': self.dir.name,
                   'FAKE_DEQP_REPORT': said}
            done = self.run_fake('-t', 'pass1', **env)
            self.assertEqual(done.returncode, 1 if said else 0)
            logs = [f for f in os.listdir(self.dir.name)
                    if f.startswith('saffron-strict-')]
            self.assertEqual(len(logs), 1 if said else 0)

    def test_package(self):
        """A list that ends in an error is not taken for the whole."""
        done = self.run_fake('-t', 'pass', FAKE_DEQP_FATAL='1')
        self.assertIn('FATAL ERROR: EGL is not supported; --package=NAME',
                      done.stderr)
        done = self.run_fake('-t', 'pass', '--package=dEQP-FAKE',
                             FAKE_DEQP_FATAL='1')
        self.assertEqual(done.stdout.splitlines()[-1],
                         '3 passed, 0 failed, 0 skipped')


class Waiting(run.Patience):
    """A process that gets no time at all."""
    def __init__(self, waits):
        self.waits = waits
        super().__init__(0, 2)

    def state(self):
        return self.waits, 0.5


class Patience(unittest.TestCase):
    def test_no_turn(self):
        """Who waits for a processor has not hung; who sleeps has."""
        self.assertTrue(Waiting(True).extend())
        self.assertFalse(Waiting(False).extend())

    def test_not_for_ever(self):
        patience = Waiting(True)
        patience.start -= patience.BUSY * patience.timeout
        self.assertFalse(patience.extend())


class Words(unittest.TestCase):
    """What cases say that are not supported."""

    def expects(self, lines, words):
        with tempfile.NamedTemporaryFile('w', suffix='.txt') as listed:
            listed.write(lines)
            listed.flush()
            return run.Unsupported([listed.name, '/nowhere']).expects(words)

    def test_words(self):
        lines = ('# one\n\nVK_EXT_a is not supported # no a\n'
                 'Format * (rare) # no such format\n')
        self.assertTrue(self.expects(lines, 'VK_EXT_a is not supported'))
        self.assertTrue(self.expects(
            lines, 'VK_EXT_a is not supported at vktFile.cpp:12'))
        self.assertTrue(self.expects(lines, 'Format VK_X (rare) at x.hpp:1'))
        self.assertFalse(self.expects(lines, 'VK_EXT_b is not supported'))
        self.assertFalse(self.expects(lines, 'Format VK_X rare'))
        self.assertFalse(self.expects(
            lines, 'and VK_EXT_a is not supported at vktFile.cpp:12'))
        self.assertFalse(self.expects('', 'VK_EXT_a is not supported'))

    def test_mistake(self):
        for line in ('words alone\n', 'words # \n', ' # reason\n'):
            with self.assertRaises(SystemExit) as end:
                self.expects(line, 'words')
            self.assertIn(":1: expected 'WORDS # REASON'", str(end.exception))


class Options(unittest.TestCase):
    def refused(self, *options):
        done = cts(*options)
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn('Traceback', done.stderr)
        return done.stderr

    def test_mistakes(self):
        self.assertIn('which program?', self.refused())
        self.assertEqual(cts('--deqp-vk=/nowhere').returncode, 2)
        self.assertIn('no program', self.refused('--deqp-vk=/nowhere'))
        self.assertIn('does not list its cases',
                      self.refused('--deqp-vk=/bin/true'))
        self.assertIn('does not list its package KHR: FATAL ERROR',
                      self.refused('--deqp-vk', FAKE, '--package=KHR'))
        self.assertIn('wants --results',
                      self.refused('--deqp-vk', FAKE, '--resume'))
        self.assertIn("-t '('", self.refused('--deqp-vk', FAKE, '-t', '('))
        self.assertIn('above 0',
                      self.refused('--deqp-vk', FAKE, '--chunk=0'))
        self.assertIn('no case matches',
                      self.refused('--deqp-vk', FAKE, '-t', 'nothing'))


class Unsupported(unittest.TestCase):
    """What the page about Vulkan says is not there is expected to be missing.
    That page is generated: the build says where it is."""
    DOCUMENT = os.environ.get('SAFFRON_VULKAN_PAGE', os.path.join(
        HERE, '../../build/docs/vulkan.rst'))

    def setUp(self):
        with open(self.DOCUMENT, encoding='utf-8') as lines:
            text = lines.read()
        there, rest = text.split('Extensions that are not there\n', 1)
        self.absent, features = rest.split('Features of Vulkan 1.0\n', 1)
        self.no_features = features.split('have no such hardware:', 1)[1]
        self.rows = re.findall(r'^(VK_\w+) +(\w[\w ]*?) +``', there, re.M)

    def missing(self, gen, words):
        paths = [os.path.join(HERE, f'vk-unsupported{end}.txt')
                 for end in ('', f'-{gen}')]
        listed = run.Unsupported(paths)
        return [w for w in words if not listed.expects(w)]

    def test_extensions(self):
        names = re.findall(r'``(VK_\w+)``', self.absent)
        self.assertGreater(len(names), 40)
        for gen in ('ivb', 'hsw', 'bdw', 'skl'):
            later = [n for n, gens in self.rows
                     if gens != 'all' and gen not in gens.split()]
            words = [f'{n} is not supported' for n in names + later]
            self.assertEqual(self.missing(gen, words), [])

    def test_core_features(self):
        names = re.findall(r'``(\w+)``', self.no_features)
        self.assertGreater(len(names), 5)
        self.assertEqual(self.missing('skl', [
            f'Requested core feature is not supported: {n}'
            for n in names]), [])


if __name__ == '__main__':
    unittest.main()
