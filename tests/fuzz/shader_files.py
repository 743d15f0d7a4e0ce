# SPDX-License-Identifier: MIT
"""Shaders in files of their own, with all that they need to run: pipelines for
run_amber (amber.py), made from what their SPIR-V declares.

Buffers, push constants, vertices and texels are random numbers of the types
that are declared: small integers, floats of -2 to 2.
"""
import os
import random
import struct
import subprocess

import rewrite
from amber import Runner, Skip, Wrong, STAGES, TOPOLOGIES  # noqa: F401

ENDINGS = ('vert', 'geom', 'frag', 'comp', 'spv', 'spvasm')
# By OpEntryPoint's number.
MODELS = ('vertex', 'tessellation_control', 'tessellation_evaluation',
          'geometry', 'fragment', 'compute')
ENTRY_POINT, EXECUTION_MODE, MEMBER_DECORATE = 15, 16, 72
(TYPE_MATRIX, TYPE_IMAGE, TYPE_SAMPLER, TYPE_SAMPLED_IMAGE, TYPE_ARRAY,
 TYPE_RUNTIME_ARRAY, TYPE_STRUCT) = 24, 25, 26, 27, 28, 29, 30
# Decorations and storage classes.
BLOCK, ROW_MAJOR, ARRAY_STRIDE, MATRIX_STRIDE, BUILT_IN, FLAT = \
    2, 4, 6, 7, 11, 14
LOCATION, COMPONENT, BINDING, DESCRIPTOR_SET, OFFSET = 30, 31, 33, 34, 35
CONSTANT_CLASS, INPUT, UNIFORM, OUTPUT, PUSH, STORAGE = 0, 1, 2, 3, 9, 12
# Vulkan's numbers.
UNIFORM_BUFFER, STORAGE_BUFFER = 6, 7
SAMPLER, COMBINED, SAMPLED, STORAGE_IMAGE = 0, 1, 2, 3
TARGETS = {'float': 109, 'int': 108, 'uint': 107}  # of 32 bits, RGBA
VERTICES = {'float': (100, 103, 106, 109), 'int': (99, 102, 105, 108),
            'uint': (98, 101, 104, 107)}
PRIMITIVES = {19: 'POINT_LIST', 20: 'LINE_LIST', 22: 'TRIANGLE_LIST'}
BUFFER_B, SIZE, COUNT = 4096, 32, 48  # of a side of images; vertices
PUSH_B = 128


