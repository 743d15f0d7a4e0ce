# SPDX-License-Identifier: MIT
"""asm, disasm and gp-run as a user calls them: output, errors, exit codes.

test_tools.py ASM DISASM RUN
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ASM, DISASM, RUN = sys.argv[1:4]

PROGRAM = """\
.const c2 = 0.5, 0, 0, 0
000: p0=a0; u=c0; add0=add(p0.x, u.x); add1=add(p0.y, u.y); st0=v0(add0, add1)
001: p0=a0; u=c2; mul0=mul(p0.z, u.x); mul1=mul(p0.w, ident); st1=v0(mul0, mul1)
"""


class TestTools(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, content):
        path = pathlib.Path(self.folder.name) / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding='utf-8')
        return str(path)

    def call(self, *args, code=0, stdin=b''):
        done = subprocess.run(args, input=stdin, capture_output=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout, done.stderr.decode()

    # asm and disasm.

    def test_round_trip(self):
        source = self.file('p.gp', PROGRAM)
        code, _ = self.call(ASM, '--gen=mali400', '--validate', source)
        self.assertEqual(len(code), 32)
        text, _ = self.call(DISASM, '--gen=mali400', stdin=code)
        expected = ''.join(PROGRAM.splitlines(True)[1:])
        self.assertEqual(text.decode(), expected)
        hexes, _ = self.call(ASM, '--hex', source)
        again, _ = self.call(DISASM, '--hex', stdin=hexes)
        self.assertEqual(again, text)

    def test_no_op_as_the_public_layout_has_it(self):
        # All sources 21, no stores (7), no offset (7), pass moves (2).
        word = 2 << 103
        for low in (0, 5, 10, 15, 22, 27, 32, 37, 106, 111):
            word |= 21 << low
        for low in (71, 74, 77, 80, 55):
            word |= 7 << low
        code, _ = self.call(ASM, stdin=b'nop\n')
        self.assertEqual(int.from_bytes(code, 'little'), word)

    def test_errors_of_text(self):
        source = self.file('p.gp', 'nop\nadd0=frob(u.x)\n')
        _, errors = self.call(ASM, source, code=1)
        self.assertEqual(errors,
                         f"{source}:2:6: error: unknown opcode 'frob'\n")

    def test_addresses_of_temporaries(self):
        """A constant tells which one is stored, a uniform does not."""
        for constants, code in (('.const c50 = 0, 100, 0, 0\n', 0),
                                ('.const c50 = 0, 101, 0, 0\n', 1),
                                ('', 1)):
            source = self.file(
                't.gp', constants + '.temps c100, 3\np0=a0; u=c50; pass=move(p0.x); '
                'complex=set_store_addr(u.y); st0=t0(pass, -)\n'
                'u=c101; add0=floor(u.x)\n')
            _, errors = self.call(ASM, '--validate', source, code=code)
            self.assertEqual('temp-delay' in errors, code == 1, errors)

    def test_rules(self):
        source = self.file('p.gp', 'add0=floor(mul0@1)\n')
        self.call(ASM, source)
        _, errors = self.call(ASM, '-v', source, code=1)
        self.assertIn('instruction 0, add0:', errors)
        self.assertIn('[before-start]', errors)
        code, _ = self.call(ASM, source)
        _, errors = self.call(DISASM, '-v', stdin=code, code=1)
        self.assertIn('[before-start]', errors)

    def test_bad_machine_code(self):
        _, errors = self.call(DISASM, stdin=b'x' * 15, code=1)
        self.assertIn('15 bytes', errors)
        self.call(DISASM, stdin=bytes(16 * 513), code=1)
        self.call(DISASM, stdin=bytes(16 * 512))
        _, errors = self.call(DISASM, '-x', stdin=b'01234567 0123', code=1)
        self.assertIn(':1:14:', errors)

    def test_wrong_use(self):
        for tool in (ASM, DISASM):
            self.call(tool, '--gen=skl', code=2)
            self.call(tool, '--frob', code=2)
            self.call(tool, 'a', 'b', code=2)
            self.call(tool, '/nonexistent', code=2)
            text, _ = self.call(tool, '--help')
            self.assertIn(b'usage: saffron', text)

    # gp-run.

    def test_vertices(self):
        source = self.file('p.gp', PROGRAM)
        attributes = self.file('a.csv', '# two\n1,2,3,4\n\n-1, 0.25, 8, 9\n')
        uniforms = self.file('u.csv', '10,20,0,0\n0,0,0,0 # c1\n')
        args = (f'--attributes={attributes}', f'--uniforms={uniforms}')
        text, _ = self.call(RUN, *args, source)
        self.assertEqual(text.decode(),
                         'vertex,v0.x,v0.y,v0.z,v0.w\n'
                         '0,11,22,1.5,4\n1,9,20.25,4,9\n')
        text, _ = self.call(RUN, *args, '--trace', source)
        self.assertIn(b'step 1, instruction 1:', text)
        self.assertIn(b'      store0   v0.', text)
        # Machine code has no constants.
        code, _ = self.call(ASM, source)
        binary = self.file('p.bin', code)
        _, errors = self.call(RUN, *args, binary, code=1)
        self.assertIn('vertex 0: trap: instruction 1, mul0: ', errors)
        self.assertIn('[uninitialised]', errors)
        text, _ = self.call(RUN, *args, '--hardware', binary)
        self.assertIn(b'0,11,22,0,4\n', text)

    def test_tables(self):
        source = self.file('p.gp', """\
