#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the lints: each finds what it is for, and nothing in good files;
exceptions only shrink."""
import subprocess
import tempfile
import unittest
from pathlib import Path

import descriptors
import documents
import duplicates
import environment
import format as formatting
import includes
import kept
import layout
import lint
import names
import passes
import rejections
import rooms
import sizes
import temporaries
import terms
import uncalled
import version
from tree import Find, Tree

SPDX = '/* SPDX-License-Identifier: MIT */\n'
DOC = '''Map
===

``src/util``
   Small.
``src/a/low``
   Low.
``src/b/high``
   High.

Who may include whom
====================

::

   low <- high
'''


def finds(rule, **files):
    """The texts of what a rule finds in a tree of {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(['git', 'init', '-q', folder], check=True)
        for path, text in files.items():
            file = Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding='utf-8')
        return [f.text for f in rule.check(Tree(folder))]


class Passes(unittest.TestCase):
    HEADER = ('bool nir_opt_a(nir_shader *shader);\n'
              'bool nir_opt_b(nir_shader *shader, bool all);\n'
              'bool nir_opt_b_impl(nir_function_impl *impl);\n')

    def found(self, text):
        where, _, folder = passes.TABLES[0]
        return finds(passes, **{where: self.HEADER, folder + 'x.nir': text})

    def test_all_there(self):
        case = 'case x\npass nir_opt_{}\nbefore\n   nop\n{}\n\n'
        self.assertEqual(self.found(''.join(
            case.format(n, k) for n in 'ab'
            for k in ('after', 'unchanged'))), [])

    def test_missing(self):
        found = self.found('case x\npass nir_opt_a\nbefore\nafter\n')
        self.assertEqual(len(found), 3)
        self.assertIn('nir_opt_a has no case `unchanged`', found[0])

    def test_back_end(self):
        where, _, folder = passes.TABLES[1]
        found = finds(passes, **{
            where: '   OPTIONAL(eu_a)  \\\n   REQUIRED(eu_b)\n',
            folder + 'x.eu': 'case x\npass eu_a\nbefore\nafter\n'
                             'case y\npass eu_a\nbefore\nunchanged\n'})
        self.assertEqual(len(found), 2)
        self.assertIn('eu_b has no case `after`', found[0])


class Duplicates(unittest.TestCase):
    CODE = ''.join(f'   a{n} = f(b{n}, {n});\n' + '   if (a)\n' * (n % 2)
                   for n in range(12))

    def found(self, one, other):
        return finds(duplicates, **{'src/a/one.c': one,
                                    'src/b/other.c': other})

    def test_same_shape(self):
        self.assertEqual(len(self.found(
            self.CODE, '/* Ours. */\n' + self.CODE.replace('a', 'longer'))),
            1)

    def test_other_shape(self):
        self.assertEqual(self.found(
            self.CODE, self.CODE.replace('f(b6, 6)', 'b6 + 6')), [])
        self.assertEqual(self.found(self.CODE, 'a();\n' * 9), [])

    def test_tables(self):
        for row in ('   { A, 1, f(x) },\n', '   ROW(a, A)\n', 'case X:\n',
                    '   [A] = B,\n', '   .a = f(x),\n', '   A = 1u << 2,\n'):
            self.assertEqual(self.found(row * 20, row * 20), [])

    def test_argument_lists(self):
        code = 'f(int a,\n   int b)\n' + '   c = g(&a,\n      d(b));\n' * 6
        self.assertEqual(len(self.found(code, code)), 1)


class Rejections(unittest.TestCase):
    CODE = ('   CHECK(a(b), "one");\n   EU_CHECK(x,\n      "two");\n'
            '   v_fault(v, "one");\n   fprintf(f, "three");\n')

    def found(self, told):
        start, tests = rejections.VALIDATORS[1]
        return finds(rejections, **{start + '.c': self.CODE, tests[1]: told})

    def test_all_told(self):
        self.assertEqual(self.found('rejected\n   one\n   two\n   one\n'), [])

    def test_missing(self):
        self.assertEqual(len(self.found('   one\n')), 2)


