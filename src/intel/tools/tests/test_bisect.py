#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""saffron compile --bisect-pass: which pass is wrong.

   test_bisect.py SAFFRON-COMPILE GLSLANG SHADER...

Shaders as they are: no pass is wrong. With SAFFRON_TEST_WRONG_PASS, which
builds with assertions have, each pass that changes a shader of floats is made
wrong, or leaves what a validator refuses: it is the one that is named.
"""
import os
import re
import subprocess
import sys
import tempfile

TOOL, GLSLANG, *SHADERS = sys.argv[1:]
SEEDED = '''#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push { vec4 c; int n; };
layout(set = 0, binding = 0) uniform sampler2D tex;
layout(set = 0, binding = 1) buffer Store { float kept[]; };

void main() {
   vec4 sum = a * c + b;
   for (int i = 0; i < 3; i++)
      sum += vec4(i) * a.yzwx;
   if (sum.x > 1.0)
      sum = max(sum * b.wzyx, c);
   color = clamp(sum, vec4(-9.0), vec4(99.0)) + texture(tex, a.xy) + a.x;
   kept[2] = 3.0;
}
'''
# Any value is as good for what has none; no pass is wrong that chooses one.
UNDEFINED = '''#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;

float pick(bool b, float x) {
   float r;
   if (b)
      r = x;
   return r;
}

void main() {
   float u = pick(a.x > 0.5, a.y);
   float v[2];
   bool yes;
   int n;
   v[0] = a.z;
   for (int i = 0; i < 3; i++)
      if (a[i] > 1.0)
         n = i;
   color = vec4(u, v[a.w > 0.25 ? 1 : 0] * a.x, yes ? 1.0 : a.z, float(n & 3));
}
'''
failures = 0


def check(what, condition, result):
    global failures
    if not condition:
        failures += 1
        print(f'{what}: exit code {result.returncode}\n'
              f'{result.stdout[-1500:]}\n{result.stderr[-1500:]}')


def run(*words, wrong=''):
    env = {**os.environ, 'SAFFRON_TEST_WRONG_PASS': wrong}
    return subprocess.run([TOOL, *words], text=True, capture_output=True,
                          timeout=300, env=env)


def verdict(result):
    return result.stdout.partition('-- verdict\n')[2]


def names(result):
    """Passes that changed a program, by language."""
    found = {}
    for name, language in re.findall(r'^-- after (\S+) \((\w+)\)$',
                                     result.stdout, re.M):
        found.setdefault(language, {})[name] = True
    return {language: list(all_) for language, all_ in found.items()}


def expect_wrong(file, gen, name, language):
    """Whether the pass is at fault, and that nobody else is."""
    result = run('--bisect-pass', '--gen=' + gen, file, wrong=name)
    what = f'{name} ({language}) wrong, {gen}'
    if result.returncode == 0:
        return False  # it had nothing to spoil
    text = verdict(result)
    check(what, result.returncode == 3, result)
    if language == 'NIR':
        check(what, text.startswith(f'{name} (NIR) is wrong: draw '), result)
    elif 'without any optional pass' in text:
        check(what, re.search(rf'emission.*\b{name}\b', text), result)
    else:
        check(what, text.startswith(f'{name} (SIMD'), result)
    if 'without any' not in text:
        check(what, f'-- before {name} (' in result.stdout and
              f'-- after {name} (' in result.stdout, result)
    return True


def test_seeded(file, gen):
    passes = names(run('--debug=optimizer', '--gen=' + gen, file))
    count = {}
    for language in 'NIR', 'SIMD8':
        # Every other one: an attempt takes a second.
        count[language] = sum(
            expect_wrong(file, gen, name, language)
            for name in passes[language][1::2])
        name = passes[language][1]
        for name in passes[language][1:]:
            result = run('--bisect-pass', '--gen=' + gen, file,
                         wrong=name + ':invalid')
            if result.returncode:
                break
        check(f'{name} invalid', result.returncode == 3 and
              verdict(result).startswith(
                  f'{name} ({language}) ends the process'), result)
    if min(count['NIR'], count['SIMD8']) < 3:
        check(f'passes that were found, {gen}: {count}', False, result)


def main():
    with tempfile.TemporaryDirectory() as folder:
        seeded = os.path.join(folder, 'seeded.frag')
        undefined = os.path.join(folder, 'undefined.frag')
        for path, text in (seeded, SEEDED), (undefined, UNDEFINED):
            with open(path, 'w', encoding='utf-8') as f:
                f.write(text)
        for file in [seeded, undefined, *SHADERS]:
            spirv = os.path.join(folder, os.path.basename(file) + '.spv')
            subprocess.run([GLSLANG, '-V', '--quiet', '-o', spirv, file],
                           check=True)
            result = run('--bisect-pass', spirv)
            check(file, result.returncode == 0 and
                  'NIR: right after' in result.stdout, result)
        probe = run('--bisect-pass', seeded + '.spv', wrong='nir_copy_prop')
        if probe.returncode:  # a build with assertions
            test_seeded(seeded + '.spv', 'skl')
    print(f'{failures} failures')
    return failures != 0


if __name__ == '__main__':
    sys.exit(main())
