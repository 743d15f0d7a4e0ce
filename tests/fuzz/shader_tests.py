#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shader tests of vkd3d (tests/hlsl/*.shader_test) from your checkout: HLSL
through libvkd3d-shader, its bytecode through our readers, and what it draws on
the driver.

usage: bin/saffron fuzz --shader-tests [--gen=G] [--model=M] [-v] PATH...

PATH is a script or a folder of them. Each shader is compiled for each shader
model that the script allows (2.0, 3.0, 4.0, 5.0, and 5.1 if it is the least);
one that must not compile has to fail with a line. What compiles is read by
saffron-d3d, becomes SPIR-V, and runs: draws and dispatches with uniforms,
buffers, textures of one level, vertex data, and several targets; probes of
these and of what was stored. What Direct3D does is expected; where the script
says that vkd3d does not do so yet ('todo'), another result is counted apart.

A target has the viewport of its script, but only the pixels that are probed;
of a rectangle these are the first 8 by 8. Not run, by name: depth, samples,
typed buffers, levels, geometry and tessellation.

Needs libvkd3d-shader 2.0 or newer. Ends with 'N passed, N failed, N skipped',
where a run is a section [test] with a model. Exit codes: 0 none failed, 1 one
did, 2 wrong use, 77 no library.
"""
import argparse
import collections
import ctypes
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from amber import Runner, Skip, Wrong, STAGES
from shader_files import (BINDING, COMBINED, DESCRIPTOR_SET, CONSTANT_CLASS,
                          SAMPLED, SAMPLER, STORAGE, STORAGE_BUFFER,
                          STORAGE_IMAGE, Shader, TYPE_IMAGE, TYPE_SAMPLER,
                          UNIFORM, UNIFORM_BUFFER)

ROOT = Path(__file__).resolve().parent.parent.parent
MODELS = ('2.0', '3.0', '4.0', '4.1', '5.0', '5.1', '6.0')
RUN = ('2.0', '3.0', '4.0', '5.0')
WIDTH, HEIGHT = 640, 480
KINDS = {'pixel': 'ps', 'vertex': 'vs', 'compute': 'cs', 'hull': 'hs',
         'domain': 'ds', 'geometry': 'gs'}
STAGE_OF = {'vs': 'vertex', 'ps': 'fragment', 'cs': 'compute'}
# Vulkan's number, letter and count of the components of a texel.
FORMATS = {'r32g32b32a32 float': (109, 'f', 4),
           'r32g32b32a32 sint': (108, 'i', 4),
           'r32g32b32a32 uint': (107, 'I', 4), 'r32g32 float': (103, 'f', 2),
           'r32g32 int': (102, 'i', 2), 'r32g32 uint': (101, 'I', 2),
           'r32 float': (100, 'f', 1), 'r32 sint': (99, 'i', 1),
           'r32 uint': (98, 'I', 1), 'r32 typeless': (98, 'I', 1)}
ADDRESSES = {'wrap': 0, 'mirror': 1, 'clamp': 2, 'border': 3}
TOPOLOGIES = {'triangle list': 3, 'triangle strip': 4, 'point list': 0}
# As tpf_to_nir.h has the bindings; of Direct3D 9's c# and s# likewise.
SAMPLERS, RESOURCES, UAVS, COUNTERS = 16, 32, 160, 224
BUFFER_B = 65536
DEFAULT_VERTEX = 'float4 main(float4 p : position) : sv_position { return p; }'
LARGE = struct.pack('<6f', -2, -2, -2, 4, 4, -2)
PLACE = re.compile(r':\d+:\d+: ')


def holds(condition, model):
    """Of 'sm>=4 & sm<6 | ...'."""
    def one(word):
        m = re.fullmatch(r'sm(>=|<)(\d)', word.strip())
        return bool(m) and ((float(model) >= int(m[2])) == (m[1] == '>='))
    return any(all(one(w) for w in part.split('&'))
               for part in condition.split('|'))


def qualifiers(text, model):
    """Those of fail, todo, notimpl that count for a model."""
    return {m[1] for m in re.finditer(r'(fail|todo|notimpl)(?:\(([^)]*)\))?',
                                      text)
            if m[2] is None or holds(m[2], model)}


def rounded(word, letter):
    """A word's value as float or double; what is too large is infinite."""
    value = float(word)
    return ctypes.c_float(value).value if letter == 'f' else value