class Formatting(unittest.TestCase):
    def found(self, text):
        name = 'src/x.c'
        style = (Path(__file__).parents[2] / '.clang-format').read_text(
            encoding='utf-8')
        return finds(formatting, **{'.clang-format': style, name: text})

    def test_good(self):
        self.assertEqual(self.found('int\nf(void)\n{\n   return 1;\n}\n'),
                         [])

    def test_bad(self):
        for text in ('int f(void) { return 1; }\n',
                     'int\nf(void)\n{\n  return 1;\n}\n'):
            self.assertEqual(len(self.found(text)), 1)


class Includes(unittest.TestCase):
    def found(self, path, include, doc=DOC):
        return finds(includes, **{includes.DOC: doc,
                                  path: f'#include "{include}"\n'})

    def test_allowed(self):
        for include in ('a/low/low.h', 'util/list.h', 'b/high/own_private.h',
                        'own.h', 'saffron/sim.h'):
            self.assertEqual(self.found('src/b/high/x.c', include), [])
        self.assertEqual(self.found('src/a/low/tests/x.c', 'b/high/h.h'), [])

    def test_upwards(self):
        self.assertEqual(len(self.found('src/a/low/x.c', 'b/high/h.h')), 1)

    def test_private(self):
        self.assertEqual(
            len(self.found('src/b/high/x.c', 'a/low/low_private.h')), 1)

    def test_wall(self):
        doc = DOC + '   low | high\n'
        for path, include in (('src/a/low/tests/x.c', 'b/high/h.h'),
                              ('src/b/high/tests/x.c', 'a/low/low.h')):
            self.assertEqual(self.found(path, include), [])
            self.assertEqual(len(self.found(path, include, doc)), 1)
        self.assertEqual(self.found('src/b/high/tests/x.c', 'own.h', doc), [])
        self.assertEqual(len(self.found('src/b/high/x.c', 'own.h', doc +
                                        '   low | hi\n')), 1)

    def test_unknown_folder(self):
        self.assertEqual(len(self.found('src/c/x.c', 'own.h')), 1)

    def test_unknown_word(self):
        self.assertEqual(len(self.found('src/a/low/x.c', 'own.h',
                                        DOC.replace('<- high', '<- hi'))), 1)


class Names(unittest.TestCase):
    def test_names(self):
        text = '/* See there.c, and low/here.h. */\nint x; /* gone.h */\n'
        self.assertEqual(finds(names, **{'src/here.h': text,
                                         'src/low/here.h': ''}),
                         ['there is no there.c', 'there is no gone.h'])

    def test_not_ours(self):
        text = "/* Mesa's brw_fs.cpp, Mesa's brw_eu.h; <stdio.h>, *.c */\n"
        self.assertEqual(finds(names, **{'src/here.h': text}), [])

    def test_generated(self):
        self.assertEqual(finds(names, **{
            'src/here.h': '/* made.h */\n',
            'src/meson.build': "x = custom_target(output: 'made.h')\n"}), [])


class Version(unittest.TestCase):
    def test_found(self):
        for line in ('if (verx10 >= 80)', 'return d->verx10 == 75;',
                     'switch (gen) {', 'x = gen < ISA_GEN_BDW;',
                     'x = p->gen == ISA_GEN_IVB ? 1 : 2;',
                     'if (ISA_GEN_BDW <= gen)', 'x = c->gen & STRICT_GEN9;',
                     'm = 1u << isa_gen_from_number(v) & 2;',
                     'if (bit(t->verx10) & SHADOW_GEN8)'):
            self.assertEqual(len(finds(version, **{
                'src/intel/sim/x.c': line + '\n'})), 1, line)

    def test_not_found(self):
        for line in ('x = row[gen];', 'decode(gen, bits);', '/* gen < 8 */',
                     'enum isa_gen gen;', 'p->gen = 3;', 'f(d->verx10);'):
            self.assertEqual(finds(version, **{
                'src/intel/sim/x.c': line + '\n'}), [], line)

    def test_allowed_places(self):
        for path in ('src/intel/dev/x.c', 'src/intel/vulkan/genx/genX_x.c',
                     'src/intel/sim/tests/x.c'):
            self.assertEqual(finds(version, **{path: 'x = gen < 8;\n'}), [])


