#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Amber scripts (github.com/google/amber) from your checkout on the driver.

usage: bin/saffron fuzz --amber [--gen=G] [--rewrites=N] [-v] PATH...

PATH is a script or a folder of them: of amber (tests/cases) or of VK-GL-CTS
(external/vulkancts/data/vulkan/amber). Each script passes, fails, or is
skipped, with what it needs and this runner has not; a script named
*.expect_fail.amber passes if it does not. With --rewrites a script that
passes runs N times more with other forms of its shaders that mean the same
(rewrite.py), and fails if a buffer or an image is another one then.

What is read: shaders in GLSL and SPIR-V assembly, buffers with numbers,
vectors and matrices, color attachments, uniform and storage buffers, push
constants, vertex data; CLEAR, RUN (groups, DRAW_RECT, DRAW_ARRAY, DRAW_GRID),
EXPECT; extensions of the device, which the driver must have.
"""
import argparse
import os
import random
import re
import shlex
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import rewrite

ROOT = Path(__file__).resolve().parent.parent.parent
# Vulkan's numbers.
STAGES = {'vertex': (1, 'vert'), 'tessellation_control': (2, 'tesc'),
          'tessellation_evaluation': (4, 'tese'), 'geometry': (8, 'geom'),
          'fragment': (16, 'frag'), 'compute': (32, 'comp')}
TOPOLOGIES = {'POINT_LIST': 0, 'LINE_LIST': 1, 'LINE_STRIP': 2,
              'TRIANGLE_LIST': 3, 'TRIANGLE_STRIP': 4, 'TRIANGLE_FAN': 5}
# Number, and type of a texel; BGRA is read as RGBA.
FORMATS = {'B8G8R8A8_UNORM': (44, 'vec4<uint8>'),
           'R8G8B8A8_UNORM': (37, 'vec4<uint8>'),
           'R32G32B32A32_SFLOAT': (109, 'vec4<float>'),
           'R32G32B32_SFLOAT': (106, 'vec3<float>'),
           'R32G32_SFLOAT': (103, 'vec2<float>'),
           'R32_SFLOAT': (100, 'float'), 'R32_SINT': (99, 'int32'),
           'R32_UINT': (98, 'uint32')}
SCALARS = {'int8': 'b', 'uint8': 'B', 'int16': 'h', 'uint16': 'H',
           'int32': 'i', 'uint32': 'I', 'int64': 'q', 'uint64': 'Q',
           'float16': 'e', 'float': 'f', 'double': 'd'}
VERTEX_FORMATS = {'float': 100, 'vec2<float>': 103, 'vec3<float>': 106,
                  'vec4<float>': 109, 'int32': 99, 'uint32': 98,
                  'vec2<int32>': 102, 'vec4<int32>': 108,
                  'vec4<uint8>': 37}
PASSTHROUGH = '''#version 450
layout(location = 0) in vec4 position;
void main() { gl_Position = position; }
'''


class Skip(Exception):
    """What a script needs and this has not."""


class Wrong(Exception):
    """What a script expected and did not get."""


class Type:
    """Numbers of an element, and where they lie."""

    def __init__(self, name, std140=False):
        found = re.fullmatch(r'(?:(vec)(\d)|mat(\d)x(\d))?<?(\w+)>?', name)
        if not found or found[5] not in SCALARS:
            raise Skip(f'type {name}')
        self.name, self.letter = name, SCALARS[found[5]]
        self.columns = int(found[3] or 1)
        self.rows = int(found[2] or found[4] or 1)
        size = struct.calcsize(self.letter)
        align = size * (1, 2, 4, 4)[self.rows - 1]
        self.column_B = max(16, align) if std140 else align
        self.stride_B = self.column_B * self.columns

    def places(self, count):
        """Bytes where each number of `count` elements begins."""
        size = struct.calcsize(self.letter)
        return [e * self.stride_B + c * self.column_B + r * size
                for e in range(count) for c in range(self.columns)
                for r in range(self.rows)]

    def pack(self, values):
        per = self.columns * self.rows
        count = (len(values) + per - 1) // per
        data = bytearray(self.stride_B * count)
        for at, value in zip(self.places(count), values):
            struct.pack_into('<' + self.letter, data, at,
                             number(value, self.letter))
        return bytes(data)

    def unpack(self, data, start=0):
        """Numbers from byte `start` on."""
        count = len(data) // self.stride_B
        return [struct.unpack_from('<' + self.letter, data, at)[0]
                for at in self.places(count) if at >= start]


def number(word, letter):
    if letter in 'efd':
        return float.fromhex(word) if word.startswith('0x') else float(word)
    value = int(word, 0)
    bits = 8 * struct.calcsize(letter)
    value &= (1 << bits) - 1
    return value - (1 << bits) if letter.islower() and \
        value >> (bits - 1) else value


class Buffer:
    """Numbers or texels; `index` is the runner's."""

    def __init__(self, kind, values=(), texels=None):
        self.kind, self.values, self.texels = kind, list(values), texels
        self.std140 = self.is_image = False
        self.index = self.size = None

    def type(self):
        return Type(self.kind, self.std140)


