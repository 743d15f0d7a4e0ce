#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lines and cycles of `saffron compile --profile`.

   test_profile.py SAFFRON-COMPILE GLSLANG SHADER...

Each shader is translated by glslang without lines, with OpLine and with
DebugLine, and compiled for each generation: the machine code must not depend
on them, each instruction must have a line of the file, and what lines and
what instructions cost must sum up to the total.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

TOOL, GLSLANG, *SHADERS = sys.argv[1:]
GENS = ('ivb', 'hsw', 'bdw', 'skl')
failures = 0

# Where its cycles go is known: the division of doubles in line 6.
DIVIDES = '''#version 450
layout(location = 0) flat in dvec2 v;
layout(location = 0) out vec4 color;

double quotient(double a, double b) {
   return a / b;
}

void main() {
   double q = quotient(v.x, v.y);
   color = vec4(float(q));
}
'''

# Recursion is refused, in line 6.
RECURSES = '''OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main"
%file = OpString "down.vert"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpLine %file 9 1
%c = OpFunctionCall %void %down
OpReturn
OpFunctionEnd
%down = OpFunction %void None %fn
%start = OpLabel
OpLine %file 6 4
%d = OpFunctionCall %void %down
OpReturn
OpFunctionEnd
'''


def check(what, condition, detail=''):
    global failures
    if not condition:
        failures += 1
        print(f'{what}: {detail}'[:2000])


def run(*args):
    return subprocess.run([TOOL, *args], text=True, capture_output=True,
                          timeout=120)


def compiled(spirv, gen):
    """The profile and the machine code of a module."""
    with tempfile.NamedTemporaryFile(suffix='.bin') as code:
        result = run('--gen=' + gen, '--profile=json', '-o', code.name, spirv)
        check(spirv, result.returncode == 0, result.stderr)
        if result.returncode:
            return None, None
        return json.loads(result.stdout), code.read()


def check_sums(what, profile):
    check(what, profile['variants'], 'no variant')
    for variant in profile['variants']:
        for rows in variant['lines'], variant['instructions']:
            total = sum(row['issue'] + row['wait'] for row in rows)
            check(what, total == variant['cycles'],
                  f'{total} cycles of {variant["cycles"]}')
        offsets = [row['offset'] for row in variant['instructions']]
        check(what, offsets == sorted(set(offsets)), f'offsets {offsets}')
        for row in variant['instructions']:
            check(what, row['waits_for'] is None or
                  row['waits_for'] in offsets and row['wait'] > 0, row)
        count = sum(row['instructions'] for row in variant['lines'])
        check(what, count == len(offsets), f'{count} instructions in lines')


def check_lines(what, profile, lines):
    """Each instruction has a line of the file, and its text is right."""
    for variant in profile['variants']:
        for row in variant['instructions']:
            check(what, 1 <= row['line'] <= len(lines), row)
        for row in variant['lines']:
            if 1 <= row['line'] <= len(lines):
                check(what, row['text'] == lines[row['line'] - 1], row)


def check_shader(path, folder):
    with open(path, encoding='utf-8') as f:
        lines = f.read().split('\n')
    modules = {}
    for option in '', '-g', '-gVS':
        spirv = os.path.join(folder, f'module{option}.spv')
        command = [GLSLANG, '-V', '--quiet', '--target-env', 'vulkan1.1',
                   '-o', spirv, path] + [option] * bool(option)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        modules[option] = spirv
    for gen in GENS:
        codes = set()
        for option, spirv in modules.items():
            what = f'{os.path.basename(path)} {option} {gen}'
            profile, code = compiled(spirv, gen)
            if not profile:
                continue
            codes.add(code)
            check_sums(what, profile)
            if option:
                check_lines(what, profile, lines)
        check(f'{path} {gen}', len(codes) == 1, 'lines change the code')


def check_dearest(suffix, text, line, folder):
    path = os.path.join(folder, 'shader' + suffix)
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)
    for gen in GENS:
        result = run('--gen=' + gen, '--profile=json', path)
        check(path, result.returncode == 0, result.stderr)
        for variant in json.loads(result.stdout)['variants']:
            dearest = variant['lines'][0]
            check(path, dearest['line'] == line and dearest['file'] == path,
                  dearest)
        result = run('--gen=' + gen, '--profile', path)
        rows = [row for row in result.stdout.split('\n')
                if f'{path}:{line}:' in row]
        check(path, rows and 'a / b' in rows[0], result.stdout)
        result = run('--gen=' + gen, path)
        check('listing', f'// {path}:{line}:    return a / b;' in
              result.stdout, result.stdout[-2000:])


def check_error(folder):
    path = os.path.join(folder, 'down.spvasm')
    with open(path, 'w', encoding='utf-8') as f:
        f.write(RECURSES)
    result = run('--stage=vert', path)
    check('error', result.returncode == 1 and
          re.search(r'\(down\.vert:6\): .*calls itself', result.stderr),
          result.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for path in SHADERS:
            check_shader(path, folder)
        check_dearest('.frag', DIVIDES, 6, folder)
        check_error(folder)
    result = run('--profile=xml', '/dev/null')
    check('format', result.returncode == 2 and '--profile is' in
          result.stderr, result.stderr)
    sys.exit(failures > 0)


if __name__ == '__main__':
    main()