class Descriptors(unittest.TestCase):
    def test_found(self):
        for line in ('x = inst->desc >> 25 & 0xf;', 'm.desc & 0xff',
                     'desc = bti | desc;', 'desc |= 1u << 19;',
                     'ex_desc = len << ex_desc;', 'n = ex_desc >> 6;'):
            self.assertEqual(len(finds(descriptors, **{
                'src/intel/sim/x.c': line + '\n'})), 1, line)

    def test_not_found(self):
        for line in ('unpack(gen, sfid, inst->desc, &m);', 'f(&desc, 2 & x);',
                     'if (a && desc)', 'isa_desc_mlen(m->desc)',
                     'x = f(m->ex_desc) << 6;', '/* desc >> 25 */'):
            self.assertEqual(finds(descriptors, **{
                'src/intel/sim/x.c': line + '\n'}), [], line)
        for path in ('src/intel/isa/x.c', 'src/intel/sim/tests/x.c',
                     'src/intel/vulkan/x.c'):
            self.assertEqual(finds(descriptors, **{
                path: 'desc >> 3;\n'}), [], path)


class Sizes(unittest.TestCase):
    def function(self, body):
        return finds(sizes, **{'src/x.c': 'int\nf(int x)\n{\n' +
                               '\n'.join(body) + '\n}\n'})

    def test_function(self):
        self.assertEqual(self.function(['   x++;'] * 76), [])
        self.assertEqual(len(self.function(['   x++;'] * 77)), 1)

    def test_flat_switch(self):
        def cases(lines):
            return ['   switch (x) {'] + (
                ['   case 1:'] + ['      x++;'] * lines) * 12 + ['   }']
        self.assertEqual(self.function(cases(7)), [])
        self.assertEqual(len(self.function(cases(8))), 1)

    def test_file(self):
        self.assertEqual(finds(sizes, **{'src/x.c': '\n' * 700}), [])
        self.assertEqual(len(finds(sizes, **{'src/x.c': '\n' * 701})), 1)
        self.assertEqual(finds(sizes, **{'src/tests/x.c': '\n' * 701}), [])

    def test_folder(self):
        files = {f'src/{n}.c': '' for n in range(31)}
        self.assertEqual(finds(sizes, **files),
                         ['31 sources (not above 30)'])


class Layout(unittest.TestCase):
    def test_good(self):
        self.assertEqual(finds(layout, **{
            'x.c': SPDX + 'x x' * 26 + '\n', 'x.rst': 'y' * 100 + '\n'}), [])
        self.assertEqual(finds(layout, **{
            'x.c': SPDX + '   case ' + 'x' * 80 + ':\n'}), [])

    def test_bad(self):
        for text in (SPDX + 'x' + ' x' * 39 + '\n', SPDX + 'x', SPDX + 'x \n',
                     SPDX + '\tx\n', SPDX + 'x\n\n', 'x\n'):
            self.assertEqual(len(finds(layout, **{'x.c': text})), 1, text)


class Uncalled(unittest.TestCase):
    HEADER = 'src/compiler/nir/a.h'

    def found(self, **files):
        return finds(uncalled, **{'src/compiler/nir/' + name + '.c': text
                                  for name, text in files.items()
                                  if name != 'other'}, **{
            self.HEADER: 'void nir_f(int x);\n',
            'src/other.c': files.get('other', '')})

    def test_good(self):
        self.assertEqual(self.found(
            a='static int\ng(int x)\n{\n   return x;\n}\n\n'
              'void\nnir_f(int x)\n{\n   g(x);\n}\n',
            other='void\nh(void)\n{\n   nir_f(1);\n}\n'), [])
        self.assertEqual(self.found(
            a='void\nnir_f(int x)\n{\n}\n\n'
              'int (*const rows[])(int) = {\n   nir_f,\n};\n'), [])
        self.assertEqual(self.found(
            a='__attribute__((destructor)) static void\nend(void)\n{\n'
              '   nir_f(1);\n}\n\nvoid\nnir_f(int x)\n{\n}\n'), [])

    def test_bad(self):
        # Called by itself, by what nothing calls, in a comment, in a test.
        for text in ('   nir_f(x - 1);\n', '   /* nir_f */\n'):
            self.assertEqual(self.found(
                a='void\nnir_f(int x)\n{\n' + text + '}\n'),
                ['no product code calls nir_f'], text)
        self.assertEqual(sorted(self.found(
            a='void\nnir_f(int x)\n{\n}\n\n'
              'void\nnir_g(int x)\n{\n   nir_f(x);\n}\n')),
            ['no product code calls nir_f', 'no product code calls nir_g'])
        self.assertEqual(finds(uncalled, **{
            self.HEADER: '#define NIR_M(x) (x)\n',
            'src/tests/t.c': 'int x = NIR_M(1);\n'}),
            ['no product code calls NIR_M'])