class Resource:
    """Of a block [rtv 0], [srv 1], ..."""

    def __init__(self, body=''):
        self.format, self.kind, self.size = 'r32g32b32a32 float', '2d', None
        self.stride = None
        words = []
        for line in body.splitlines():
            first, _, rest = line.strip().partition(' ')
            if first == 'format':
                self.format = rest.strip()
            elif first == 'size':
                parts = [p.strip() for p in rest.strip(' ()').split(',')]
                self.kind, self.size = parts[0], [int(p) for p in parts[1:]]
            elif first == 'stride':
                self.stride = int(rest)
            elif first == 'levels':
                self.kind = 'levels'
            else:
                words += line.split()
        vulkan = FORMATS.get(self.format)
        if self.kind not in ('2d', 'buffer', 'raw_buffer', 'counter_buffer') \
                or not vulkan:
            self.unknown = f'{self.kind} of {self.format}'
            return
        self.unknown = None
        self.vulkan, self.letter, self.count = vulkan
        self.size = self.size or [WIDTH, HEIGHT]
        values = [rounded(w, 'f') if self.letter == 'f' else int(w, 0)
                  for w in words]
        if self.letter != 'f':
            values = [v & 0xffffffff for v in values]
        self.data = struct.pack(f'<{len(values)}' +
                                ('f' if self.letter == 'f' else 'I'), *values)
        texels = self.size[0] * (self.size[1] if len(self.size) > 1 else 1)
        texel_B = self.stride or 4 * self.count
        if self.kind != '2d' or self.data:
            self.data = self.data.ljust(texels * texel_B, b'\0')


class Script:
    """Blocks of a file: (name, text)."""

    def __init__(self, path):
        text = re.sub(r'(?m)^%.*$', '', path.read_text(errors='replace'))
        parts = re.split(r'(?m)^\[([^\]\n]*)\][ \t]*$', text)
        self.blocks = list(zip(parts[1::2], parts[2::2]))
        self.path = path

    def models(self):
        """(block's number, models that are allowed, options), each block."""
        low, high, options, other = 0, len(MODELS), '', None
        for i, (name, body) in enumerate(self.blocks):
            if name == 'require':
                low, high, options, other = 0, len(MODELS), '', None
                for line in filter(None, map(str.strip, body.splitlines())):
                    m = re.match(r'shader model (>=|<) (\S+)', line)
                    if m and m[1] == '>=':
                        low = MODELS.index(m[2])
                    elif m:
                        high = MODELS.index(m[2])
                    elif line.startswith('options:'):
                        options = line[8:]
                    elif line in ('int64', 'wave ops'):
                        other = line
            # 4.1 is 4.0 with more, 5.1 is 5.0 with ranges: once is enough.
            yield i, [m for m in MODELS[low:high]
                      if (m in RUN or m == MODELS[low]) and
                      m != '6.0'], options, other


class Tools:
    """saffron-d3d, and what it made of texts."""

    def __init__(self, tool, folder):
        self.tool, self.folder, self.cache = tool, Path(folder), {}

    def run(self, *words):
        return subprocess.run([self.tool, *words], capture_output=True,
                              text=True, errors='replace', timeout=120,
                              check=False)

    def compiled(self, text, profile):
        """(path of bytecode, None) or (None, what was said)."""
        key = text, profile
        if key not in self.cache:
            n = len(self.cache)
            source = self.folder / f'{n}.hlsl'
            code = self.folder / f'{n}.code'
            source.write_text(text)
            r = self.run('emit', '--format=hlsl-vkd3d', f'--profile={profile}',
                         '-o', code, source)
            self.cache[key] = (None, r.stderr.strip()) if r.returncode else \
                (code, None)
        return self.cache[key]

    def spirv(self, code):
        """Its path; Wrong if our reader or writer refuses it."""
        path = code.with_suffix('.spv')
        if not path.exists():
            r = self.run('spirv', '-o', path, code)
            if r.returncode:
                raise Wrong('not read: ' + r.stderr.strip().split(': ', 1)[-1])
        return path

    def inputs(self, code):
        """{semantic with its index: register} of a vertex shader."""
        text = self.run('dis', code).stdout
        found = {}
        for m in re.finditer(r'(?m)^dcl_([a-z]+)(\d*) v(\d+)', text):
            if not m[1].startswith('input'):
                found[m[1] + (m[2] or '0')] = int(m[3])
        table = text.partition('Input signature:')[2].partition('signature')[0]
        for m in re.finditer(r'(?m)^// (\w+) +(\d+) +[xyzw ]+ (\d+) +', table):
            found[m[1].lower() + m[2]] = int(m[3])
        return found


