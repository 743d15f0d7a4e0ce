#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks at what programs draw: the demo's two pictures, and the gears in a
window; a stage of `bin/saffron test`.

usage: pictures.py demo DIRECTORY | window PROGRAM
Exit code 0 when the picture is as it should be, else 1 and a sentence.
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SAFFRON = os.path.join(ROOT, 'bin', 'saffron')
SIZE = 240, 180


def fail(text):
    print(text)
    sys.exit(1)


def read_png(path):
    """(width, height, RGB bytes), by way of netpbm."""
    ppm = subprocess.run(['pngtopnm', path], stdout=subprocess.PIPE,
                         check=True).stdout
    magic, width, height, _, data = re.match(
        rb'(P6)\s+(\d+)\s+(\d+)\s+(\d+)\s(.*)', ppm, re.DOTALL).groups()
    assert magic == b'P6'
    return int(width), int(height), data


def equal_neighbours(path):
    """The share of pixels, of those that are not black, that equal their
    right neighbour."""
    width, height, data = read_png(path)
    same = total = 0
    for y in range(height):
        row = [data[3 * (y * width + x):][:3] for x in range(width)]
        for a, b in zip(row, row[1:]):
            if any(a):
                total += 1
                same += a == b
    if total < width * height // 4:
        fail(f'{path}: mostly black')
    return same / total


def check_demo(directory):
    """The float picture has blocks of many pixels, the double picture has
    detail everywhere; and the context is OpenGL 3.3 by right."""
    out = subprocess.run([SAFFRON, 'demo', f'--out={directory}',
                          '--size=%dx%d' % SIZE], stdout=subprocess.PIPE,
                         text=True, check=True).stdout
    print(out)
    version = re.search(r'GL_VERSION\s+(\d+)\.(\d+)', out)
    if not version or (int(version[1]), int(version[2])) < (3, 3):
        fail('GL_VERSION is below 3.3')
    if 'Saffron' not in out:
        fail('the demo ran on another driver')
    blocks = equal_neighbours(os.path.join(directory, 'mandelbrot-float.png'))
    detail = equal_neighbours(os.path.join(directory,
                                           'mandelbrot-double.png'))
    print(f'pixels like their neighbour: float {blocks:.3f}, '
          f'double {detail:.3f}')
    if blocks < 0.7:
        fail('the float picture shows no blocks')
    if detail > 0.3:
        fail('the double picture shows blocks')


def read_xwd(path):
    """(red, green, blue) of each pixel of a true-colour X window dump."""
    with open(path, 'rb') as f:
        data = f.read()
    head = struct.unpack('>25I', data[:100])
    start = head[0] + head[19] * 12
    width, height, bits, pitch = head[4], head[5], head[11], head[12]
    if bits not in (24, 32):
        fail(f'{path}: {bits} bits a pixel')
    for y in range(height):
        for x in range(width):
            blue, green, red = data[start + y * pitch +
                                    bits // 8 * x:][:3]
            yield red, green, blue


def check_window(program):
    """Three gears, a red, a green and a blue one, each of some size."""
    with tempfile.TemporaryDirectory() as tmp:
        dump = os.path.join(tmp, 'screen.xwd')
        script = (f'{program} >/dev/null 2>&1 & p=$!; sleep 4; '
                  f'xwd -root -silent -out {dump}; kill $p')
        subprocess.run([SAFFRON, 'run', '--', 'xvfb-run', '-a', '-s',
                        '-screen 0 320x320x24', 'sh', '-c', script])
        if not os.path.exists(dump):
            fail('no screen dump')
        count = [0, 0, 0]
        for pixel in read_xwd(dump):
            top = max(range(3), key=lambda i: pixel[i])
            others = [pixel[i] for i in range(3) if i != top]
            if pixel[top] > 90 and max(others) < pixel[top] // 2:
                count[top] += 1
    print('red, green, blue pixels:', *count)
    if min(count) < 1000:
        fail(f'{program}: a gear is missing')


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ('demo', 'window'):
        sys.exit(__doc__)
    for tool in ('xvfb-run', 'xwd', 'pngtopnm'):
        if not shutil.which(tool):
            fail(f'{tool} is missing')
    {'demo': check_demo, 'window': check_window}[sys.argv[1]](sys.argv[2])


if __name__ == '__main__':
    main()
