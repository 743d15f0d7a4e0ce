# SPDX-License-Identifier: MIT
"""The display of --window."""
import shutil
import sys

from command.errors import Failure, UsageError
from command.needs import Needs
from command.options import size, writable


def add_options(parser):
    parser.add_argument('--window', nargs='?', const=True,
                        metavar='WIDTHxHEIGHT', type=size('--window', 9999),
                        help='a Wayland compositor and an X server '
                        'without a screen, which draw with the same driver')
    parser.add_argument('--screenshot', metavar='FILE',
                        type=writable('--screenshot'), help='of --window: '
                        'the last picture before the program ends, as PNG')


def prefix(place, window, screenshot=None):
    """The words before those of a program that give it a display; window is
    what the option says: None, True or a size."""
    if window is None:
        if screenshot:
            raise UsageError(f'{place.command.name}: --screenshot is of the '
                             'screen of --window')
        return []
    need(place)
    words = [sys.executable, place.file('weston.py', 'tests/weston.py')]
    if window is not True:
        words.append('--size={}x{}'.format(*window))
    if screenshot:
        words.append(f'--screenshot={screenshot}')
    return words + ['--']


def need(place):
    for program in 'weston', 'Xwayland':
        if not shutil.which(program):
            Needs(place).require('test')
        if not shutil.which(program):
            raise Failure(f'--window wants {program}')