class Shader:
    """What a module says of its first entry point."""

    def __init__(self, data):
        module = rewrite.Module(data)
        self.by_id, self.decorations, self.members = {}, {}, {}
        entry = None
        for code in module.start:
            if code[0] == ENTRY_POINT and entry is None:
                entry = code
            elif code[0] == rewrite.DECORATE:
                self.decorations.setdefault(code[1], {})[code[2]] = \
                    code[3] if len(code) > 3 else True
            elif code[0] == MEMBER_DECORATE:
                self.members.setdefault((code[1], code[2]), {})[code[3]] = \
                    code[4] if len(code) > 4 else True
            elif rewrite.has_result(code[0]):
                self.by_id[code[2]] = code
            elif len(code) > 1:
                self.by_id[code[1]] = code
        if entry is None or entry[1] >= len(MODELS):
            raise Skip('no entry point of a stage')
        self.stage = MODELS[entry[1]]
        name = b''.join(struct.pack('<I', w) for w in entry[3:])
        self.entry = name.split(b'\0')[0].decode('utf-8', 'replace')
        self.modes = [c[2] for c in module.start if c[0] == EXECUTION_MODE]
        self.variables = [c for c in module.start
                          if c[0] == rewrite.VARIABLE]

    def of(self, variable):
        """(type it points to, its decorations)."""
        return (self.by_id[variable[1]][3],
                self.decorations.get(variable[2], {}))

    def numbers(self, storage):
        """{location: (type, decorations)} of inputs or outputs."""
        found = {}
        for v in self.variables:
            kind, decorations = self.of(v)
            if v[3] != storage or BUILT_IN in decorations or \
                    self.is_built_in(kind):
                continue
            if LOCATION not in decorations or COMPONENT in decorations:
                raise Skip('an interface block, or parts of a location')
            found[decorations[LOCATION]] = kind, decorations
        return found

    def is_built_in(self, kind):
        """A block such as gl_PerVertex, or an array of them."""
        while self.by_id[kind][0] == TYPE_ARRAY:
            kind = self.by_id[kind][2]
        return BUILT_IN in self.members.get((kind, 0), {})

    def scalar(self, kind):
        """GLSL's name of a scalar type."""
        code = self.by_id[kind]
        if code[0] == rewrite.TYPE_INT and code[2] == 32:
            return 'int' if code[3] else 'uint'
        if code[0] == rewrite.TYPE_FLOAT and code[2] in (32, 64):
            return 'float' if code[2] == 32 else 'double'
        raise Skip('an interface of other types than 32 bits and double')

    def glsl(self, kind):
        """(GLSL's name, array suffix, [expressions of its scalars])."""
        code = self.by_id[kind]
        if code[0] == rewrite.TYPE_VECTOR:
            name = self.scalar(code[2])
            prefix = {'float': '', 'int': 'i', 'uint': 'u', 'double': 'd'}
            return (f'{prefix[name]}vec{code[3]}', '',
                    [f'[{k}]' for k in range(code[3])])
        if code[0] == TYPE_MATRIX:
            column = self.by_id[code[2]]
            prefix = {'float': '', 'double': 'd'}[self.scalar(column[2])]
            return (f'{prefix}mat{code[3]}x{column[3]}', '',
                    [f'[{c}][{r}]' for c in range(code[3])
                     for r in range(column[3])])
        if code[0] == TYPE_ARRAY:
            count = self.by_id[code[3]][3]
            name, suffix, parts = self.glsl(code[2])
            return (name, f'[{count}]{suffix}',
                    [f'[{k}]{p}' for k in range(count) for p in parts])
        return self.scalar(kind), '', ['']

    def fill(self, data, kind, at, rnd, stride=0, rows=False):
        """Random numbers of a type in a buffer, from byte `at` on."""
        code = self.by_id[kind]
        decorations = self.decorations.get(kind, {})
        if code[0] == rewrite.TYPE_INT:
            put(data, at, code[2], rnd.randrange(8))
        elif code[0] == rewrite.TYPE_FLOAT:
            put(data, at, code[2], rnd.uniform(-2.0, 2.0))
        elif code[0] == rewrite.TYPE_VECTOR:
            step = stride if rows else self.by_id[code[2]][2] // 8
            for k in range(code[3]):
                self.fill(data, code[2], at + k * step, rnd)
        elif code[0] == TYPE_MATRIX:
            size_B = self.by_id[self.by_id[code[2]][2]][2] // 8
            for k in range(code[3]):
                self.fill(data, code[2], at + k * (size_B if rows else stride),
                          rnd, stride, rows)
        elif code[0] in (TYPE_ARRAY, TYPE_RUNTIME_ARRAY):
            step = decorations.get(ARRAY_STRIDE, 0)
            if not step:
                raise Skip('an array of descriptors')
            count = self.by_id[code[3]][3] if code[0] == TYPE_ARRAY else \
                len(data) // step
            for k in range(min(count, len(data) // step)):
                self.fill(data, code[2], at + k * step, rnd, stride, rows)
        elif code[0] == TYPE_STRUCT:
            for k, member in enumerate(code[2:]):
                of = self.members.get((kind, k), {})
                self.fill(data, member, at + of.get(OFFSET, 0), rnd,
                          of.get(MATRIX_STRIDE, 0), ROW_MAJOR in of)
        else:
            raise Skip('pointers in a buffer')


def put(data, at, bits, value):
    letter = {8: 'b', 16: 'h', 32: 'i', 64: 'q'} if isinstance(value, int) \
        else {16: 'e', 32: 'f', 64: 'd'}
    if at + bits // 8 <= len(data):
        struct.pack_into('<' + letter[bits], data, at, value)


def groups(files):
    """Files that are pipelines: of one name, but for the ending, if each of
    GLSL's stages is there once; each alone otherwise."""
    by_name, found = {}, []
    for f in files:
        stage = f.suffix in ('.vert', '.geom', '.frag')
        by_name.setdefault(f.with_suffix('') if stage else f, []).append(f)
    for group in by_name.values():
        found.append(sorted(group, key=lambda f: ENDINGS.index(f.suffix[1:])))
    return found


def compiled(path, folder):
    """SPIR-V of a file."""
    if path.suffix == '.spv':
        return path.read_bytes()
    to = os.path.join(folder, 'compiled.spv')
    command = ['spirv-as', '--preserve-numeric-ids', path, '-o', to] \
        if path.suffix == '.spvasm' else \
        ['glslangValidator', '-V', '--quiet', '--target-env', 'vulkan1.2',
         path, '-o', to]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        raise Skip(f'{command[0]} refuses it')
    with open(to, 'rb') as f:
        return f.read()


class Pipeline:
    """One to run, from the same numbers each time."""

    def __init__(self, paths, folder):
        self.folder, self.seed = folder, paths[0].name
        self.modules = []
        for path in paths:
            data = compiled(path, folder)
            if subprocess.run(['spirv-val', '--target-env', 'vulkan1.2', '-'],
                              input=data, capture_output=True,
                              check=False).returncode:
                raise Skip('spirv-val refuses it')
            try:
                self.modules.append((Shader(data), data))
            except (ValueError, KeyError, IndexError, struct.error) as e:
                raise Skip(f'not understood: {e!r}') from e
        stages = [s.stage for s, _ in self.modules]
        if len(set(stages)) < len(stages) or 'compute' in stages[1:] or \
                any('tess' in s for s in stages):
            raise Skip('stages: ' + ', '.join(stages))
        if stages == ['geometry']:
            raise Skip('a geometry shader alone')
        if 'compute' in stages:
            return
        if 'vertex' not in stages:
            self.add('vert', self.vertex_shader(self.modules[0][0]))
        if 'fragment' not in stages:
            self.add('frag', self.fragment_shader(self.modules[-1][0]))

    def add(self, ending, text):
        path = os.path.join(self.folder, 'other.' + ending)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
        data = subprocess.run(
            ['glslangValidator', '-V', '--quiet', path, '-o', path + '.spv'],
            capture_output=True, check=False)
        if data.returncode:
            raise Skip('no shader fits: ' + data.stdout.decode()[:100])
        with open(path + '.spv', 'rb') as f:
            code = f.read()
        self.modules.append((Shader(code), code))

    @staticmethod
    def vertex_shader(shader):
        """Puts out what `shader` takes: numbers that the place gives."""
        head, body = [], []
        for location, (kind, of) in sorted(shader.numbers(INPUT).items()):
            name, suffix, parts = shader.glsl(kind)
            flat = 'flat ' if FLAT in of else ''
            head.append(f'layout(location = {location}) out {flat}{name} '
                        f'v{location}{suffix};')
            scalar = {'i': 'int', 'u': 'uint', 'd': 'float'}.get(
                name[0], 'float') if 'vec' in name or 'mat' in name else name
            for k, part in enumerate(parts):
                body.append(f'   v{location}{part} = {scalar}(p.x * '
                            f'{1.5 + k} + p.y * {location + 0.5} + 1.0);')
        return '\n'.join(
            ['#version 450', *head, 'void main() {',
             '   vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1);',
             '   gl_Position = vec4(p * 4.0 - vec2(1.0), 0.5, 1.0);',
             *body, '}', ''])

    @staticmethod
    def fragment_shader(shader):
        """Puts out all that `shader` does, added."""
        head, body = [], []
        for location, (kind, of) in sorted(shader.numbers(OUTPUT).items()):
            name, suffix, parts = shader.glsl(kind)
            flat = 'flat ' if FLAT in of or \
                name[0] in 'iud' and name != 'double' or name == 'double' \
                else ''
            head.append(f'layout(location = {location}) {flat}in {name} '
                        f'v{location}{suffix};')
            for k, part in enumerate(parts):
                body.append(f'   o[{k % 4}] += float(v{location}{part});')
        return '\n'.join(
            ['#version 450', *head, 'layout(location = 0) out vec4 o;',
             'void main() {', '   o = vec4(1.0);', *body, '}', ''])

    def run(self, runner, change):
        """{what: its bytes} after it ran, each module as change(SPIR-V)."""
        try:
            return Run(self, runner, change).all()
        except Wrong as e:
            return {'error': str(e).encode()}


class Run:
    """Of a pipeline."""

    def __init__(self, pipeline, runner, change):
        self.pipeline, self.runner, self.change = pipeline, runner, change
        self.rnd = random.Random(pipeline.seed)
        self.buffers, self.images = [], []
        runner.say('reset')

    def file(self, data, name='data'):
        path = os.path.join(self.pipeline.folder, name)
        with open(path, 'wb') as f:
            f.write(data)
        return path

    def buffer(self, data, name=None):
        """Its number; one with a name is compared."""
        self.runner.say('buffer', len(data), self.file(data))
        self.buffers.append(name)
        return len(self.buffers) - 1

    def image(self, vulkan, name=None):
        """Of texels of 4 words."""
        self.runner.say('image', SIZE, SIZE, vulkan, 16)
        self.images.append(name)
        return len(self.images) - 1

    def texture(self, shader, kind):
        """An image for a variable of that type, with random texels."""
        code = shader.by_id[kind]
        if code[2:] and code[3] != 1 or code[5] or code[6]:
            raise Skip('images but of two dimensions')
        scalar = shader.scalar(code[2])
        if scalar not in TARGETS:
            raise Skip(f'images of {scalar}')
        image = self.image(TARGETS[scalar],
                           'image' if code[7] == 2 else None)
        letter = 'f' if scalar == 'float' else 'i'
        texels = [self.rnd.uniform(0, 1) if letter == 'f' else
                  self.rnd.randrange(8) for _ in range(4 * SIZE * SIZE)]
        self.runner.say('fill', image, self.file(
            struct.pack(f'<{len(texels)}{letter}', *texels)))
        return image

    def opaque(self, shader, kind, where):
        """A sampler or an image."""
        code = shader.by_id[kind]
        if code[0] == TYPE_SAMPLER:
            self.runner.say('texture', *where, SAMPLER, 0)
        elif code[0] == TYPE_SAMPLED_IMAGE:
            self.runner.say('texture', *where, COMBINED,
                            self.texture(shader, code[2]))
        elif code[0] == TYPE_IMAGE and code[7] in (1, 2):
            self.runner.say('texture', *where,
                            SAMPLED if code[7] == 1 else STORAGE_IMAGE,
                            self.texture(shader, kind))
        else:
            raise Skip('an array of descriptors')

    def bindings(self):
        """Says what is bound; returns the lines that bind."""
        lines, seen = [], set()
        for shader, _ in self.pipeline.modules:
            for v in shader.variables:
                kind, of = shader.of(v)
                where = of.get(DESCRIPTOR_SET, 0), of.get(BINDING)
                if v[3] == PUSH:
                    data = bytearray(PUSH_B)
                    shader.fill(data, kind, 0, self.rnd)
                    lines.append(('push', PUSH_B, self.file(data, 'push')))
                elif v[3] in (UNIFORM, STORAGE) and where not in seen:
                    data = bytearray(BUFFER_B)
                    shader.fill(data, kind, 0, self.rnd)
                    is_uniform = v[3] == UNIFORM and BLOCK in \
                        shader.decorations.get(kind, {})
                    index = self.buffer(data, None if is_uniform else
                                        f'buffer {where[0]}, {where[1]}')
                    lines.append(('bind', *where, UNIFORM_BUFFER if is_uniform
                                  else STORAGE_BUFFER, index))
                elif v[3] == CONSTANT_CLASS and where not in seen:
                    lines.append((self.opaque, shader, kind, where))
                seen.add(where)
        return lines

    def vertices(self, shader):
        lines = []
        for location, (kind, _) in sorted(shader.numbers(INPUT).items()):
            name, suffix, parts = shader.glsl(kind)
            scalar = name if len(parts) == 1 else \
                {'i': 'int', 'u': 'uint', 'd': 'double'}.get(name[0], 'float')
            if suffix or 'mat' in name or scalar == 'double':
                raise Skip(f'vertices of {name}{suffix}')
            letter = 'f' if scalar == 'float' else 'i'
            values = [self.rnd.uniform(-1.5, 1.5) if letter == 'f' else
                      self.rnd.randrange(8)
                      for _ in range(COUNT * len(parts))]
            index = self.buffer(struct.pack(f'<{len(values)}{letter}',
                                            *values))
            lines.append(('vertex', location,
                          VERTICES[scalar][len(parts) - 1], 4 * len(parts),
                          index))
        return lines

    def colors(self, shader):
        lines = []
        outputs = shader.numbers(OUTPUT)
        for location in range(max(outputs, default=0) + 1):
            scalar = 'float'
            if location in outputs:
                name, suffix, parts = shader.glsl(outputs[location][0])
                scalar = name if len(parts) == 1 else \
                    {'i': 'int', 'u': 'uint'}.get(name[0], 'float')
                if suffix or scalar not in TARGETS:
                    raise Skip(f'outputs of {name}{suffix}')
            image = self.image(TARGETS[scalar], f'color {location}')
            lines.append(('color', image))
        return lines

    def all(self):
        modules = self.pipeline.modules
        shaders = {s.stage: s for s, _ in modules}
        lines = self.bindings()
        if 'compute' in shaders:
            last = ('dispatch', 2, 2, 1)
        else:
            lines += self.vertices(shaders['vertex'])
            lines += self.colors(shaders['fragment'])
            last = ('draw', TOPOLOGIES[self.topology(shaders)], 0, COUNT)
        for line in lines:
            if callable(line[0]):
                line[0](*line[1:])
            else:
                self.runner.say(*line)
        for k, (shader, data) in enumerate(modules):
            self.runner.say('stage', STAGES[shader.stage][0], shader.entry,
                            self.file(self.change(data), f'{k}.spv'))
        self.runner.say(*last)
        return {**self.saved('save', self.buffers),
                **self.saved('saveimage', self.images)}

    @staticmethod
    def topology(shaders):
        if 'geometry' not in shaders:
            return 'TRIANGLE_LIST'
        for mode in shaders['geometry'].modes:
            if mode in PRIMITIVES:
                return PRIMITIVES[mode]
        raise Skip('primitives with neighbours')

    def saved(self, word, names):
        found = {}
        for k, name in enumerate(names):
            if name:
                path = self.file(b'', 'out')
                self.runner.say(word, k, path)
                with open(path, 'rb') as f:
                    found[f'{name} ({k})'] = f.read()
        return found


def difference(got, want):
    """One line."""
    for one in (got, want):
        if 'error' in one:
            return f'{one["error"].decode()} {"now" * (one is got)}'
    for name, data in want.items():
        words = [k // 4 for k in range(0, len(data), 4)
                 if data[k:k + 4] != got[name][k:k + 4]]
        if words:
            k = words[0] * 4
            return (f'{name}: {len(words)} words, the first {words[0]}: '
                    f'{got[name][k:k + 4].hex()}, beside '
                    f'{data[k:k + 4].hex()}')
    return 'other buffers'