class Pipeline:
    """What it is made of."""

    def __init__(self, kind):
        self.kind, self.shaders, self.binds = kind, [], []
        self.colors, self.vertices = {}, []
        self.push, self.size = None, (250, 250)
        self.clear = (0.0, 0.0, 0.0, 0.0)

    def copy(self):
        p = Pipeline(self.kind)
        p.shaders = [list(s) for s in self.shaders]
        p.binds, p.colors = list(self.binds), dict(self.colors)
        p.vertices, p.push = list(self.vertices), self.push
        p.size, p.clear = self.size, self.clear
        return p


class Script:
    """A script: what it declares, and what it does."""

    def __init__(self, text):
        self.shaders, self.buffers, self.pipelines = {}, {}, {}
        self.commands, self.extensions = [], []
        self.lines = text.split('\n')
        self.at = 0
        while self.at < len(self.lines):
            words = self.next()
            if words:
                self.read(words)

    def next(self):
        """Words of a line; none of a comment."""
        line = self.lines[self.at]
        self.at += 1
        while line.rstrip().endswith('\\') and self.at < len(self.lines):
            line = line.rstrip()[:-1] + ' ' + self.lines[self.at]
            self.at += 1
        return shlex.split(line.split('#')[0])

    def block(self):
        """Lines of words up to END."""
        lines = []
        while self.at < len(self.lines):
            words = self.next()
            if words == ['END']:
                return lines
            if words:
                lines.append(words)
        raise Skip('a block without END')

    def read(self, words):
        read = {'SHADER': self.shader, 'BUFFER': self.buffer,
                'PIPELINE': self.pipeline, 'DERIVE_PIPELINE': self.derive,
                'DEVICE_EXTENSION': lambda w: self.extensions.append(w[1]),
                'SET': lambda w: None}.get(words[0])
        if read:
            read(words)
        elif words[0] in ('CLEAR', 'CLEAR_COLOR', 'RUN', 'EXPECT'):
            self.commands.append(words)
        else:
            raise Skip(words[0])

    def shader(self, words):
        stage, name, form = words[1:4]
        if stage not in STAGES:
            raise Skip(f'SHADER {stage}')
        if form == 'PASSTHROUGH':
            self.shaders[name] = (stage, 'GLSL', None, PASSTHROUGH)
            return
        env = words[5] if words[4:5] == ['TARGET_ENV'] else None
        if form not in ('GLSL', 'SPIRV-ASM') or len(words) > 4 + 2 * bool(env):
            raise Skip(' '.join(['SHADER', form] + words[4:5]))
        first = self.at
        while self.lines[self.at].strip() != 'END':
            self.at += 1
        self.shaders[name] = (stage, form, env,
                              '\n'.join(self.lines[first:self.at]) + '\n')
        self.at += 1

    def buffer(self, words):
        name = words[1]
        if words[2] == 'FORMAT' and len(words) == 4:
            if words[3] not in FORMATS:
                raise Skip(f'FORMAT {words[3]}')
            self.buffers[name] = Buffer(FORMATS[words[3]][1],
                                        texels=words[3])
            return
        if words[2] != 'DATA_TYPE':
            raise Skip(f'BUFFER {words[2]}')
        kind = FORMATS[words[3]][1] if words[3] in FORMATS else words[3]
        rest = words[4:]
        b = Buffer(kind.removesuffix('[]'))
        if rest[0].lower() in ('std140', 'std430'):
            b.std140 = rest.pop(0).lower() == 'std140'
        per = b.type().columns * b.type().rows
        if rest[:1] == ['DATA'] and rest[-1] == 'END':
            b.values = rest[1:-1]
        elif rest[:1] == ['DATA']:
            b.values = rest[1:] + sum(self.block(), [])
        elif rest[:1] == ['SIZE'] and rest[2:3] == ['FILL']:
            b.values = [rest[3]] * (int(rest[1]) * per)
        else:
            raise Skip(' '.join(['BUFFER'] + rest[:1] + rest[2:3]))
        self.buffers[name] = b

    def pipeline(self, words):
        self.pipelines[words[2]] = self.filled(Pipeline(words[1]))

    def derive(self, words):
        self.pipelines[words[1]] = self.filled(
            self.pipelines[words[3]].copy())

    def filled(self, p):
        for words in self.block():
            if words[0] == 'ATTACH':
                p.shaders.append([words[1], 'main', []])
                words = words[2:]
                while words:
                    words = self.attached(p, words)
            elif words[0] == 'SPECIALIZE':
                self.attached(p, words)
            elif words[0] == 'FRAMEBUFFER_SIZE':
                p.size = int(words[1]), int(words[2])
            elif words[0] == 'VERTEX_DATA' and words[2] == 'LOCATION' and \
                    len(words) == 4:
                p.vertices.append((words[1], int(words[3])))
            elif words[:2] == ['BIND', 'BUFFER']:
                self.bind(p, words[2:])
            else:
                raise Skip(' '.join(words[:1] + words[1:2]
                                    * (words[0] == 'BIND')))
        return p

    def attached(self, p, words):
        if words[0] == 'ENTRY_POINT':
            p.shaders[-1][1] = words[1]
            return words[2:]
        if words[0] == 'TYPE':
            return words[2:]
        if words[0] == 'SPECIALIZE':
            letter = SCALARS.get(words[3])
            if letter not in tuple('iIf'):
                raise Skip(f'SPECIALIZE {words[3]}')
            value = struct.unpack('<I', struct.pack(
                '<' + letter, number(words[4], letter)))[0]
            p.shaders[-1][2].append((int(words[1]), value))
            return words[5:]
        raise Skip(f'ATTACH {words[0]}')

    def bind(self, p, words):
        name, use, rest = words[0], words[2], words[3:]
        if name not in self.buffers:
            raise Skip('a buffer that is no BUFFER')
        b = self.buffers[name]
        if use == 'color' and rest[0] == 'LOCATION' and len(rest) == 2:
            if not b.texels:
                raise Skip('an attachment without FORMAT')
            b.is_image, b.size = True, p.size
            p.colors[int(rest[1])] = name
        elif use in ('uniform', 'storage') and len(rest) == 4 and \
                rest[0] == 'DESCRIPTOR_SET' and not b.texels:
            p.binds.append((int(rest[1]), int(rest[3]),
                            6 if use == 'uniform' else 7, name))
        elif use == 'push_constant' and not rest:
            p.push = name
        else:
            raise Skip(f'BIND BUFFER AS {use}')