class Documents(unittest.TestCase):
    INDEX = 'A\n=\n\n.. toctree::\n\n   b\n'

    def found(self, text, index=INDEX):
        return finds(documents, **{'docs/index.rst': index,
                                   'docs/b.rst': text})

    def test_good(self):
        self.assertEqual(self.found('B\n=\n\nSee :doc:`index`.\n'), [])

    def test_bad(self):
        for text in ('B\n==\n\n*x\n', 'B\n=\n\nSee :doc:`c`.\n',
                     'B\n=\n\n== ===\na  b\n== ===\nabc  d\n== ===\n',
                     'B\n=\n\n:what:`x`\n'):
            self.assertGreaterEqual(len(self.found(text)), 1, text)

    def test_index(self):
        self.assertEqual(len(self.found('B\n=\n', 'A\n=\n')), 1)
        self.assertEqual(len(self.found('B\n=\n', self.INDEX + '   c\n')), 1)


class Environment(unittest.TestCase):
    def test_library(self):
        for call in ('getenv("A")', 'secure_getenv("A")', 'environ[0]',
                     'getenv ("A")'):
            self.assertEqual(len(finds(environment, **{
                'src/a/b.c': f'const char *a = {call};\n'})), 1, call)

    def test_elsewhere(self):
        code = 'const char *a = getenv("A");\n'
        self.assertEqual(finds(environment, **{
            'src/util/environment.c': code, 'src/a/tests/b.c': code,
            'src/intel/tools/b.c': code, 'tests/b.c': code,
            'src/a/b.c': '/* getenv("A") */ environment_get("A");\n'}), [])


class Temporaries(unittest.TestCase):
    def test_guessable(self):
        for path, line in (
                ('src/a.c', 'tmpnam(name);'), ('src/a.c', 'mktemp(name);'),
                ('src/a.c', 'open("/tmp/saffron.log", 1);'),
                ('tests/a.py', 'tempfile.mktemp()'),
                ('tests/a.py', "open('/tmp/out')"),
                ('bin/a', '#!/bin/sh\nx=$(mktemp -u)'),
                ('bin/a', '#!/bin/sh\nx=${TMPDIR:-/tmp}/mine-$$')):
            self.assertEqual(len(finds(temporaries, **{path: line + '\n'})),
                             1, line)

    def test_safe(self):
        self.assertEqual(finds(temporaries, **{
            'src/a.c': 'char n[] = "/tmp/a-XXXXXX";\nmkstemp(n);\n',
            'tests/a.py': "tempfile.mkstemp()\n"
                          "if '/tmp/a' in text or text == '/tmp/b':\n",
            'bin/a': '#!/bin/sh\nx=$(mktemp -d)\n',
            'docs/a.rst': '/tmp/a\n'}), [])


class Kept(unittest.TestCase):
    TABLE = {kept.TABLE: '#define A(X) X(3DSTATE_VS) \\\n'
                         'X(3DSTATE_CONSTANT_##XS)\n'}

    def found(self, packet, path='src/intel/vulkan/genx/a.c'):
        return len(finds(kept, **self.TABLE, **{
            path: f'saf_emit(&cmd->batch, {packet}, p) {{}}\n'}))

    def test_kept(self):
        self.assertEqual(self.found('3DSTATE_VS'), 1)
        self.assertEqual(self.found('3DSTATE_CONSTANT_PS'), 1)

    def test_others(self):
        self.assertEqual(self.found('3DSTATE_VS_MORE'), 0)
        self.assertEqual(self.found('3DPRIMITIVE'), 0)
        self.assertEqual(self.found('3DSTATE_VS', 'src/intel/sim/a.c'), 0)