p0=a0; mul0=complex2(p0.x, p0.x); complex=rcp(p0.x)
mul0=complex1(complex@1, mul0@1); mul1=complex1(complex@1, p0.x@1)
nop
mul0=mul(mul0@2, ident); st0=v0(mul0, -)
""")
        arguments = (3, 5, 7, 11, 13, 100)
        attributes = self.file('a.csv', ''.join(f'{x},0,0,0\n'
                                                for x in arguments))
        outputs = set()
        for model in ('exact', 'ulp', 'quadratic'):
            text, _ = self.call(RUN, f'--attributes={attributes}',
                                f'--tables={model}', source)
            outputs.add(text)
            for line, x in zip(text.decode().splitlines()[1:],
                               arguments):
                self.assertAlmostEqual(float(line.split(',')[1]), 1 / x, 6)
        self.assertEqual(len(outputs), 3)

    def test_temporaries(self):
        source = self.file('p.gp', """\
.const c0 = 9, 42, 0, 0
.temps c9, 1
u=c0; complex=set_store_addr(u.x); add0=add(u.y, ident); st0=t0(add0, -)
nop
nop
nop
u=c9; add0=add(u.x, ident); st0=v1(-, add0)
""")
        text, _ = self.call(RUN, source)
        self.assertEqual(text, b'vertex,v1.y\n0,42\n')
        _, errors = self.call(RUN, '--temps=10,3', source, code=1)
        self.assertIn('[address-range]', errors)

    def test_bad_input(self):
        source = self.file('p.gp', PROGRAM)
        for content, where in (('1,2,x,4\n', ':1:5: error: expected a number'),
                               ('1,2,3,4\n1,2,3\n', ':2: error: 3 values'),
                               ('1,2,3,\n', ':1:6: error: expected a number'),
                               ('1 2 3 4\n', ':1:3: error: expected a number'),
                               ('1,2,3,4\n\0001,2,3,4\n', 'this is no text'),
                               (','.join('1' * 65), 'more than 64 values')):
            attributes = self.file('a.csv', content)
            _, errors = self.call(RUN, f'--attributes={attributes}', source,
                                  code=1)
            self.assertIn(where, errors)
        uniforms = self.file('u.csv', '1,2,3,4\n' * 305)
        _, errors = self.call(RUN, f'--uniforms={uniforms}', source, code=1)
        self.assertIn('more than 304 vec4', errors)
        empty = self.file('e.gp', '# nothing\n')
        _, errors = self.call(RUN, empty, code=1)
        self.assertIn('at least one instruction', errors)
        broken = self.file('b.gp', 'frob')
        _, errors = self.call(RUN, broken, code=1)
        self.assertIn('b.gp:1:1: error:', errors)
        self.call(RUN, self.file('b.bin', bytes(17)), code=1)
        for line in ('.temps c300, 200', '.temps c999, 1', '.temps c300, x',
                     '.const c999 = 1, 2, 3, 4', '.const c5 = 1, 2'):
            broken = self.file('b.gp', line + '\nnop\n')
            _, errors = self.call(RUN, broken, code=1)
            self.assertRegex(errors, r'^\S+b\.gp:1:\d+: error: [^\n]+\n$')

    def test_vertices_apart(self):
        """A vertex has the attributes of its own line; no line, no vertex."""
        source = self.file('p.gp', 'p0=a1; add0=add(p0.x, ident); '
                           'st0=v0(add0, -)\n')
        attributes = self.file('a.csv', '1,2,3,4,5,6,7,8\n1,2,3,4\n')
        text, errors = self.call(RUN, f'--attributes={attributes}', source,
                                 code=1)
        self.assertEqual(text, b'vertex,v0.x\n0,5\n')
        self.assertIn('vertex 1: trap: instruction 0, add0: ', errors)
        self.assertIn('[uninitialised]', errors)
        attributes = self.file('a.csv', '# none\n')
        text, _ = self.call(RUN, f'--attributes={attributes}', source)
        self.assertEqual(text, b'vertex,v0.x\n')

    def test_endless(self):
        source = self.file('p.gp', '.const c0 = 1, 0, 0, 0\n'
                           'u=c0; pass=move(u.x); branch=0\n')
        _, errors = self.call(RUN, '--max-steps=100', source, code=1)
        self.assertIn('[endless] (after 100 steps)', errors)

    def test_wrong_use_of_run(self):
        source = self.file('p.gp', PROGRAM)
        for args in ((), (source, source), ('--frob', source),
                     ('--tables=x', source), ('--temps=300,5', source),
                     ('--temps=3', source), ('--temps=-1,2', source),
                     ('--temps=300,-1', source), ('--temps= 1,2', source),
                     ('--temps=1,2x', source), ('--max-steps=0', source),
                     ('/nonexistent',),
                     ('--attributes=/nonexistent', source)):
            self.call(RUN, *args, code=2)
        text, _ = self.call(RUN, '--help')
        self.assertIn(b'usage: saffron gp-run', text)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