class Runner:
    """run_amber, begun anew when it is gone."""

    def __init__(self, args):
        build = args.build
        self.command = [build / 'tests/fuzz/run_amber',
                        build / 'src/intel/vulkan/libvulkan_saffron.so']
        self.env = {**os.environ, 'SAFFRON_DEVICE': 'sim:' + args.gen}
        self.process = None

    def say(self, *words):
        if not self.process:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, env=self.env, text=True)
        try:
            self.process.stdin.write(' '.join(map(str, words)) + '\n')
            self.process.stdin.flush()
            answer = self.process.stdout.readline().strip()
        except BrokenPipeError:
            answer = ''
        if answer == 'ok':
            return
        self.process.kill()
        code = self.process.wait()
        self.process = None
        raise Wrong(answer or f'the driver ended with {code}')

    def need(self, extension):
        try:
            self.say('extension', extension)
        except Wrong as e:
            raise Skip(extension) from e


class Run:
    """A script on the driver."""

    def __init__(self, script, runner, folder, change=None):
        self.script, self.runner, self.folder = script, runner, folder
        self.change = change
        self.modules = {}
        for name in script.extensions:
            runner.need(name)
        runner.say('reset')
        counts = [0, 0]
        for b in script.buffers.values():
            b.index = counts[b.is_image]
            counts[b.is_image] += 1
            if b.is_image:
                runner.say('image', *b.size, FORMATS[b.texels][0],
                           b.type().stride_B)
            else:
                self.buffer(b.type().pack(b.values) or bytes(16))
        self.buffer_count = counts[0]

    def file(self, data):
        path = os.path.join(self.folder, 'data')
        with open(path, 'wb') as f:
            f.write(data)
        return path

    def buffer(self, data):
        self.runner.say('buffer', len(data), self.file(data))

    def module(self, name):
        """A file with the SPIR-V of a shader."""
        if name in self.modules:
            return self.modules[name]
        stage, form, env, text = self.script.shaders[name]
        path = os.path.join(self.folder, f'{len(self.modules)}.spv')
        source = f'{path}.{STAGES[stage][1]}'
        with open(source, 'w', encoding='utf-8') as f:
            f.write(text)
        if form == 'GLSL':
            command = ['glslangValidator', '-V', '--quiet', '--target-env',
                       env if env and env.startswith('vulkan') else
                       'vulkan1.2', source, '-o', path]
        else:
            command = ['spirv-as', '--preserve-numeric-ids', '--target-env',
                       env or 'spv1.0', source, '-o', path]
        done = subprocess.run(command, capture_output=True, text=True,
                              check=False)
        if done.returncode:
            raise Skip(f'{command[0]} refuses {name}')
        if self.change:
            self.change(path)
        self.modules[name] = path
        return path

    def begin(self, p):
        """Says all of a pipeline but vertices."""
        for name, entry, constants in p.shaders:
            bit = STAGES[self.script.shaders[name][0]][0]
            self.runner.say('stage', bit, entry, self.module(name),
                            *sum(map(list, constants), []))
        for where in p.binds:
            self.runner.say('bind', *where[:3],
                            self.script.buffers[where[3]].index)
        if p.push:
            b = self.script.buffers[p.push]
            data = b.type().pack(b.values)
            self.runner.say('push', len(data), self.file(data))
        for _, name in sorted(p.colors.items()):
            self.runner.say('color', self.script.buffers[name].index)

    def draw_points(self, topology, points):
        """With a buffer of positions at location 0."""
        self.buffer(struct.pack(f'<{4 * len(points)}f', *sum(
            ([x, y, 0.0, 1.0] for x, y in points), [])))
        self.runner.say('vertex', 0, 109, 16, self.buffer_count)
        self.buffer_count += 1
        self.runner.say('draw', TOPOLOGIES[topology], 0, len(points))

    def run(self, words):
        if words[1] not in self.script.pipelines:
            raise Skip(f'RUN {words[1]}')
        p = self.script.pipelines[words[1]]
        rest = words[2:]
        self.begin(p)
        if all(w.isdigit() for w in rest) and len(rest) == 3:
            self.runner.say('dispatch', *rest)
        elif rest[0] == 'DRAW_GRID' and rest[1] == 'POS':
            self.draw_points('TRIANGLE_LIST', grid(
                [float(w) for w in rest[2:4] + rest[5:7]], p.size,
                int(rest[8]), int(rest[9])))
        elif rest[0] == 'DRAW_RECT' and rest[1] == 'POS' and len(rest) == 7:
            points = grid([float(w) for w in rest[2:4] + rest[5:7]], p.size,
                          1, 1)
            self.draw_points('TRIANGLE_STRIP',
                             [points[k] for k in (2, 1, 5, 0)])
        elif rest[0] == 'DRAW_ARRAY' and rest[2] in TOPOLOGIES:
            self.draw_array(p, rest)
        else:
            raise Skip(f'RUN {" ".join(rest[:1] + rest[2:3] + rest[7:8])}')

    def draw_array(self, p, rest):
        count = None
        for name, location in p.vertices:
            b = self.script.buffers[name]
            if b.kind not in VERTEX_FORMATS:
                raise Skip(f'VERTEX_DATA {b.kind}')
            kind = b.type()
            here = len(b.values) // kind.rows
            count = here if count is None else min(count, here)
            self.runner.say('vertex', location, VERTEX_FORMATS[b.kind],
                            kind.stride_B, b.index)
        more = dict(zip(rest[3::2], rest[4::2]))
        if len(rest) % 2 == 0 or set(more) - {'START_IDX', 'COUNT'}:
            raise Skip('DRAW_ARRAY ' + ' '.join(sorted(more)))
        first = int(more.get('START_IDX', 0))
        self.runner.say('draw', TOPOLOGIES[rest[2]], first,
                        more.get('COUNT', (count or 0) - first))

    def bytes_of(self, b):
        path = os.path.join(self.folder, 'out')
        self.runner.say('saveimage' if b.is_image else 'save', b.index, path)
        with open(path, 'rb') as f:
            data = bytearray(f.read())
        if b.texels == 'B8G8R8A8_UNORM':
            data[0::4], data[2::4] = data[2::4], data[0::4]
        return bytes(data)

    def all(self):
        """Every command; then the bytes of all buffers and images."""
        for words in self.script.commands:
            {'CLEAR_COLOR': self.clear_color, 'CLEAR': self.clear,
             'RUN': self.run, 'EXPECT': self.expect}[words[0]](words)
        return {name: self.bytes_of(b)
                for name, b in self.script.buffers.items()}

    def clear_color(self, words):
        self.script.pipelines[words[1]].clear = tuple(
            float(w) / 255 for w in words[2:6])

    def clear(self, words):
        p = self.script.pipelines[words[1]]
        for name in p.colors.values():
            self.runner.say('clear', self.script.buffers[name].index,
                            *p.clear)

    def expect(self, words):
        if words[1] not in self.script.buffers:
            raise Skip('EXPECT of what is no BUFFER')
        b = self.script.buffers[words[1]]
        rest = words[2:]
        if rest[0] == 'IDX' and b.is_image:
            self.expect_texels(b, rest[1:])
        elif rest[0] == 'IDX':
            self.expect_numbers(b, rest[1:])
        elif rest[0] in COMPARISONS:
            one, two = (c.type().unpack(self.bytes_of(c))
                        for c in (b, self.script.buffers[rest[1]]))
            most = float(rest[3]) if len(rest) > 3 else 0.0
            if len(one) != len(two):
                raise Wrong(f'{words[1]} and {rest[1]} are not as large')
            far = COMPARISONS[rest[0]](one, two)
            if far > most:
                raise Wrong(f'{words[1]} {rest[0]} {rest[1]}: {far:g}')
        else:
            raise Skip(f'EXPECT {rest[0]}')

    def expect_texels(self, b, rest):
        x, y = int(rest[0]), int(rest[1])
        width = height = 1
        rest = rest[2:]
        if rest[:1] == ['SIZE']:
            width, height, rest = int(rest[1]), int(rest[2]), rest[3:]
        # Which way a half goes is left to drivers.
        near, rest = tolerance(rest, ['1'])
        parts = {'EQ_RGB': 3, 'EQ_RGBA': 4}.get(rest[0])
        if not parts or b.kind != 'vec4<uint8>':
            raise Skip(f'EXPECT {rest[0]} of {b.texels}')
        want = [float(w) for w in rest[1:1 + parts]]
        data = self.bytes_of(b)
        row = bytes(int(w) for w in want) * width if parts == 4 else None
        for j in range(y, y + height):
            first = (j * b.size[0] + x) * 4
            if data[first:first + 4 * width] == row:
                continue
            for i in range(x, x + width):
                at = (j * b.size[0] + i) * 4
                got = data[at:at + parts]
                if len(got) < parts or not is_near(got, want, near):
                    raise Wrong(f'texel {i}, {j}: {list(got)}, '
                                f'not {want}')

    def expect_numbers(self, b, rest):
        start, rest = int(rest[0]), rest[1:]
        near, rest = tolerance(rest)
        ask = {'EQ': lambda g, w: is_near([g], [w], near),
               'NE': lambda g, w: g != w, 'LT': lambda g, w: g < w,
               'LE': lambda g, w: g <= w, 'GT': lambda g, w: g > w,
               'GE': lambda g, w: g >= w}.get(rest[0])
        if not ask:
            raise Skip(f'EXPECT {rest[0]}')
        kind = b.type()
        want = [number(w, kind.letter) for w in rest[1:]]
        got = kind.unpack(self.bytes_of(b), start)[:len(want)]
        if len(got) < len(want) or not all(map(ask, got, want)):
            raise Wrong(f'byte {start}: {got} {rest[0]} {want}')


