# SPDX-License-Identifier: MIT
"""Compares the assembler and disassembler with Intel's own (iga64).

   test_iga.py SAFFRON-ASM SAFFRON-DISASM [--trials=N]

For HSW, BDW and SKL: writes many instructions, keeps those that iga64
accepts, and wants the same bytes from our assembler; the bytes again from
our assembler for iga64's disassembly; and from iga64 for our disassembly.
Then each entry of the compaction tables, and programs that iga64 compacts.

The instructions come from what hardware has (types, regions, registers), not
from our tables, except for the list of opcodes, which iga64 prints. The
random choices are the same each time; --trials multiplies their number.
"""

import itertools
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PLATFORMS = {'hsw': '7p5', 'bdw': '8', 'skl': '9'}
SKIP = 77
CHUNK = 250

TYPES = {'hsw': 'ub b uw w ud d f df'.split()}
TYPES['bdw'] = TYPES['skl'] = 'ub b uw w ud d uq q hf f df'.split()
SIZE = dict(ub=1, b=1, uw=2, w=2, hf=2, ud=4, d=4, f=4, uq=8, q=8, df=8)
EXEC = (1, 2, 4, 8, 16, 32)
STRIDES = (0, 1, 2, 4, 8, 16, 32)
WIDTHS = (1, 2, 4, 8, 16)
COND = 'eq ne gt ge lt le ov un'.split()
PRED = [''] + ['.' + p for p in
               'anyv allv any2h all2h any4h all4h any8h all8h any16h all16h '
               'any32h all32h'.split()]
PRED_ALIGN16 = ['', '.any4h', '.all4h']  # of those that iga64 can write
OPTIONS = ['', 'AccWrEn', 'NoDDClr', 'NoDDChk', 'Atomic', 'Switch',
           'Breakpoint', 'NoDDClr,NoDDChk', 'AccWrEn,Switch']
MATH1 = 'inv log exp sqt rsqt sin cos'.split()
MATH2 = 'fdiv pow idiv iqot irem'.split()
UNARY = {'mov', 'not', 'bfrev', 'frc', 'rndu', 'rndd', 'rnde', 'rndz', 'lzd',
         'fbh', 'fbl', 'cbit', 'f32to16', 'f16to32', 'movi'}
TERNARY = {'mad', 'lrp', 'bfe', 'bfi2', 'csel'}
LOGIC = {'and', 'or', 'xor', 'not'}
# iga64 reports three errors a run, so what it always rejects is left out.
NO_MODS = {'addc', 'subb', 'bfi1', 'bfrev', 'fbh', 'fbl', 'cbit', 'smov',
           'pln'}
# And what it accepts without a word but does not encode.
BIT_OPS = {'bfrev', 'bfe', 'bfi1', 'bfi2', 'fbh', 'fbl', 'cbit', 'smov'}
# Of frc iga64 drops it.
NO_SAT = BIT_OPS | {'addc', 'not', 'and', 'or', 'xor', 'cmp', 'cmpn', 'frc'}
NO_COND = BIT_OPS | {'movi', 'mach'}
FLOW1 = {'endif', 'while', 'join', 'brd', 'jmpi'}
FLOW2 = {'if', 'else', 'break', 'cont', 'halt', 'goto', 'brc'}
OTHER = {'illegal', 'nop', 'wait', 'send', 'sendc', 'sends', 'sendsc', 'math',
         'call', 'calla', 'ret', 'madm', 'dim'}


class Failure(Exception):
    """A difference; the text says which."""


