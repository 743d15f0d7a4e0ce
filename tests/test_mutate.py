#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of mutate.py: what it changes, what it leaves alone, and its verdicts
on a program of a few lines."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutate  # noqa: E402

TEXT = """\
/* a == b */
#define SUM(a, b) ((a) + (b))
static const int table[] = { 1, 2 };

int
add(int a, int *b)
{
   const char *name = "a < b";
   assert(a == 1);
   if (a < 7)
      note(name);
   return a + *b;
}
"""


def changes(text):
    return {(m.line, m.old, m.new) for m in mutate.mutants_of('a.c', text)}


class Changes(unittest.TestCase):
    def test_all(self):
        """Of code in functions all, of comments, strings, macros, tables and
        asserts nothing; a star in front of a name is no product."""
        self.assertEqual(changes(TEXT), {
            (10, '(a < 7)', '(!(a < 7))'), (10, '<', '<='), (10, '7', '8'),
            (11, 'note(name)', '(void)0'), (12, '+', '-')})

    def test_each_is_one_change(self):
        for m in mutate.mutants_of('a.c', TEXT):
            lines = zip(TEXT.splitlines(), m.apply(TEXT).splitlines())
            self.assertEqual(sum(a != b for a, b in lines), 1)

    def test_lines_stay(self):
        text = 'void\nf(void)\n{\n   g(1,\n     2);\n}\n'
        for m in mutate.mutants_of('a.c', text):
            self.assertEqual(m.apply(text).count('\n'), text.count('\n'))

    def test_hexadecimal_and_suffixes(self):
        self.assertEqual(mutate.number_plus_one('0xffu'), '0x100u')
        self.assertEqual(mutate.number_plus_one('63ull'), '64ull')
        self.assertIsNone(mutate.number_plus_one('1.5f'))

    def test_same_lines_differ(self):
        """Lines that are alike are drawn each for itself, always alike."""
        text = 'void f(void)\n{\n   a = 1;\n   a = 1;\n}\n'
        keys = [m.key('1') for m in mutate.mutants_of('a.c', text)]
        self.assertEqual(len(set(keys)), 2)
        self.assertEqual(keys,
                         [m.key('1') for m in mutate.mutants_of('a.c', text)])
        self.assertNotEqual(
            keys, [m.key('2') for m in mutate.mutants_of('a.c', text)])


class Fake:
    """Suites that look at the file itself for a text."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.asked = 0

    def read(self):
        with open(self.path, encoding='utf-8') as file:
            return file.read()

    def prepare(self):
        assert self.read() == TEXT

    def verdict(self):
        self.asked += 1
        return ('caught' if self.text in self.read() else 'survived'), ''


class Verdicts(unittest.TestCase):
    def test_file_is_put_back(self):
        with tempfile.TemporaryDirectory() as where:
            path = os.path.join(where, 'a.c')
            with open(path, 'w', encoding='utf-8') as file:
                file.write(TEXT)
            stages = Fake(path, 'a <= 7'), Fake(path, 'a - *b')
            found = {m.new: mutate.tried(m, stages)[0]
                     for m in mutate.mutants_of(path, TEXT)}
            with open(path, encoding='utf-8') as file:
                self.assertEqual(file.read(), TEXT)
        self.assertEqual(found.pop('<='), 'caught')
        self.assertEqual(found.pop('-'), 'caught')
        # The second is asked for what the first lets pass.
        self.assertEqual(stages[1].asked, stages[0].asked - 1)
        self.assertEqual(set(found.values()), {'survived'})

    def test_suites(self):
        self.assertEqual(mutate.suites_for('src/intel/isl/isl.c')[0],
                         'intel-isl')
        for folder, _ in mutate.NEAREST:
            self.assertTrue(os.path.isdir(os.path.join(mutate.ROOT, folder)))

    def test_score(self):
        self.assertEqual(
            mutate.summary({'caught': 3, 'survived': 1, 'invalid': 2}),
            '3 of 4 caught (75 %), 2 invalid')


if __name__ == '__main__':
    unittest.main()