def grid(place, size, columns, rows):
    """Corners of triangles that cover a place in pixels, in the order that
    flat inputs see in amber."""
    x, y, width, height = place
    xs = [(x + width * i / columns) / size[0] * 2 - 1
          for i in range(columns + 1)]
    ys = [(y + height * j / rows) / size[1] * 2 - 1 for j in range(rows + 1)]
    points = []
    for j in range(rows):
        for i in range(columns):
            points += [(xs[i + a], ys[j + b]) for a, b in
                       ((1, 1), (0, 1), (0, 0), (1, 1), (0, 0), (1, 0))]
    return points


def tolerance(rest, default=()):
    """(what each number may be off: absolute or '%', what follows)."""
    if rest[:1] != ['TOLERANCE']:
        return default, rest
    n = 1
    while re.fullmatch(r'[0-9.]+%?', rest[n]):
        n += 1
    return rest[1:n], rest[n:]


def is_near(got, want, near):
    for k, (g, w) in enumerate(zip(got, want)):
        off = near[min(k, len(near) - 1)] if near else '0'
        most = abs(w) * float(off[:-1]) / 100 if off.endswith('%') \
            else float(off)
        # A decimal stands for the float next to it.
        if abs(g - w) > max(most, abs(w) * 1e-6 if isinstance(w, float)
                            else 0):
            return False
    return True


