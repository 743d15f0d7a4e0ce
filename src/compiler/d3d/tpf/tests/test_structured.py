# SPDX-License-Identifier: MIT
"""Structured buffers of random HLSL types: test_structured.py TPF-COMPARE N.

What glslang lays out and accesses is written as SM5, read back, and does the
same to memory: scalars, vectors, matrices, arrays, nested structures and
doubles, masks with holes, indices of run time, compound assignments, side
effects in an index, shared structures, tables of constants.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile

SCALARS = ('float', 'int', 'uint')


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.structs = []

    def member(self, depth):
        """A type, and what stands after the name of its member."""
        r = self.r
        kind = r.choice('sssvvvmmadS' if depth else 'svvmad')
        if kind == 'S':
            base = self.struct(depth - 1)
        elif kind == 'd':
            base = 'double' + r.choice(('', '2'))
        elif kind == 'm':
            base = '%sfloat%dx%d' % (r.choice(('', 'row_major ')),
                                     r.randint(2, 4), r.randint(2, 4))
        else:
            base = r.choice(SCALARS) + (str(r.randint(2, 4)) if kind == 'v'
                                        else '')
        return base, r.randint(2, 3) if kind == 'a' or r.random() < 0.2 else 0

    def struct(self, depth):
        members = [self.member(depth) for _ in range(self.r.randint(1, 4))]
        name = 'S%d' % len(self.structs)
        self.structs.append((name, members))
        return name

    def text_of_structs(self):
        lines = []
        for name, members in self.structs:
            fields = ' '.join('%s m%d%s;' % (t, i, '[%d]' % n if n else '')
                              for i, (t, n) in enumerate(members))
            lines.append('struct %s { %s };' % (name, fields))
        return '\n'.join(lines)

    def index(self, n):
        return self.r.choice((str(self.r.randrange(n)), 'k %% %d' % n,
                              '(id.x + k) %% %d' % n, 'step() %% %d' % n))

    def place(self, path, type_):
        """A path to a scalar or vector: (text, its type)."""
        r = self.r
        for name, members in self.structs:
            if name == type_:
                i = r.randrange(len(members))
                t, n = members[i]
                path += '.m%d' % i
                if n:
                    path += '[%s]' % self.index(n)
                return self.place(path, t)
        base = type_.replace('row_major ', '')
        if 'x' in base and base[-2] == 'x':
            rows, columns = int(base[-3]), int(base[-1])
            path += '[%s]' % self.index(rows)
            return path, 'float%d' % columns
        return path, base

    def store(self):
        r = self.r
        path, t = self.place('buf[%s]' % r.choice(
            ('id.x', 'k', '1', 'id.x ^ 1')), self.root)
        n = int(t[-1]) if t[-1].isdigit() else 1
        base = t.rstrip('234')
        if n > 1 and r.random() < 0.5:
            mask = r.sample('xyzw'[:n], r.randint(1, n))
            path += '.' + ''.join(mask)
            n = len(mask)
        value = '%s(k * 3 + %d%s)' % (base, r.randint(0, 9), self.row())
        if n > 1:
            value = '%s%d(%s)' % (base, n, ', '.join(
                '%s(k + %d)' % (base, r.randint(0, 9)) for _ in range(n)))
        return '   %s %s %s;' % (path, r.choice(('=', '=', '+=', '-=')),
                                 value)

    def row(self):
        """To be added: a number of a table, or nothing."""
        r = self.r
        if r.random() < 0.5:
            return ''
        n, size, width = r.choice(self.tables)
        member = '.' + r.choice('xyzw'[:width]) if width > 1 else ''
        return ' + table%d[%s]%s' % (n, r.choice(
            ('(k + %d) %% %d' % (r.randint(0, 9), size),
             '%d' % r.randrange(size))), member)

    def text_of_tables(self):
        r = self.r
        lines = []
        for n, size, width in self.tables:
            rows = [', '.join(str(r.randint(0, 99)) for _ in range(width))
                    for _ in range(size)]
            if width > 1:
                rows = ['uint%d(%s)' % (width, row) for row in rows]
            lines.append('static const uint%s table%d[%d] = { %s };' % (
                width if width > 1 else '', n, size, ', '.join(rows)))
        return '\n'.join(lines)

    def text(self):
        self.root = self.struct(2)
        self.tables = [(n, self.r.randint(2, 9), self.r.randint(1, 4))
                       for n in range(2)]
        stores = [self.store() for _ in range(4)]
        if self.r.random() < 0.5:
            stores.insert(1, '   local[id.x & 3] = buf[k];')
            stores.append('   buf[k ^ 1] = local[id.x & 3];')
        if self.r.random() < 0.5:
            stores.insert(1, '   one = src[k];')
            stores.append('   buf[k] = one;')
        if self.r.random() < 0.5:
            stores.insert(2, '   buf[k] = src[id.x];')
        if self.r.random() < 0.5:
            stores.append('   buf[id.x + 1] = buf[k];')
        return '''%s
RWStructuredBuffer<%s> buf;
StructuredBuffer<%s> src;
groupshared %s local[4], one;
%s
static uint counter = 0;
uint step() { counter++; return counter; }
[numthreads(4, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
   uint k = id.x & 1;
%s
}
''' % (self.text_of_structs(), self.root, self.root, self.root,
       self.text_of_tables(), '\n'.join(stores))


def main(compare, count, first=0):
    if not shutil.which('glslangValidator'):
        print('no glslangValidator')
        return 77
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            text = Program(seed).text()
            hlsl = os.path.join(folder, 'a.hlsl')
            spv = os.path.join(folder, 'a.spv')
            with open(hlsl, 'w', encoding='utf-8') as f:
                f.write(text)
            subprocess.run(
                ['glslangValidator', '-D', '-V', '-e', 'main', '-S', 'comp',
                 '--auto-map-bindings', '-o', spv, hlsl], check=True,
                stdout=subprocess.DEVNULL)
            done = subprocess.run([compare, 'round', spv], check=False,
                                  capture_output=True, text=True)
            if done.returncode:
                print('seed %d: %s\n%s' % (seed, done.stderr, text))
                bad += 1
    print('%d passed, %d failed' % (count - bad, bad))
    return bad != 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
