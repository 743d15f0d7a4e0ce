#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What shipped compilers emit, against what the simulated GPU takes.

Gathers machine code of the EU from the packages of Debian that are installed:
what Mesa's drivers compile for piglit's shader tests (iris and crocus, anv and
hasvk under zink), what IGC compiles for its OpenCL tests, and the programs
inside the drivers of VA-API and igt's library. Each instruction is decoded
and given to the rules (src/intel/isa/isa_rules.py). What ships runs on the
chips: so an instruction that is a fault here, or does not decode, is a mistake
of ours. Where only a manual forbids it, the rule's evidence says who ships it,
and that has to be the driver at hand.

A library does not say which of its programs are of which generation. Each is
taken for those on which it decodes whole; where these are two, a fault counts
if it is one on both. others.txt has those that look so and are of another
generation, with what shows it.

shipped.txt has what was gathered: versions, hashes, numbers. The code itself
stays where it is installed. Exit codes: 0 as it should be, 1 a fault or a
report without a reason, 77 nothing is installed.
"""
import argparse
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / 'tests/stock'), str(ROOT / 'tests')]
import binaries  # pylint: disable=wrong-import-position
import compiled  # pylint: disable=wrong-import-position
import zink  # pylint: disable=wrong-import-position

GENS = ('ivb', 'hsw', 'bdw', 'skl')
LIBRARIES = '/usr/lib/x86_64-linux-gnu'
ICD = '/usr/share/vulkan/icd.d/intel%s_icd.x86_64.json'
OPENCL = '/etc/OpenCL/vendors/intel.icd'
COMMITTED = Path(__file__).with_name('shipped.txt')
OTHERS = Path(__file__).with_name('others.txt')
MAGIC = '# saffron shipped 1'
SKIP = 77
OPENCL_S = 60


def build_dir():
    return Path(os.environ.get('SAFFRON_BUILD_DIR', ROOT / 'build'))


def tool():
    return build_dir() / 'src/intel/tools/saffron-isa-check'


def shim():
    return build_dir() / 'src/intel/drm-shim/libsaffron_drm_shim.so'


class Gathered:
    """Code of one source for one generation: programs, or instructions."""

    def __init__(self, parts, programs):
        self.parts = sorted(parts)
        self.programs = programs

    def hash(self):
        return hashlib.sha256(b''.join(
            len(p).to_bytes(4, 'little') + p for p in self.parts)).hexdigest()


def sample(items, every):
    """Each N-th by a hash: the same ones when others come or go."""
    return [i for i in items if every == 1 or int.from_bytes(
        hashlib.sha256(str(i).encode()).digest()[:4], 'little') % every == 0]


def collected(gen, every, environment):
    tests = sample(list(compiled.shader_tests([])), every)
    c = compiled.Collection()
    c.run(gen, shim(), compiled.file_commands(tests), more=environment)
    return Gathered(c.found, c.programs)


def opengl(gen, every):
    return collected(gen, every, {})


def vulkan(gen, every):
    icd = ICD % ('' if gen == 'skl' else '_hasvk')
    return collected(gen, every, dict(zink.variables(), VK_ICD_FILENAMES=icd,
                                      VK_DRIVER_FILES=icd))


def opencl(gen, every):
    """Programs that ran."""
    program = compiled.PIGLIT / 'bin/cl-program-tester'
    tests = sorted((compiled.PIGLIT / 'generated_tests').rglob('*.cl')) + \
        sorted((compiled.PIGLIT / 'tests/cl').rglob('*.cl'))
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, LD_PRELOAD=str(shim()),
                   SAFFRON_DEVICE='sim:' + gen, SAFFRON_SIM_KERNELS=folder,
                   OCL_ICD_VENDORS=OPENCL)
        for test in sample(tests, every):
            try:
                subprocess.run([program, str(test)], env=env, check=False,
                               stdin=subprocess.DEVNULL, timeout=OPENCL_S,
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
            except subprocess.TimeoutExpired:
                print(f'{test}: took too long', file=sys.stderr)
        parts = {Path(p).read_bytes() for p in glob.glob(folder + '/*.bin')}
    return Gathered(parts, len(parts))


def other_programs():
    """Hashes of programs of other generations."""
    return set(re.findall(r'^([0-9a-f]{16}) ', OTHERS.read_text(), re.M))


def library(path):
    def gather(gen, every):
        found = sample_programs(binaries.programs(path, tool(), gen), every)
        others = other_programs()
        parts = [p for p in found if gen in candidates(p) and
                 hashlib.sha256(p).hexdigest()[:16] not in others]
        return Gathered(parts, len(parts))
    return gather


def sample_programs(programs, every):
    return [p for p in programs if every == 1 or
            hashlib.sha256(p).digest()[0] % every == 0]


class Source:
    """needs  a file that is there when the package is installed
    shipped   how rows of rules name who ships it
    every     how much of it is gathered without --every"""

    def __init__(self, package, needs, gens, shipped, gather, every=1):
        self.package, self.needs, self.gens = package, needs, gens
        self.shipped, self.gather, self.every = shipped, gather, every


SOURCES = {
    'opengl': Source('libgl1-mesa-dri', LIBRARIES + '/dri/iris_dri.so', GENS,
                     'Mesa', opengl, 200),
    'vulkan': Source('mesa-vulkan-drivers', ICD % '', GENS, 'Mesa', vulkan,
                     400),
    'opencl': Source('intel-opencl-icd', OPENCL, ('bdw', 'skl'), 'IGC', opencl,
                     40),
    'i965-va': Source('i965-va-driver', LIBRARIES + '/dri/i965_drv_video.so',
                      GENS, 'intel-vaapi-driver',
                      library(LIBRARIES + '/dri/i965_drv_video.so')),
    # Debian's main has iHD without its kernels; non-free has them.
    'iHD': Source('intel-media-va-driver-non-free',
                  LIBRARIES + '/dri/iHD_drv_video.so', ('bdw', 'skl'),
                  'intel-media-driver',
                  library(LIBRARIES + '/dri/iHD_drv_video.so')),
    'igt': Source('intel-gpu-tools', LIBRARIES + '/libigt.so.0', GENS, 'igt',
                  library(LIBRARIES + '/libigt.so.0')),
}


def version(package):
    done = subprocess.run(['dpkg-query', '-W', '-f=${Version}', package],
                          capture_output=True, text=True, check=False)
    return done.stdout.strip() or '-'


class Verdict:
    """What the checker says: (severity, rule) to (how often, words,
    example)."""
    LINE = re.compile(r'(undecoded|strict|compiler|fault) (\S+) (\d+) '
                      r'\| (.*?) \| (.*)$', re.M)

    def __init__(self, gen, parts):
        with tempfile.NamedTemporaryFile() as f:
            f.write(b''.join(parts))
            f.flush()
            done = subprocess.run([tool(), '--legal', '--gen=' + gen, f.name],
                                  stdout=subprocess.PIPE, text=True,
                                  check=False)
        if done.returncode > 1:
            raise SystemExit('saffron: saffron-isa-check failed')
        self.instructions = int(done.stdout.split()[0])
        self.findings = {
            tuple(m.group(1, 2)): (int(m[3]), m[4], m[5])
            for m in self.LINE.finditer(done.stdout)}

    def faults(self):
        return {key for key in self.findings
                if key[0] in ('undecoded', 'fault')}


def candidates(program, known={}):
    """The generations on which a program decodes whole and, where others are
    left, breaks no rule."""
    if program not in known:
        verdicts = {gen: Verdict(gen, [program]) for gen in GENS}
        whole = {gen: v for gen, v in verdicts.items()
                 if not any(key[0] == 'undecoded' for key in v.findings)}
        clean = [gen for gen, v in whole.items() if not v.faults()]
        known[program] = clean or list(whole)
    return known[program]


def judge(name, gen, gathered):
    """Lines for the table, and what is wrong."""
    source = SOURCES[name]
    verdict = Verdict(gen, gathered.parts)
    lines, wrong = [], []
    for (severity, rule), (count, words, example) in sorted(
            verdict.findings.items()):
        lines.append(f'   {severity} {rule} {count}')
        if severity in ('undecoded', 'fault'):
            wrong.append(f'{name} {gen}: {severity} {rule}: {count}: {words}'
                         f'\n   {example}')
        elif severity == 'strict' and source.shipped not in words:
            wrong.append(f'{name} {gen}: {rule}: {count}: its row does not '
                         f'name {source.shipped}: {words}\n   {example}')
    head = f'{gathered.programs} programs, {len(gathered.parts)} parts, ' \
        f'{verdict.instructions} instructions, {gathered.hash()[:16]}'
    return head, lines, wrong


def committed(path):
    """{key: text} of a table: blocks begin with SOURCE VERSION GEN 1/N."""
    blocks, key = {}, None
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.startswith('#') or not line.strip():
            continue
        if not line.startswith(' '):
            key, _, line = line.partition(': ')
        blocks[key] = '\n'.join(filter(None, [blocks.get(key), line]))
    return blocks


def write(path, blocks):
    text = [MAGIC, '# SOURCE VERSION GENERATION PART: what was gathered and',
            '#    SEVERITY RULE COUNT of what breaks a rule.']
    for key in sorted(blocks):
        text.append(f'{key}: {blocks[key]}')
    path.write_text('\n'.join(text) + '\n')


def installed(names):
    return [n for n in names if os.path.exists(SOURCES[n].needs)]


def run(args):
    blocks, wrong, changed = committed(args.table), [], []
    names = installed(args.source or SOURCES)
    if not names:
        print('saffron: none of these packages is installed: ' + ' '.join(
            SOURCES[n].package for n in args.source or SOURCES))
        return SKIP
    for name in names:
        source = SOURCES[name]
        every = args.every or source.every
        for gen in source.gens:
            if args.gen and gen not in args.gen:
                continue
            gathered = source.gather(gen, every)
            if not gathered.parts:
                print(f'{name} {gen}: nothing found')
                continue
            head, lines, bad = judge(name, gen, gathered)
            key = f'{name} {version(source.package)} {gen} 1/{every}'
            block = '\n'.join([head] + lines)
            print(f'{key}: {block}', flush=True)
            wrong += bad
            if blocks.get(key, block) != block:
                changed.append(f'{key}: it was {blocks[key]}')
            blocks[key] = block
    for text in changed + wrong:
        print(text)
    if args.update:
        write(args.table, blocks)
        changed = []
    print(f'{len(wrong)} faults or reports without a reason, '
          f'{len(changed)} differ from {args.table.name}')
    return 1 if wrong or changed else 0


def main():
    parser = argparse.ArgumentParser(
        prog='saffron corpus', description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--gen', action='append', choices=GENS)
    parser.add_argument('--source', action='append', choices=SOURCES)
    parser.add_argument('--every', type=int, metavar='N',
                        help='each N-th test or program, by a hash')
    parser.add_argument('--table', type=Path, default=COMMITTED,
                        help='what was gathered before (%(default)s)')
    parser.add_argument('--update', action='store_true',
                        help='write what was gathered to it')
    args = parser.parse_args()
    if args.every is not None and args.every < 1:
        parser.error('--every wants a number from 1 on')
    if not shutil.which(tool()):
        parser.error(f'{tool()} is not built')
    return run(args)


if __name__ == '__main__':
    sys.exit(main())