def histogram_distance(one, two):
    """The largest over channels, as a share of what is possible."""
    worst = 0.0
    for channel in range(4):
        a, b = one[channel::4], two[channel::4]
        sums, moved = 0, 0
        for value in range(256):
            sums += a.count(value) - b.count(value)
            moved += abs(sums)
        worst = max(worst, moved / max(len(a), 1) / 255)
    return worst


COMPARISONS = {
    'EQ_BUFFER': lambda a, b: max(
        (abs(x - y) for x, y in zip(a, b)), default=0),
    'RMSE_BUFFER': lambda a, b: (sum(
        (x - y) ** 2 for x, y in zip(a, b)) / max(len(a), 1)) ** 0.5,
    'EQ_HISTOGRAM_EMD_BUFFER': histogram_distance,
}


def changer(seed):
    """Gives a module another form that spirv-val takes; else leaves it."""
    rnd = random.Random(seed)

    def change(path):
        with open(path, 'rb') as f:
            old = f.read()
        new, _ = rewrite.rewrite(old, random.Random(rnd.random()),
                                 rnd.choice((1, 4, 12, 30)))
        with open(path, 'wb') as f:
            f.write(new)
        if subprocess.run(['spirv-val', '--target-env', 'vulkan1.2', path],
                          capture_output=True, check=False).returncode:
            with open(path, 'wb') as f:
                f.write(old)
    return change