class State:
    """What blocks have set for a model."""

    def __init__(self, model, tools, runner, region):
        self.model, self.tools, self.runner = model, tools, runner
        self.region = region
        self.shaders, self.resources, self.samplers = {}, {}, {}
        self.layout, self.uniforms = [], bytearray()
        self.is_todo = False  # what was drawn last

    def profile(self, stage):
        return f'{stage}_{self.model.replace(".", "_")}'

    def file(self, data):
        path = self.tools.folder / 'data'
        path.write_bytes(data)
        return path

    # -- uniforms

    def uniform(self, text):
        offset, kind, *values = text.split()
        letter = {'f': 'f', 'i': 'i', 'u': 'I', 'd': 'd'}[kind[0]]
        if kind.startswith(('int64', 'uint64')):
            letter = 'q' if kind[0] == 'i' else 'Q'
        if letter in 'fd':
            data = struct.pack(f'<{len(values)}{letter}',
                               *(rounded(v, letter) for v in values))
        else:
            size = {'i': 32, 'I': 32, 'q': 64, 'Q': 64}[letter]
            data = b''.join((int(v, 0) & (1 << size) - 1).to_bytes(
                size // 8, 'little') for v in values)
        at = int(offset) * 4
        end = (at + len(data) + 15) // 16 * 16
        self.uniforms += b'\x7f' * (end - len(self.uniforms))
        self.uniforms[at:at + len(data)] = data

    # -- a run

    def target_size(self, resource):
        return [min(a, b) for a, b in zip(resource.size, self.region)]

    def image(self, resource, is_target):
        """Makes one; its number."""
        size = self.target_size(resource) if is_target else resource.size
        texel_B = 4 * resource.count
        data = resource.data or bytes(size[0] * size[1] * texel_B)
        self.runner.say('image', *size, resource.vulkan, texel_B)
        self.runner.say('fill', self.images, self.file(data))
        self.images += 1
        return self.images - 1

    def buffer(self, data):
        self.runner.say('buffer', max(len(data), 4),
                        self.file(data.ljust(4, b'\0')))
        self.buffers += 1
        return self.buffers - 1

    def resource(self, kind, number):
        found = self.resources.get((kind, number))
        if found is None:
            raise Skip(f'no {kind} {number} is given')
        if found.unknown:
            raise Skip(found.unknown)
        return found

    def place_resource(self, shader, kind, number):
        """(type, buffer's or image's number) for a variable of SPIR-V."""
        code = shader.by_id[kind]
        if number >= COUNTERS:
            raise Skip('counters of buffers')
        if self.model < '4':
            where = 'srv', number - SAMPLERS
        elif number >= UAVS:
            where = 'uav', number - UAVS
        else:
            where = 'srv', number - RESOURCES
        r = self.resource(*where)
        if code[0] == TYPE_IMAGE:
            if r.kind != '2d' or code[3] != 1 or code[5] or code[6]:
                raise Skip('images but of two dimensions')
            n = self.image(r, False)
            if code[7] == 2:
                self.written.append((r, 'saveimage', n))
            # s# of Direct3D 9 is one descriptor, and two variables.
            return (COMBINED if self.model < '4' else
                    STORAGE_IMAGE if code[7] == 2 else SAMPLED), n
        n = self.buffer(r.data)
        self.written.append((r, 'save', n))
        return STORAGE_BUFFER, n

    def say_sampler(self, number):
        linear, address = self.samplers.get(number, (1, 0))
        self.runner.say('sampler', linear, address)

    def bind(self, shader, seen):
        for v in shader.variables:
            kind, of = shader.of(v)
            if v[3] not in (UNIFORM, STORAGE, CONSTANT_CLASS) or \
                    BINDING not in of:
                continue
            where = of.get(DESCRIPTOR_SET, 0), of[BINDING]
            if where in seen or (self.model < '4' and shader.by_id[kind][0] ==
                                 TYPE_SAMPLER):
                continue
            seen.add(where)
            if v[3] == UNIFORM and where[1] < SAMPLERS:
                data = bytes(self.uniforms) if where[1] == 0 else b''
                self.runner.say('bind', *where, UNIFORM_BUFFER, self.buffer(
                    data.ljust(BUFFER_B, b'\0')))
                continue
            if shader.by_id[kind][0] == TYPE_SAMPLER:
                self.say_sampler(where[1] - SAMPLERS)
                self.runner.say('texture', *where, SAMPLER, 0)
                continue
            how, n = self.place_resource(shader, kind, where[1])
            if how == COMBINED:
                self.say_sampler(where[1] - SAMPLERS)
            self.runner.say('bind' if how == STORAGE_BUFFER else 'texture',
                            *where, how, n)

    def begin(self, stages):
        """Shaders, in SPIR-V, and all that they read."""
        modules = []
        for stage in stages:
            code, said = self.tools.compiled(self.shaders[stage],
                                             self.profile(stage))
            if code is None:
                raise Skip('a shader does not compile: ' +
                           said.split('\n')[0])
            path = self.tools.spirv(code)
            modules.append((stage, code, path, Shader(path.read_bytes())))
        self.runner.say('reset')
        self.images = self.buffers = 0
        self.written = []
        seen = set()
        for stage, _, path, shader in modules:
            self.runner.say('stage', STAGES[STAGE_OF[stage]][0], shader.entry,
                            path)
            self.bind(shader, seen)
        return modules

    def finish(self):
        for resource, word, number in self.written:
            path = self.tools.folder / 'data'
            self.runner.say(word, number, path)
            resource.data = path.read_bytes()

    def dispatch(self, groups):
        self.begin(['cs'])
        self.runner.say('dispatch', *groups)
        self.finish()

    def draw(self, topology, count, vertices):
        if set(self.shaders) & {'hs', 'ds', 'gs'}:
            raise Skip('geometry and tessellation')
        if ('dsv', 0) in self.resources:
            raise Skip('depth')
        if ('rtv', 0) not in self.resources:
            self.resources['rtv', 0] = Resource()
        modules = self.begin(['vs', 'ps'])
        targets = [self.resource(*key) for key in sorted(self.resources)
                   if key[0] == 'rtv']
        for target in targets:
            n = self.image(target, True)
            self.runner.say('color', n)
            self.written.append((target, 'saveimage', n))
        width, height = targets[0].size
        self.runner.say('view', 0, height, width, -height)
        self.runner.say('scissor', 0, 0, *self.target_size(targets[0]))
        self.runner.say('clockwise')
        self.bind_vertices(self.tools.inputs(modules[0][1]), vertices)
        self.runner.say('draw', topology, 0, count)
        self.finish()

    def bind_vertices(self, inputs, vertices):
        layout = self.layout
        if vertices is not None:
            layout = [(0, 'r32g32 float', 'position0')]
        ends, buffers = {}, {}
        for slot, name, semantic in layout:
            if slot not in buffers:
                data = vertices if vertices is not None else \
                    self.resource('vb', slot).data
                buffers[slot] = data
            start = ends.get(slot, 0)
            ends[slot] = start + 4 * FORMATS[name][2]
        ends_of, ends = ends, {}
        for slot, name, semantic in layout:
            start = ends.get(slot, 0)
            ends[slot] = start + 4 * FORMATS[name][2]
            if semantic in inputs:
                self.runner.say('vertex', inputs[semantic], FORMATS[name][0],
                                ends_of[slot],
                                self.buffer(buffers[slot][start:] +
                                            bytes(start)))

    # -- what is there then

    def checked_probe(self, text, todo):
        try:
            self.probe(text)
        except Wrong as e:
            if todo:
                raise Known(str(e)) from e
            raise

    def probe(self, text):
        m = re.match(r'(uav|rtv|dsv)? *(\d+)? *\(([^)]*)\) *(\w+) *'
                     r'\(([^)]*)\) *(\d+)?', text)
        if not m or m[1] == 'dsv':
            raise Skip('such a probe: ' + text)
        r = self.resource(m[1] or 'rtv', int(m[2] or 0))
        place = [int(v) for v in m[3].split(',')]
        if len(place) == 4:
            place[2:] = [min(place[2], place[0] + 8),
                         min(place[3], place[1] + 8)]
        else:
            place = [*place, 0][:2]
            place += [place[0] + 1, place[1] + 1]
        wide = r.kind == '2d' and m[1] != 'uav'
        stride = (self.target_size(r) if wide else r.size)[0]
        letter, want = self.expected(m[4], m[5])
        size_B = struct.calcsize(letter) * len(want)
        for y in range(place[1], place[3]):
            for x in range(place[0], place[2]):
                at = (y * stride + x) * (size_B if r.kind != '2d' else
                                         4 * r.count)
                got = struct.unpack_from(f'<{len(want)}{letter}',
                                         r.data.ljust(at + size_B, b'\0'), at)
                if not all(is_near(g, w, letter, int(m[6] or 0))
                           for g, w in zip(got, want)):
                    raise Wrong(f'({x}, {y}): {got} where {want} should be')

    @staticmethod
    def expected(kind, text):
        words = [w for w in re.split(r'[ ,]+', text.strip()) if w]
        letter = {'rgba': 'f', 'r': 'f', 'rd': 'd', 'rgbai': 'i', 'ri': 'i',
                  'rgbaui': 'I', 'rui': 'I', 'ri64': 'q',
                  'rui64': 'Q'}[kind]
        if letter in 'fd':
            return letter, tuple(rounded(w, letter) for w in words)
        bits = 64 if letter in 'qQ' else 32
        values = (int(w, 0) & (1 << bits) - 1 for w in words)
        return letter, tuple(v - (1 << bits) if letter in 'iq' and
                             v >> bits - 1 else v for v in values)

    # -- lines of [test]

    def test_line(self, line):
        """Whether it was a probe."""
        todo = False
        while True:
            m = re.match(r'(todo|if)(?:\(([^)]*)\))? +', line)
            if not m:
                break
            of_model = not m[2] or holds(m[2], self.model)
            if m[1] == 'if' and not of_model:
                return False
            todo = todo or m[1] == 'todo' and of_model
            line = line[m.end():]
        word, _, rest = line.partition(' ')
        if word in ('draw', 'dispatch'):
            self.is_todo = todo
        if word == 'uniform':
            self.uniform(rest)
        elif word == 'probe':
            self.checked_probe(rest, todo or self.is_todo)
            return True
        elif line == 'draw quad':
            self.shaders.setdefault('vs', DEFAULT_VERTEX)
            self.draw(3, 3, LARGE)
        elif word == 'draw':
            m = re.match(r'(\w+ \w+) (\d+)( \d+)?$', rest)
            if not m or m[1] not in TOPOLOGIES or m[3]:
                raise Skip(line)
            self.draw(TOPOLOGIES[m[1]], int(m[2]), None)
        elif word == 'dispatch':
            self.dispatch(rest.split())
        elif word == 'clear':
            kind, number, *color = rest.split()
            if kind != 'rtv':
                raise Skip('depth')
            r = self.resource(kind, int(number))
            size = self.target_size(r)
            r.data = struct.pack('<4f', *map(float, color)) * (size[0] *
                                                               size[1])
        else:
            raise Skip(line)
        return False

    def test(self, body):
        """Its lines; how many were probes."""
        lines = [w.strip() for w in body.splitlines() if w.strip()]
        return sum(self.test_line(line) for line in lines)

    def block(self, name, body):
        kind, _, number = name.partition(' ')
        if kind in ('rtv', 'srv', 'uav', 'vb', 'dsv'):
            self.resources[kind, int(number or 0)] = Resource(body)
        elif kind == 'sampler':
            filters = re.search(r'filter (\w+) (\w+)', body)
            address = re.search(r'address (\w+)', body)
            self.samplers[int(number)] = (
                int(bool(filters) and filters[1] == 'linear'),
                ADDRESSES.get(address[1] if address else 'wrap', 0))
        elif name == 'input layout':
            self.layout = []
            for line in filter(None, map(str.strip, body.splitlines())):
                m = re.match(r'(\d+) (\w+ \w+) (\w+?)_?(\d*)(?: (\d+))?$', line)
                self.layout.append((int(m[1]), m[2], m[3].lower() +
                                    (m[5] or m[4] or '0')))


def is_near(got, want, letter, ulps):
    """As many units of the last place apart at most."""
    if got == want or (got != got and want != want):
        return True
    if letter not in 'fd':
        return abs(got - want) <= ulps
    size = struct.calcsize(letter)

    def order(value):
        n = int.from_bytes(struct.pack('<' + letter, value), 'little',
                           signed=True)
        return n if n >= 0 else -(1 << size * 8 - 1) - n
    return abs(order(got) - order(want)) <= ulps


def region_of(script):
    """Width and height of what is probed of targets."""
    width = height = 8
    for name, body in script.blocks:
        for m in re.finditer(r'probe (?:rtv \d+ )?\((\d+), *(\d+)',
                             body if name == 'test' else ''):
            rectangle = body[m.end()] == ','
            width = max(width, int(m[1]) + (8 if rectangle else 1))
            height = max(height, int(m[2]) + (8 if rectangle else 1))
    return width, height


class Known(Exception):
    """A result that a script knows to be another one with vkd3d."""


class Counts:
    """What came of compiling, and of runs."""

    def __init__(self, args):
        self.args = args
        self.compiling = collections.Counter()
        self.runs = collections.Counter()
        self.why = collections.Counter()

    def compiled(self, script, must_fail, profile, said):
        ok = bool(said and PLACE.search(said)) if must_fail else said is None
        self.compiling[('must not compile' if must_fail else
                        'must compile'), ok] += 1
        if not ok:
            print(f'{script.path.name} {profile}: ' + (
                'compiles' if said is None else said.split('\n')[0]))

    def ran(self, script, number, model, how, why):
        self.runs[how] += 1
        if how == 'skip':
            self.why[why] += 1
        if how in ('fail', 'known') or self.args.v:
            print(f'{how} {script.path.name} block {number}, {model}: {why}')
        sys.stdout.flush()


def judge(script, model, tools, runner, counts):
    """One file with one model."""
    state = State(model, tools, runner, region_of(script))
    allowed = {i: (models, options, other)
               for i, models, options, other in script.models()}
    for i, (name, body) in enumerate(script.blocks):
        models, options, other = allowed[i]
        stage = KINDS.get(name.partition(' ')[0])
        if name == 'test':
            if model not in models or model not in RUN:
                continue
            if other or 'backcompat' in options:
                counts.ran(script, i, model, 'skip', other or options)
                continue
            try:
                if state.test(body):
                    counts.ran(script, i, model, 'pass', '')
            except Skip as e:
                counts.ran(script, i, model, 'skip', str(e))
            except Known as e:
                counts.ran(script, i, model, 'known', str(e))
            except Wrong as e:
                counts.ran(script, i, model, 'fail', str(e))
            continue
        if not stage or ' shader' not in name:
            state.block(name, body)
            continue
        if options.split() == ['row-major']:
            body = '#pragma pack_matrix(row_major)\n' + body
        state.shaders[stage] = body
        if stage == 'cs':
            state.shaders = {'cs': body}
        if model not in models or 'backcompat' in options or \
                (stage not in ('ps', 'vs') and model < '5'):
            continue
        found = qualifiers(name, model)
        if 'notimpl' not in found:
            counts.compiled(script, 'fail' in found, state.profile(stage),
                            tools.compiled(body, state.profile(stage))[1])


def main():
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument('--gen', default='skl')
    p.add_argument('--build', type=Path, default=ROOT / 'build')
    p.add_argument('--model', choices=(*RUN, '5.1'), help='of one model alone')
    p.add_argument('--tool', help='what runs in place of saffron-d3d')
    p.add_argument('-v', action='store_true', help='name what passes, too')
    p.add_argument('paths', type=Path, nargs='+', metavar='PATH')
    args = p.parse_args()
    scripts = []
    for path in args.paths:
        if not path.exists():
            p.error(f'{path}: no such file')
        scripts += sorted(path.rglob('*.shader_test')) if path.is_dir() else \
            [path]
    counts, runner = Counts(args), Runner(args)
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(args.tool or args.build / 'src/intel/tools/saffron-d3d',
                      folder)
        code, said = tools.compiled(DEFAULT_VERTEX, 'vs_4_0')
        if code is None:
            print(said)
            return 77
        for path in scripts:
            script = Script(path)
            for model in [args.model] if args.model else [*RUN, '5.1']:
                judge(script, model, tools, runner, counts)
    for why, n in counts.why.most_common():
        print(f'{n} skipped: {why}')
    for (what, ok), n in sorted(counts.compiling.items()):
        print(f'{n} {what}: ' + ('so it is' if ok else 'not so'))
    print(f'{counts.runs["known"]} differ as vkd3d does')
    print('{} passed, {} failed, {} skipped'.format(
        *(counts.runs[w] for w in ('pass', 'fail', 'skip'))))
    return 1 if counts.runs['fail'] or not counts.runs['pass'] else 0


if __name__ == '__main__':
    sys.exit(main())
