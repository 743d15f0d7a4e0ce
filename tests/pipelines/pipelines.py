#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPU time and memory that Vulkan drivers take to make pipelines.

Ours and Mesa's own one for the same GPU (anv, or hasvk before Gen9), which
runs on the simulated GPU by way of the shim. A layer (layer.c) times the calls
that compile, so that both are given SPIR-V and neither OpenGL's front end nor
drawing is in it; pipeline and shader caches are off. Nothing is executed.

Run by itself it is a test of this: pipelines of two small shaders, by both.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / 'tests/corpus'), str(ROOT / 'tests/stock')]
import compiled  # pylint: disable=wrong-import-position
import corpus  # pylint: disable=wrong-import-position

ICD = '/usr/share/vulkan/icd.d/intel_%s.x86_64.json'
LINE = re.compile(rb'^pipelines: (\d+) stages, (\d+) ns, (\d+) KiB$', re.M)
OURS, MESA = 'saffron', 'Mesa'

HEAD = '''#version 450
layout(location = 0) in vec4 x;
layout(location = 0) out vec4 color;
layout(std140, set = 0, binding = 0) uniform Block { vec4 u[64]; };
'''
VERTEX = '''#version 450
layout(location = 0) out vec4 x;
void main()
{
    x = vec4(gl_VertexIndex);
    gl_Position = vec4(0, 0, 0, 1);
}
'''


def environments(build, gen):
    """{name: environment} of both drivers."""
    layers = {'VK_LAYER_PATH': str(Path(build) / 'tests/pipelines'),
              'VK_INSTANCE_LAYERS': 'VK_LAYER_SAFFRON_pipeline_times'}
    ours = compiled.dry(corpus.environment(Path(build), gen, []))
    del ours['INTEL_DEBUG']
    ours.update(layers)
    icd = ICD % ('icd' if gen == 'skl' else 'hasvk_icd')
    shim = Path(build) / 'src/intel/drm-shim/libsaffron_drm_shim.so'
    return {OURS: ours,
            MESA: dict(ours, VK_DRIVER_FILES=icd, VK_ICD_FILENAMES=icd,
                       ANV_ENABLE_PIPELINE_CACHE='false',
                       LD_PRELOAD=str(shim))}


def measured(command, env, limit_s=600):
    """(stages, seconds, most KiB) of all devices of a program; its exit code,
    or None if it took too long."""
    try:
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=limit_s,
                              check=False)
    except subprocess.TimeoutExpired:
        return (0, 0.0, 0), None
    lines = [tuple(map(int, m)) for m in LINE.findall(done.stderr)]
    return (sum(n for n, _, _ in lines), sum(t for _, t, _ in lines) / 1e9,
            max((k for _, _, k in lines), default=0)), done.returncode


def stages_per_second(build, gen, every):
    """({driver: (stages, seconds)}, number of tests) for about one of `every`
    shader tests of quick_shader; the drivers take turns, batch by batch."""
    commands = corpus.chosen(compiled.profile_commands('quick_shader'),
                             every, 0)
    totals = {}
    for program, files, options in compiled.batches(commands):
        for name, env in environments(build, gen).items():
            (stages, seconds, _), _ = measured(
                [compiled.PIGLIT / 'bin' / program, *files, *options], env)
            before = totals.get(name, (0, 0.0))
            totals[name] = (before[0] + stages, before[1] + seconds)
    return totals, len(commands)


# Shaders of any size


def straight(n):
    """`n` statements, each of earlier values."""
    body = ['float a = x.x, b = x.y, c = x.z, d = x.w;']
    for i in range(n):
        t, s, r = 'abcd'[i % 4], 'bcda'[i % 4], 'cdab'[i * 7 % 4]
        body.append([f'{t} = {t} * {s} + u[{i % 64}].{"xyzw"[i % 4]};',
                     f'{t} = max({t} - {r}, {s} * 0.{i % 89 + 10});',
                     f'{t} = fract({t} + {s});'][i % 3])
    return [*body, 'color = vec4(a, b, c, d);']