def largest_difference(before, after):
    """One line; None: there is none."""
    for name, data in before.items():
        if data != after[name]:
            far = max(abs(x - y) for x, y in zip(data, after[name]))
            count = sum(x != y for x, y in zip(data, after[name]))
            return f'{name} differs in {count} bytes, by up to {far}'
    return None


def judge(path, runner, folder, rewrites):
    """('pass', 'fail' or 'skip', why)."""
    try:
        script = Script(path.read_text(encoding='utf-8'))
        before = Run(script, runner, folder).all()
        for k in range(rewrites):
            how = largest_difference(
                before, Run(script, runner, folder, changer(k)).all())
            if how:
                return 'fail', f'form {k}: {how}'
        return 'pass', ''
    except Skip as e:
        return 'skip', str(e)
    except Wrong as e:
        return 'fail', str(e)
    except (ValueError, IndexError, KeyError, struct.error) as e:
        return 'skip', f'not understood: {e!r}'


def main():
    """0: none fails, and some pass."""
    p = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    p.add_argument('--gen', default='skl')
    p.add_argument('--build', type=Path, default=ROOT / 'build')
    p.add_argument('--rewrites', type=int, default=0)
    p.add_argument('-v', action='store_true', help='name what passes, too')
    p.add_argument('paths', type=Path, nargs='+', metavar='PATH')
    args = p.parse_args()
    scripts = []
    for path in args.paths:
        if not path.exists():
            p.error(f'{path}: no such file')
        scripts += sorted(path.rglob('*.amber')) if path.is_dir() else [path]
    runner = Runner(args)
    counts = {'pass': 0, 'fail': 0, 'skip': 0}
    with tempfile.TemporaryDirectory() as folder:
        for path in scripts:
            how, why = judge(path, runner, folder, args.rewrites)
            if path.name.endswith('.expect_fail.amber') and how != 'skip':
                how, why = ('pass', '') if how == 'fail' else \
                    ('fail', 'does not fail')
            counts[how] += 1
            if how != 'pass' or args.v:
                print(f'{how} {path}' + (f': {why}' if why else ''))
                sys.stdout.flush()
    print('{pass} passed, {fail} failed, {skip} skipped'.format(**counts))
    return 1 if counts['fail'] or not counts['pass'] else 0


if __name__ == '__main__':
    sys.exit(main())