class Terms(unittest.TestCase):
    def test_odd(self):
        for path, line in (('src/a.c', 'int eu_ra_wishes;'),
                           ('src/a.c', 'forget(x);'),
                           ('src/a.py', 'is_seldom = True'),
                           ('src/nir_rung.c', ''),
                           ('src/a.h', 'void intel_nir_leave_dead_loops();')):
            self.assertEqual(len(finds(terms, **{path: line + '\n'})), 1, line)

    def test_plain(self):
        self.assertEqual(finds(terms, **{
            'src/a.c': '/* It seldom forgets (or a guide would help). */\n'
                       'int settled, careful_;\n'}), [])


class Rooms(unittest.TestCase):
    README = {'src/m/README.rst': f'{rooms.TITLE}\n-----\n\n::\n\n'
                                  '   low <- mid <- high, other\n'}

    def found(self, path, include, **files):
        known = {f'src/m/{f}': '' for f in (
            'own.h', 'low/l.h', 'mid/m.h', 'high/h.h', 'high/made.h.mako')}
        return len(finds(rooms, **{**self.README, **known, **files,
                                   path: f'#include "{include}"\n'}))

    def test_allowed(self):
        for path, include in (('high/x.c', 'm/mid/m.h'),
                              ('high/x.c', 'm/low/l.h'), ('mid/x.h', 'm/own.h'),
                              ('high/x.c', 'h.h'), ('x.c', 'm/high/h.h'),
                              ('low/x.c', 'other/high/h.h'),
                              ('tests/x.c', 'm/high/h.h')):
            self.assertEqual(self.found('src/m/' + path, include), 0)

    def test_upwards(self):
        for path, include in (('low/x.c', 'm/mid/m.h'), ('mid/x.h', 'm/high/h.h'),
                              ('other/x.c', 'm/high/h.h'), ('own.h', 'm/low/l.h'),
                              ('low/x.c', 'made.h'), ('low/x.c', '../mid/m.h')):
            self.assertEqual(self.found('src/m/' + path, include), 1)

    def test_no_room(self):
        self.assertEqual(self.found('src/m/new/x.c', 'm/low/l.h'), 1)


class Exceptions(unittest.TestCase):
    FINDS = {('layout', 'a.c'): [Find('a.c', 1, 'a.c', 'wide')] * 2}
    TEXT = '# Head.\nlayout 2 a.c # old\nlayout 1 b.c # older\n'

    def test_read(self):
        self.assertEqual(lint.read_exceptions(self.TEXT),
                         {('layout', 'a.c'): 2, ('layout', 'b.c'): 1})
        for bad in ('layout a.c # x', 'layout 1 a.c', 'other 1 a.c # x',
                    'layout 0 a.c # x'):
            with self.assertRaises(ValueError):
                lint.read_exceptions(bad)

    def test_judge(self):
        self.assertEqual(lint.judge(self.FINDS, {('layout', 'a.c'): 2}), [])
        self.assertEqual(len(lint.judge(self.FINDS, {})), 2)
        self.assertEqual(len(lint.judge(self.FINDS,
                                        {('layout', 'a.c'): 1})), 3)

    def test_no_longer_needed(self):
        self.assertEqual(len(lint.judge(self.FINDS,
                                        {('layout', 'a.c'): 3})), 1)
        self.assertEqual(len(lint.judge({}, {('layout', 'a.c'): 1})), 1)

    def test_update_only_shrinks(self):
        self.assertEqual(lint.shrunk(self.TEXT, self.FINDS),
                         '# Head.\nlayout 2 a.c # old\n')
        self.assertEqual(lint.shrunk('layout 1 a.c # old\n', self.FINDS),
                         'layout 1 a.c # old\n')
        self.assertEqual(lint.shrunk('layout 9 a.c # old\n', self.FINDS),
                         'layout 2 a.c # old\n')


if __name__ == '__main__':
    unittest.main()