def ifs(n):
    """`n` ifs whose arms are too long to be selects."""
    body = ['float a = x.x, b = x.y, c = x.z, d = x.w;']
    for i in range(n):
        body.append(
            f'if (a > 0.{i % 97 + 10}) {{ b = sin(a) * c + u[{i % 64}].x;'
            f' c = exp2(b) - d; d = fract(c * b + {i}.5);'
            ' a = sqrt(abs(d)) + b * c; b += a * d - c; c = c * a + b * d; }'
            f' else {{ a = a * d + c; d = log2(abs(c) + {i}.25);'
            f' c = cos(d) + u[{(i + 5) % 64}].y; b = b * c - d;'
            ' a += b * c; d -= a * b * c; }')
    return [*body, 'color = vec4(a, b, c, d);']


def many_live(n, count, kind, loop=0):
    """`n` statements on `count` values that all live to the end; in loops of
    `loop` statements each, if there are any."""
    body = [f'{kind} v{i} = {kind}(x.{"xyzw"[i % 4]}) * {kind}({i}.5) +'
            f' {kind}(u[{i % 64}].{"xyzw"[i // 4 % 4]});'
            for i in range(count)]
    for i in range(n):
        if loop and i % loop == 0:
            body.append(f'for (int i{i} = 0; i{i} < int(u[{i % 64}].z);'
                        f' i{i}++) {{')
        body.append(f'v{(i * 37 + 11) % count} = v{i % count} *'
                    f' v{(i * 13 + 5) % count} + v{(i * 29 + 3) % count};')
        if loop and (i % loop == loop - 1 or i == n - 1):
            body.append('}')
    body.append(f'{kind} s = {kind}(0.0);')
    body += [f's = s * {kind}(0.5) + v{i};' for i in range(count)]
    return [*body, 'color = vec4(float(s));']


# (name, body, whether Mesa compiles it in a time that one can wait for)
SHAPES = [
    ('1 000 statements', lambda: straight(1000), True),
    ('10 000 statements', lambda: straight(10000), True),
    ('100 ifs', lambda: ifs(100), True),
    ('300 ifs', lambda: ifs(300), True),
    ('1 000 ifs', lambda: ifs(1000), True),
    ('1 000 statements, 100 live doubles',
     lambda: many_live(1000, 100, 'double'), True),
    ('4 000 statements, 200 live floats',
     lambda: many_live(4000, 200, 'float'), True),
    ('300 statements in loops, 40 live doubles',
     lambda: many_live(300, 40, 'double', 30), True),
    ('3 000 statements in loops, 50 live doubles',
     lambda: many_live(3000, 50, 'double', 30), True),
    ('50 000 statements', lambda: straight(50000), False),
    # A million instructions of each width.
    ('550 000 statements', lambda: straight(550000), False),
    ('2 000 ifs', lambda: ifs(2000), False),
    ('10 000 ifs', lambda: ifs(10000), False),
]


def spirv(folder, name, source):
    """Path of the SPIR-V of a shader."""
    glsl = Path(folder) / name
    glsl.write_text(source, encoding='utf-8')
    made = str(glsl) + '.spv'
    subprocess.run(['glslangValidator', '-V', glsl, '-o', made],
                   stdout=subprocess.DEVNULL, check=True)
    glsl.unlink()
    return made


def fragment(folder, body):
    return spirv(folder, 'a.frag',
                 HEAD + 'void main()\n{\n' + '\n'.join(body) + '\n}\n')


def growth(build, gen, shapes):
    """Yields (name, {driver: (seconds, KiB) or None}) for each shape."""
    program = Path(build) / 'tests/pipelines/pipeline'
    with tempfile.TemporaryDirectory() as folder:
        vertex = spirv(folder, 'a.vert', VERTEX)
        for name, body, both in shapes:
            module = fragment(folder, body())
            row = {}
            for driver, env in environments(build, gen).items():
                if driver == MESA and not both:
                    continue
                (stages, seconds, kib), code = measured(
                    [program, module, vertex], env)
                row[driver] = (seconds, kib) if code == 0 and stages == 2 \
                    else None
            yield name, row


def main():
    build = os.environ['SAFFRON_BUILD_DIR']
    has_mesa = Path(ICD % 'icd').exists()
    least_s = {}
    for name, row in growth(build, 'skl', [
            ('ten ifs', lambda: ifs(10), has_mesa),
            ('a hundred ifs', lambda: ifs(100), has_mesa)]):
        for driver, cost in row.items():
            print(name, driver, cost)
            if not cost or cost[1] <= 0 or \
                    cost[0] <= least_s.get(driver, 0.0):
                return 1
            # Whatever thread compiles, ten times as much takes longer.
            least_s[driver] = 2 * cost[0]
    return 0


if __name__ == '__main__':
    sys.exit(main())
