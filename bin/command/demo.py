# SPDX-License-Identifier: MIT
"""saffron demo: one zoom into the Mandelbrot set, in float and in double."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

from command import environment
from command.errors import Failure, say
from command.options import Parser, size
from command.place import export


def folder(path):
    if not (os.path.isdir(path) and os.access(path, os.W_OK)):
        raise argparse.ArgumentTypeError(
            f"--out: '{path}' is no directory to write to")
    return path


def parser(place):
    p = Parser(place, '[--gen=G] [--size=WIDTHxHEIGHT] [--out=DIRECTORY]',
               'Draws the same deep Mandelbrot zoom with float and with '
               'double, with an\nordinary OpenGL 3.3 program on stock libEGL '
               'and zink, and writes\nmandelbrot-float.png and '
               'mandelbrot-double.png.')
    p.gen(place)
    p.add_argument('--size', metavar='WIDTHxHEIGHT', default=(480, 360),
                   type=size('--size', 16384), help='of the pictures (480x360)')
    p.add_argument('--out', metavar='DIRECTORY', default='.', type=folder,
                   help='where they go (here)')
    return p


def help_text(place):
    return parser(place).format_help()


def draw(place, precision, args, place_of_files):
    picture = os.path.join(args.out, f'mandelbrot-{precision}.png')
    ppm, stats = (os.path.join(place_of_files, name)
                  for name in ('picture.ppm', 'stats.json'))
    say(f'drawing mandelbrot-{precision}.png')
    export(SAFFRON_SIM_STATS=stats)
    done = subprocess.run([place.demo(), precision, *map(str, args.size), ppm],
                          stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise Failure('the demo failed')
    sys.stdout.write(done.stdout)
    if not any(line.startswith('GL_RENDERER  ') and '(Saffron' in line
               for line in done.stdout.splitlines()):
        raise Failure("this is not the driver's picture: see GL_RENDERER")
    with open(stats, encoding='utf-8') as f:
        print(f'EU instr.    {json.load(f)["eu_instructions"]:,}')
    with open(picture, 'wb') as f:
        if subprocess.run(['pnmtopng', '-quiet', ppm], stdout=f,
                          check=False).returncode:
            raise Failure(f'{picture} could not be written')
    print(f'written      {picture}\n', flush=True)


def run(place, words):
    args = parser(place).read(words)
    if not place.installed:
        place.ensure_build()
    environment.export_driver(place, args.gen)
    if sys.stderr.isatty():
        export(SAFFRON_PROGRESS='1')
    with tempfile.TemporaryDirectory() as files:
        for precision in 'float', 'double':
            draw(place, precision, args, files)
    return 0
