# SPDX-License-Identifier: MIT
"""Runs programs on the simulated GPU, and packs the batches that it records
(SAFFRON_SIM_RECORD, sim_record.h) for the command that runs them on a chip
(stages/replay.c): each page of memory once.

usage: pack_jobs.py OUT GENERATION ICD PROGRAM...
"""
import os
import struct
import subprocess
import sys
import tempfile

PAGE_B = 4096
HEAD = struct.Struct('=8sIIQQQII')
OBJECT = struct.Struct('=QQQ')
# A scene beyond this is left out: it would say little more.
MOST_PAGES = 1024


class Pages:
    """Numbers of pages by what is in them."""

    def __init__(self):
        self.numbers = {}

    def number(self, page):
        return self.numbers.setdefault(page, len(self.numbers))

    def bytes(self):
        return b''.join(self.numbers)


def read_job(data):
    """The job's head, and its objects: address, size, {page: bytes}."""
    head = HEAD.unpack_from(data)
    at, objects = HEAD.size, []
    for _ in range(head[7]):
        address, size, num = OBJECT.unpack_from(data, at)
        at += OBJECT.size
        pages = {}
        for _ in range(num):
            index = struct.unpack_from('=Q', data, at)[0]
            pages[index] = data[at + 8:at + 8 + PAGE_B]
            at += 8 + PAGE_B
        objects.append((address, size, pages))
    return head, objects


def pack_job(head, objects, pages):
    _, _, engine, _, _, batch, reset_so, num = head
    out = [struct.pack('=QIIII', batch, engine, reset_so, num, 0)]
    for address, size, contents in objects:
        out.append(struct.pack('=QQII', address, size, len(contents), 0))
        out += [struct.pack('=II', index, pages.number(page))
                for index, page in sorted(contents.items())]
    return b''.join(out)


def run(program, gen, icd, folder):
    env = dict(os.environ, SAFFRON_DEVICE=f'sim:{gen}', VK_ICD_FILENAMES=icd,
               VK_DRIVER_FILES=icd, SAFFRON_SIM_RECORD=folder)
    env.pop('LD_PRELOAD', None)
    done = subprocess.run([program], env=env, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f'pack_jobs.py: {program}: {done.stdout.decode()[-2000:]}')


def scenes_of(program, gen, icd):
    """(name, [(head, objects)]): our driver's batches say all that they need,
    so each is a scene."""
    with tempfile.TemporaryDirectory() as folder:
        run(program, gen, icd, folder)
        short = os.path.basename(program).replace('test_vulkan_', '')
        for i, name in enumerate(sorted(os.listdir(folder))):
            with open(os.path.join(folder, name), 'rb') as file:
                head, objects = read_job(file.read())
            if sum(len(o[2]) for o in objects) <= MOST_PAGES:
                yield f'{short}-{i}', [(head, objects)]


def main(out, gen, icd, *programs):
    pages, packed = Pages(), []
    for program in programs:
        for name, jobs in scenes_of(program, gen, icd):
            body = b''.join(pack_job(h, o, pages) for h, o in jobs)
            packed.append(struct.pack('=64sII', name.encode(), len(jobs),
                                      len(body)) + body)
    with open(out, 'wb') as file:
        file.write(struct.pack('=8s8sII', b'SaffRpl2', gen.encode(),
                               len(pages.numbers), len(packed)))
        file.write(pages.bytes())
        file.write(b''.join(packed))


if __name__ == '__main__':
    main(*sys.argv[1:])