class Bench:
    """The tools, and a folder for their files."""

    def __init__(self, asm, disasm, gen, folder):
        self.asm, self.disasm, self.gen = asm, disasm, gen
        self.platform = PLATFORMS[gen]
        self.folder = Path(folder)

    def run(self, *command):
        return subprocess.run([str(c) for c in command], capture_output=True,
                              text=True, check=False)

    def write(self, name, content):
        path = self.folder / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content)
        return path

    def iga_assemble(self, text, *options):
        """(bytes, set of numbers of bad lines from 1)"""
        source = self.write('iga.asm', text)
        target = self.folder / 'iga.krn'
        target.unlink(missing_ok=True)
        done = self.run('iga64', '-p=' + self.platform, '-q', *options, '-a',
                        source, '-o', target)
        bad = {int(n) for n in
               re.findall(r'^line (\d+)\.\d+: error', done.stderr, re.M)}
        if not bad and not target.exists():
            raise Failure('iga64: ' + done.stdout + done.stderr)
        return (b'' if bad else target.read_bytes()), bad

    def iga_disassemble(self, code):
        source = self.write('iga.krn', code)
        done = self.run('iga64', '-p=' + self.platform, '-q', '-d', source)
        if done.returncode:
            raise Failure('iga64 -d: ' + done.stderr)
        return done.stdout

    def our_assemble(self, text):
        source = self.write('our.asm', text)
        target = self.folder / 'our.krn'
        target.unlink(missing_ok=True)
        done = self.run(self.asm, '--gen=' + self.gen, '-o', target, source)
        if done.returncode:
            lines = text.split('\n')
            where = re.search(r':(\d+):\d+: error: (.*)', done.stderr)
            raise Failure('%s: our assembler rejects "%s": %s' % (
                self.gen, lines[int(where[1]) - 1] if where else '?',
                done.stderr.split('\n')[0]))
        return target.read_bytes()

    def our_disassemble(self, code):
        source = self.write('our.krn', code)
        done = self.run(self.disasm, '--gen=' + self.gen, source)
        if done.returncode:
            raise Failure('%s: our disassembler: %s' % (self.gen,
                                                        done.stderr))
        return done.stdout


