# SPDX-License-Identifier: MIT
"""One program, built with vkd3d's header, with vkd3d's library and with ours
in its place: sizes, resources, signatures and root signatures are the same.

usage: test_beside.py PROGRAM LIBRARY CONTAINERS
"""
import os
import pathlib
import subprocess
import sys
import tempfile


def records(program, path, containers):
    """What is printed before the first container, and for each of them."""
    r = subprocess.run([program, '--print', containers],
                       stdout=subprocess.PIPE, text=True,
                       env=os.environ | {'LD_LIBRARY_PATH': path,
                                         'VKD3D_SHADER_DEBUG': 'none'})
    if r.returncode:
        sys.exit(f'exit code {r.returncode}: {r.stdout[-500:]}')
    return r.stdout.split('\nscan ')


def main():
    program, library, containers = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        place = pathlib.Path(scratch) / 'libvkd3d-shader.so.1'
        place.symlink_to(os.path.abspath(library))
        theirs = records(program, '', containers)
        ours = records(program, scratch, containers)
    # What vkd3d cannot read says nothing about us.
    pairs = [(a, b) for a, b in zip(theirs, ours) if not a.startswith('1')]
    print(len(pairs), 'of', len(ours), 'compared')
    bad = [p for p in pairs if p[0] != p[1]]
    for theirs, ours in bad[:5]:
        print(f'--- vkd3d\n{theirs}\n--- ours\n{ours}')
    sys.exit(bool(bad) or len(pairs) < 200)


main()
