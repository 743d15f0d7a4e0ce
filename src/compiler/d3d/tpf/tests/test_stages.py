# SPDX-License-Identifier: MIT
"""Geometry, hull, domain and compute shaders: test_stages.py TPF-COMPARE
LISTINGS.

Each listing is assembled, read, printed as it stands there, and does the same
as its GLSL in the interpreter: vertices as they are emitted, control points,
what belongs to the patch. Where vkd3d-compiler is installed, geometry shaders
are compared with what it makes of the container, too; the SPIR-V that version
1.2 makes of hull and domain shaders is not valid. Listings with faults are refused with the
rule that their title has.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

import tpf_asm

GLSL = {'gs': 'geom', 'hs': 'tesc', 'ds': 'tese', 'cs': 'comp'}
# What vkd3d-compiler 1.2 has not: several streams, subroutines, umad, cases
# that run on into others (it stops there). Its buffers are images, of which
# the interpreter does not know the size.
NOT_OTHERS = {'emit_then_cut_stream m0', 'dcl_stream m1', 'label label0',
              'umad r1.x, r0.x, r0.y, r0.z', 'bufinfo r0.x, t0.xyzw',
              'continuec_nz r2.y'}


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def write_container(compare, lines, path):
    with open(path, 'wb') as out:
        out.write(tpf_asm.container(lines))
    run(compare, 'digest', path)


def check_refused(compare, lines, name, directory):
    """The validator, or the translation, says the rule and where."""
    dxbc = os.path.join(directory, 'a.dxbc')
    rule = re.split(': ', name)[-1]
    write_container(compare, lines, dxbc)
    read = 'text' if name.startswith('refused') else 'stage'
    code, text = run(compare, *[read, dxbc, '/dev/null'][:2 + (
        read == 'stage')])
    if not code or rule not in text or \
       not re.search(r'offset 0x[0-9a-f]+, token 0x[0-9a-f]{8}', text):
        return '"%s"' % text.strip()
    return None


def check_written(compare, lines, spv):
    """The GLSL, written as gs_5_0 and read, does what it did: of one stream;
    others are refused."""
    code, text = run(compare, 'round', spv)
    if 'dcl_stream m1' not in lines:
        return text if code else None
    if code and 'several streams are not written' in text:
        return None
    return 'several streams: "%s"' % text.strip()


def check(compare, lines, glsl, directory):
    """A sentence about what is wrong, or None."""
    dxbc = os.path.join(directory, 'a.dxbc')
    spv = os.path.join(directory, 'a.spv')
    source = os.path.join(directory, 'a.' + GLSL[lines[0][:2]])
    write_container(compare, lines, dxbc)
    with open(source, 'w') as out:
        out.write(glsl)
    code, text = run(compare, 'text', dxbc)
    if code:
        return text
    got = [line.strip() for line in text.strip().split('\n')]
    for a, b in zip(got + [''], lines + ['']):
        if a != b:
            return '"%s" instead of "%s"' % (a, b)
    code, text = run('glslangValidator', '-V', '-o', spv, source)
    if code:
        return text
    if lines[0][:2] == 'gs':
        text = check_written(compare, lines, spv)
        if text:
            return text
    cs = lines[0][:2] == 'cs'
    code, text = run(compare, 'other' if cs else 'stage', dxbc, spv)
    if code or lines[0][:2] in ('hs', 'ds') or NOT_OTHERS & set(lines) or \
       not shutil.which('vkd3d-compiler'):
        return text if code else None
    code, text = run('vkd3d-compiler', '-x', 'dxbc-tpf', '-b',
                     'spirv-binary', '-o', spv, dxbc)
    if not code:
        code, text = run(compare, 'other' if cs else 'stage_other', dxbc,
                         spv)
    return 'vkd3d: ' + text if code else None


def main():
    if not shutil.which('glslangValidator'):
        return 77
    faults = 0
    with open(sys.argv[2]) as listings:
        parts = re.split(r'^----(.*)\n', listings.read(), flags=re.M)[1:]
    while parts:
        name, lines = parts[0].strip(), parts[1].strip().split('\n')
        refused = name.startswith(('refused', 'not translated'))
        with tempfile.TemporaryDirectory() as directory:
            if refused:
                fault = check_refused(sys.argv[1], lines, name, directory)
            else:
                fault = check(sys.argv[1], lines, parts[3], directory)
        print('%s: %s' % (name, fault or 'good'))
        parts = parts[2 if refused else 4:]
        faults += fault is not None
    return faults != 0


if __name__ == '__main__':
    sys.exit(main())