def same(gen, what, expected, got, lines):
    """Raises Failure at the first instruction that differs."""
    if expected == got:
        return
    for i in range(0, max(len(expected), len(got)), 16):
        if expected[i:i + 16] != got[i:i + 16]:
            line = lines[i // 16] if i // 16 < len(lines) else '?'
            raise Failure('%s: %s: "%s"\n   iga64 %s\n   ours  %s' % (
                gen, what, line, expected[i:i + 16].hex(),
                got[i:i + 16].hex()))


def both_ways(bench, lines):
    """Compares what iga64 accepts of these lines; how many that is."""
    lines = list(lines)
    for _ in range(CHUNK):
        expected, bad = bench.iga_assemble('\n'.join(lines) + '\n')
        if not bad:
            break
        lines = [l for n, l in enumerate(lines, 1) if n not in bad]
    else:
        raise Failure('iga64 finds new errors each time')
    if not lines:
        return 0
    words = [l for l in lines if not l.endswith(':')]
    same(bench.gen, 'assembled', expected,
         bench.our_assemble('\n'.join(lines) + '\n'), words)
    theirs = bench.iga_disassemble(expected)
    same(bench.gen, 'their disassembly', expected,
         bench.our_assemble(theirs), words)
    ours = bench.our_disassemble(expected)
    again, bad = bench.iga_assemble(ours)
    if bad:
        raise Failure('%s: iga64 rejects our "%s"' % (
            bench.gen, ours.split('\n')[min(bad) - 1]))
    same(bench.gen, 'our disassembly', expected, again, words)
    return len(words)


# --------------------------------------------------------------------------
# Instructions.

class Writer:
    """Random parts of instructions for one generation."""

    def __init__(self, gen, opcodes):
        self.gen = gen
        self.types = TYPES[gen]
        self.opcodes = opcodes
        self.rng = random.Random('isa ' + gen)

    def pick(self, things):
        return self.rng.choice(things)

    def chance(self, one_in):
        return self.rng.randrange(one_in) == 0

    def subreg(self, ty):
        return self.rng.randrange(32 // SIZE[ty])

    def reg(self, ty, acc=True):
        if acc and self.chance(20):
            return 'acc%d.0' % self.rng.randrange(2)
        return 'r%d.%d' % (self.rng.randrange(128),
                           0 if self.chance(2) else self.subreg(ty))

    def indirect(self):
        # Gen7 has half as many address sub-registers.
        count = 8 if self.gen == 'hsw' else 16
        offset = self.rng.randrange(-512, 512)
        name = 'r[a0.%d' % self.rng.randrange(count)
        return name + (']' if self.chance(4) else ',%d]' % offset)

    def dst(self, ty):
        if self.chance(15):
            return 'null<1>:' + ty
        name = self.indirect() if self.chance(10) else self.reg(ty)
        return '%s<%d>:%s' % (name, self.pick((1, 1, 1, 2, 4)), ty)

    def region(self):
        if self.chance(2):
            return self.pick(('<8;8,1>', '<4;4,1>', '<0;1,0>', '<8;4,2>',
                              '<16;16,1>', '<2;2,1>'))
        return '<%d;%d,%d>' % (self.pick(STRIDES), self.pick(WIDTHS),
                               self.pick((0, 1, 2, 4)))

    def src(self, ty, sign='-', acc=True, indirect=True):
        mods = ''
        if sign:
            mods = self.pick(('', '', '', sign, '(abs)', sign + '(abs)'))
        if indirect and self.chance(10):
            region = self.pick(('<1,0>', '<2,1>', '<4,1>', '<8;8,1>',
                                '<0;1,0>'))
            return '%s%s%s:%s' % (mods, self.indirect(), region, ty)
        return '%s%s%s:%s' % (mods, self.reg(ty, acc), self.region(), ty)

    def imm(self, ty):
        if ty in ('ub', 'b'):
            ty = 'uw' if ty == 'ub' else 'w'
        bits = SIZE[ty] * 8
        value = self.pick((self.rng.getrandbits(bits),
                           self.rng.getrandbits(bits) >> self.rng.randrange(
                               bits)))
        if ty in ('w', 'd', 'q'):
            return '%d:%s' % (value - (1 << (bits - 1)), ty)
        if ty in ('f', 'df') and self.chance(2):
            return '%s:%s' % (self.pick(('1.0', '-2.5', '0.1', '1e-20',
                                         '-0.0', 'inf', '-inf', '3.14159',
                                         '%.3f' % self.rng.uniform(-9, 9))),
                              ty)
        return '0x%x:%s' % (value, ty)

    def predicate(self, controls):
        kind = self.rng.randrange(6)
        flag = '%sf%d.%d%s' % (self.pick(('', '~')), self.rng.randrange(2),
                               self.rng.randrange(2), self.pick(controls))
        text = ('', '', '', '(W) ', '(%s) ' % flag, '(W&%s) ' % flag)[kind]
        return text, flag[flag.index('f'):][:4] if kind >= 4 else None

    def head(self, name, cond=False, size=None, controls=PRED):
        """Predicate, name, size and conditional modifier."""
        text, flag = self.predicate(controls)
        size = size or self.pick(EXEC)
        group = self.rng.randrange(0, 32, max(size, 4))
        if self.gen == 'hsw' and size == 32:
            group = 0
        text += '%s (%d|M%d)' % (name, size, group)
        if cond:
            text += ' (%s)%s' % (self.pick(COND), flag or 'f%d.%d' % (
                self.rng.randrange(2), self.rng.randrange(2)))
        return text

    def tail(self):
        option = self.pick(OPTIONS) if self.chance(3) else ''
        return ' {%s}' % option if option else ''

    def alu(self, name, dst, src, imm=False, cond=None, sat=None):
        """One- and two-source arithmetic."""
        sign = '~' if name in LOGIC else '' if name in NO_MODS else '-'
        cond = self.chance(3) if cond is None else cond
        if name in ('cmp', 'cmpn'):
            cond = True
        sources = [self.src(src, sign)]
        if name not in UNARY:
            # Neither 64-bit immediates nor accumulators as second source.
            imm = imm and SIZE[src] < 8
            sources.append(self.imm(src) if imm else
                           self.src(src, sign, acc=False))
        elif imm:
            sources = [self.imm(src)]
        sat = self.chance(5) if sat is None else sat
        sat = sat and name not in NO_SAT
        cond = cond and name not in NO_COND
        return '%s %s%s %s%s;' % (self.head(name, cond),
                                  '(sat)' if sat else '', self.dst(dst),
                                  ' '.join(sources), self.tail())

    def ternary(self, name, ty):
        def operand(last):
            mods = self.pick(('', '', '-', '(abs)', '-(abs)'))
            if name in ('bfe', 'bfi2'):
                mods = ''
            scalar, full = (('<0>', '<1>') if last else ('<0;0>', '<2;1>'))
            if self.chance(3):
                return '%sr%d.%d%s:%s' % (mods, self.rng.randrange(128),
                                          self.subreg(ty), scalar, ty)
            return '%sr%d.0%s:%s' % (mods, self.rng.randrange(128), full, ty)
        cond = name == 'csel' or (name in ('mad', 'lrp') and self.chance(4))
        head = self.head(name, cond, self.pick((8, 16, 8, 1)), PRED_ALIGN16)
        if name == 'csel':
            head = head[head.index('csel'):]  # no predicate is encoded
        where = self.subreg(ty) if '(1|' in head else 0
        return '%s r%d.%d<1>:%s %s %s %s%s;' % (
            head, self.rng.randrange(128), where, ty, operand(False),
            operand(False), operand(True), self.tail())

    def message(self, name):
        split = name.startswith('sends')
        dst = self.pick(('null', 'r%d' % self.rng.randrange(128)))
        src = 'r%d' % self.rng.randrange(128)
        # With hf, iga64 sets a bit after a descriptor that is a register.
        ty = self.pick([t for t in self.types if t != 'hf'])
        # From Gen8 on, iga64 loses the sign of send's indirect destination,
        # and its type.
        loses = not split and self.gen != 'hsw'
        if self.chance(8):
            dst = 'r[a0.%d,%d]' % (self.rng.randrange(8), 16 *
                                   self.rng.randrange(0 if loses else -32,
                                                      32))
            ty = 'ud' if loses else ty
        if self.chance(8):
            src = 'r[a0.%d,%d]' % (self.rng.randrange(8),
                                   self.rng.randrange(-32, 32) * 16)
        sfid = self.pick((2, 3, 4, 5, 6, 7, 9, 10, 11, 12))
        ex_desc = sfid | (self.rng.randrange(16) << 6 if split else 0)
        desc = self.pick(('a0.0', '0x%x' % self.rng.getrandbits(29)))
        if split and self.chance(4):
            ex_desc = 'a0.%d' % self.pick((0, 2, 4, 6))
        else:
            ex_desc = '0x%x' % ex_desc
        second = ' r%d' % self.rng.randrange(128) if split else ''
        eot = ' {EOT}' if self.chance(5) and dst == 'null' else ''
        return '%s %s:%s %s%s %s %s%s;' % (
            self.head(name), dst, ty, src, second, ex_desc, desc, eot)


def alu_types(w):
    """Every opcode with every pair of types, with and without immediate."""
    for name in w.opcodes:
        if name in OTHER or name in TERNARY | FLOW1 | FLOW2:
            continue
        for dst, src in itertools.product(w.types, w.types):
            for imm in (False, True)[:2 if SIZE[src] < 8 else 1]:
                yield w.alu(name, dst, src, imm)
                yield w.alu(name, dst, src, imm, cond=False, sat=False)


def alu_modifiers(w):
    """Every opcode with modifiers of every kind."""
    for name in w.opcodes:
        if name in OTHER or name in TERNARY | FLOW1 | FLOW2:
            continue
        for _ in range(60):
            ty = w.pick(w.types)
            yield w.alu(name, ty, ty, w.chance(4))


def regions(w):
    """Every region, in every width, with types of every size."""
    for v, wi, h in itertools.product(STRIDES, WIDTHS, (0, 1, 2, 4)):
        for size in EXEC:
            ty = w.pick(w.types)
            yield 'mov (%d|M0) r%d.0<1>:%s r%d.%d<%d;%d,%d>:%s;' % (
                size, w.rng.randrange(128), ty, w.rng.randrange(128),
                w.subreg(ty), v, wi, h, ty)
            yield 'add (%d|M0) r1.0<1>:f r2.0<8;8,1>:f r3.%d<%d;%d,%d>:f;' % (
                size, w.subreg('f'), v, wi, h)


def sub_registers(w):
    for ty in w.types:
        for n in range(32 // SIZE[ty]):
            yield 'mov (1|M0) r%d.%d<1>:%s r%d.0<0;1,0>:%s;' % (
                w.rng.randrange(128), n, ty, w.rng.randrange(128), ty)
            yield 'add (1|M0) r1.0<1>:%s r2.%d<0;1,0>:%s r3.%d<0;1,0>:%s;' % (
                ty, n, ty, n, ty)


def predicates(w):
    for name, cond, pred in itertools.product(('mov', 'add', 'sel'), COND,
                                              PRED):
        for flag in ('f0.0', 'f0.1', 'f1.0', 'f1.1'):
            for inv in ('', '~', 'W&', 'W&~'):
                src1 = '' if name == 'mov' else ' r9.0<8;8,1>:f'
                yield '(%s%s%s) %s (8|M0) (%s)%s r1.0<1>:f r2.0<8;8,1>:f%s;' \
                    % (inv, flag, pred, name, cond, flag, src1)


def groups(w):
    for size in EXEC:
        for group in range(0, 32, 4):
            yield 'mov (%d|M%d) r1.0<1>:ud r2.0<0;1,0>:ud;' % (size, group)
            yield '(W) mov (%d|M%d) r1.0<1>:uw 7:uw;' % (size, group)


def immediates(w):
    for ty in w.types:
        for _ in range(150):
            yield 'mov (8|M0) r1.0<1>:%s %s;' % (ty, w.imm(ty))
            if SIZE[ty] < 8:
                yield 'add (8|M0) r1.0<1>:%s r2.0<8;8,1>:%s %s;' % (
                    ty, ty, w.imm(ty))
    for ty, dst in (('v', 'w'), ('uv', 'uw'), ('vf', 'f')):
        for _ in range(40):
            yield 'mov (8|M0) r1.0<1>:%s 0x%08x:%s;' % (
                dst, w.rng.getrandbits(32), ty)


def architecture(w):
    # iga64 counts sub-registers of fc and msg in units of its own.
    names = ['a0.%d', 'acc0.%d', 'acc1.%d', 'f0.%d', 'f1.%d', 'sr0.%d',
             'cr0.%d', 'n0.%d', 'tm0.%d', 'tdr0.%d', 'dbg0.%d', 'ce', 'ip',
             'sp.%d', 'fc0.0', 'fc1.0', 'msg0.0']
    for name, ty in itertools.product(names, ('uw', 'ud', 'w', 'd', 'f')):
        for n in range(4):
            reg = name % n if '%' in name else name
            yield '(W) mov (1|M0) r1.0<1>:%s %s<0;1,0>:%s;' % (ty, reg, ty)
            yield '(W) mov (1|M0) %s<1>:%s r1.0<0;1,0>:%s;' % (reg, ty, ty)
            yield '(W) or (1|M0) %s<1>:ud %s<0;1,0>:ud 0x10:ud {Switch};' % (
                reg, reg)
    for n in range(4):
        yield 'wait n0.%d<0;1,0>:ud;' % n


def indirect(w):
    for _ in range(600):
        ty = w.pick(w.types)
        yield 'mov (8|M0) %s<1>:%s %s%s:%s;' % (
            w.indirect(), ty, w.indirect(),
            w.pick(('<8;8,1>', '<0;1,0>', '<1,0>', '<4,1>', '<2,2>')), ty)
        yield 'add (8|M0) r1.0<1>:%s %s<1,0>:%s r3.0<8;8,1>:%s;' % (
            ty, w.indirect(), ty, ty)
        yield 'add (8|M0) r1.0<1>:%s r3.0<8;8,1>:%s %s<8;8,1>:%s;' % (
            ty, ty, w.indirect(), ty)


def ternaries(w):
    for name in sorted(TERNARY & set(w.opcodes)):
        for ty in ('f', 'df', 'd', 'ud', 'hf'):
            if ty in w.types:
                for _ in range(150):
                    yield w.ternary(name, ty)
    if w.gen == 'skl':
        for types in itertools.product(('f', 'hf'), repeat=4):
            yield ('mad (8|M0) r1.0<1>:%s r2.0<2;1>:%s r3.0<2;1>:%s '
                   'r4.0<1>:%s;' % types)
    if 'madm' in w.opcodes:
        for _ in range(100):
            mme = [w.pick(['nomme'] + ['mme%d' % n for n in range(8)])
                   for _ in range(4)]
            ty = w.pick(('f', 'df'))
            yield 'madm (8|M0) r1.%s:%s r2.%s:%s r3.%s:%s -r4.%s:%s;' % tuple(
                itertools.chain(*((m, ty) for m in mme)))


def maths(w):
    for _ in range(15):
        for name in MATH1 + MATH2:
            ty = w.pick(('f', 'f', 'hf', 'd', 'ud'))
            sign = '' if w.gen == 'hsw' or ty in ('d', 'ud') else '-'
            src = w.src(ty, sign, indirect=False)
            if name in MATH2:
                src += ' ' + w.src(ty, sign, acc=False, indirect=False)
            yield '%s %sr%d.0<1>:%s %s;' % (
                w.head('math.' + name), '(sat)' if w.chance(6) else '',
                w.rng.randrange(128), ty, src)
    if w.gen != 'hsw':
        for flag in ('f0.0', 'f0.1', 'f1.0', 'f1.1'):
            for n in range(8):
                yield ('math.invm (8|M0) (eo)%s r1.mme%d:f r2.nomme:f '
                       'r3.mme%d:f;' % (flag, n, 7 - n))
                yield ('math.rsqtm (8|M0) (eo)%s r1.mme%d:f r2.mme%d:f;' % (
                    flag, n, 7 - n))


def messages(w):
    for name in ('send', 'sendc', 'sends', 'sendsc'):
        if name in w.opcodes:
            for _ in range(500):
                yield w.message(name)


def flow(w):
    """A program: labels before, between and after."""
    names = [n for n in sorted((FLOW1 | FLOW2 | {'call', 'calla'}) &
                               set(w.opcodes))]
    if w.gen == 'hsw':
        names.remove('brc')  # iga64 cannot
    labels = ['A%d' % n for n in range(60)]
    for label in labels:
        yield label + ':'
        for _ in range(w.rng.randrange(8)):
            name = w.pick(names)
            head = w.head(name, size=w.pick((8, 16)))
            if name == 'jmpi':
                head = '(W) jmpi'
            elif name in ('else', 'endif'):
                head = '%s (%d|M0)' % (name, w.pick((8, 16)))
            if name in ('call', 'calla'):
                head += ' r%d.0' % w.rng.randrange(128)
            targets = [w.pick(labels)]
            if name in FLOW2 and not (name == 'else' and w.gen == 'hsw'):
                targets.append(w.pick(labels))
            yield '%s %s;' % (head, ' '.join(targets))
        if w.chance(3):
            yield 'ret (8|M0) r%d.0;' % w.rng.randrange(128)
            yield '(W) jmpi r%d.%d;' % (w.rng.randrange(128),
                                        w.rng.randrange(8))
            yield 'brd (8|M0) r%d.0;' % w.rng.randrange(128)
    yield 'nop;'
    yield 'illegal;'


GROUPS = [alu_types, alu_modifiers, regions, sub_registers, predicates,
          groups, immediates, architecture, indirect, ternaries, maths,
          messages, flow]


def iga_opcodes(bench):
    listing = bench.run('iga64', '-Xlist-ops', '-p=' + bench.platform).stdout
    return [line.split()[0] for line in listing.split('\n')[1:] if line]


def compare_instructions(bench, trials):
    w = Writer(bench.gen, iga_opcodes(bench))
    total = 0
    for group in GROUPS:
        accepted = offered = 0
        for _ in range(trials):
            lines = list(group(w))
            size = len(lines) if group is flow else CHUNK
            for i in range(0, len(lines), size):
                offered += len(lines[i:i + size])
                accepted += both_ways(bench, lines[i:i + size])
        print('%s %-14s %6d of %6d' % (bench.gen, group.__name__, accepted,
                                       offered))
        if not accepted:
            raise Failure('%s: iga64 accepts nothing of %s' % (
                bench.gen, group.__name__))
        total += accepted
    return total


# --------------------------------------------------------------------------
# Compaction.

def plain(text):
    """The instructions of a disassembly, without labels and {Compacted}."""
    lines = [l for l in text.strip().split('\n') if not l.endswith(':')]
    return [re.sub(r'Compacted,|,Compacted|\{Compacted\}', '', l).strip()
            for l in lines]


def read_words(bench, words):
    """[(word, iga64's text)] of the compact words that iga64 takes for
    instructions; it stops at what is none, wherever that stands."""
    try:
        theirs = plain(bench.iga_disassemble(
            b''.join(word.to_bytes(8, 'little') for word in words)))
    except Failure:
        theirs = []
    if len(theirs) == len(words):
        return [(word, text) for word, text in zip(words, theirs)
                if not text.startswith('illegal')]
    if len(words) == 1:
        return []  # a combination that is no instruction
    half = len(words) // 2
    return read_words(bench, words[:half]) + read_words(bench, words[half:])


def readable_words(bench, fields, base):
    """read_words() of each value of some bits of a compact word."""
    return read_words(bench, [
        base & ~(((1 << width) - 1) << shift) | value << shift
        for shift, width in fields for value in range(1 << width)])


def uncompact_index(bench, fields, base):
    """Compares what compact words mean; how many there were."""
    rows = readable_words(bench, fields, base)
    ours = plain(bench.our_disassemble(
        b''.join(word.to_bytes(8, 'little') for word, _ in rows)))
    # Where a sub-register is no multiple of the type, iga64 rounds it.
    rows = [(theirs, our) for (_, theirs), our in zip(rows, ours)
            if '.@' not in our]
    for _ in range(len(rows)):
        expected, bad = bench.iga_assemble(
            ''.join(theirs + '\n' for theirs, _ in rows))
        if not bad:
            break
        rows = [row for n, row in enumerate(rows, 1) if n not in bad]
    texts = [our for _, our in rows]
    same(bench.gen, 'compact word', expected,
         bench.our_assemble(''.join(t + '\n' for t in texts)), texts)
    return len(rows)


def compare_compaction(bench):
    """Table entries one by one; then programs that iga64 compacts."""
    basic = [(8, 5), (13, 5), (18, 5), (30, 5), (35, 5)]
    lines = ['mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f {Compacted};',
             'add (8|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f {Compacted};']
    count = 0
    for line in lines:
        code, bad = bench.iga_assemble(line + '\n')
        if bad or len(code) != 8:
            raise Failure('iga64 does not compact "%s"' % line)
        same(bench.gen, 'compacted', code, bench.our_assemble(line), lines)
        count += uncompact_index(bench, basic, int.from_bytes(code, 'little'))
    if bench.gen != 'hsw':
        line = 'mad (8|M0) r1.0<1>:f r2.0<2;1>:f r3.0<2;1>:f r4.0<1>:f'
        code = bench.our_assemble(line + ' {Compacted}')
        count += uncompact_index(bench, [(8, 2), (10, 2)],
                                 int.from_bytes(code, 'little'))
    return count + compare_auto_compaction(bench)


def compare_auto_compaction(bench):
    """What iga64 compacts, we read, and we write the same."""
    w = Writer(bench.gen, iga_opcodes(bench))
    lines = []
    for size, ty in itertools.product((8, 16), ('f', 'd', 'ud')):
        for _ in range(400):
            lines.append('%s (%d|M0) r%d.0<1>:%s r%d.0%s:%s r%d.0%s:%s;' % (
                w.pick(('add', 'mul')), size, w.rng.randrange(128), ty,
                w.rng.randrange(128), w.pick(('<8;8,1>', '<0;1,0>')), ty,
                w.rng.randrange(128), w.pick(('<8;8,1>', '<0;1,0>')), ty))
            lines.append('mov (%d|M0) r%d.0<1>:%s 0x%x:%s;' % (
                size, w.rng.randrange(128), ty, w.rng.getrandbits(13), ty))
    full, bad = bench.iga_assemble('\n'.join(lines) + '\n')
    if bad:
        raise Failure('iga64 rejects line %d' % min(bad))
    code, _ = bench.iga_assemble('\n'.join(lines) + '\n', '-Xautocompact')
    if len(code) >= len(full):
        raise Failure('iga64 compacts nothing')
    text = bench.our_disassemble(code)
    same(bench.gen, 'autocompacted', code, bench.our_assemble(text), lines)
    same(bench.gen, 'uncompacted', full,
         bench.our_assemble(text.replace('{Compacted}', '')), lines)
    return len(lines)


def main(asm, disasm, *options):
    if not shutil.which('iga64'):
        print('iga64 (Debian: libigc-tools) is not installed: skipped')
        return SKIP
    trials = 1
    for option in options:
        trials = int(option.partition('--trials=')[2])
    for gen in PLATFORMS:
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(asm, disasm, gen, folder)
            try:
                total = compare_instructions(bench, trials)
                compact = compare_compaction(bench)
            except Failure as failure:
                print('FAIL', failure)
                return 1
            print('%s: %d instructions and %d compact words agree' % (
                gen, total, compact))
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
