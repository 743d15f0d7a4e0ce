# SPDX-License-Identifier: MIT
"""Options of the commands that are in Python."""
import argparse
import os
import re

from command.errors import UsageError


class Help(argparse.RawDescriptionHelpFormatter):
    """Options as they are typed: --name=VALUE, --name[=VALUE]."""

    def __init__(self, prog):
        super().__init__(prog, max_help_position=26, width=80)

    def _format_action_invocation(self, action):
        names = ', '.join(action.option_strings)
        if not names or action.nargs == 0:
            return names or super()._format_action_invocation(action)
        value = f'={action.metavar}'
        return names + (f'[{value}]' if action.nargs == '?' else value)


class Parser(argparse.ArgumentParser):
    """Complains as the rest of the command does. `words` is of the usage
    line."""

    def __init__(self, place, words, description):
        self.name = place.command.name
        super().__init__(
            prog=f'{place.me} {self.name}', description=description,
            usage=f'{place.me} {self.name} {words}'.rstrip(),
            formatter_class=Help, allow_abbrev=False, add_help=False)
        self.add_argument('-h', '--help', action='help', help='this text')

    def error(self, message):
        message = re.sub(r'^argument [^:]*: ', '', message)
        raise UsageError(f'{self.name}: {message}')

    def gen(self, place):
        """The option of a generation; entry.py has looked at its value."""
        self.add_argument('--gen', metavar='G', default='skl',
                          help=', '.join(place.generations()) +
                          ', or a size of one (skl)')

    def read(self, words):
        """The values; what is left over is an error."""
        args, rest = self.parse_known_args(words)
        if rest:
            self.error(f"unknown option '{rest[0]}'" if rest[0][0] == '-' else
                       f"'{rest[0]}' is one word too many")
        return args


def split_program(words):
    """The options, and a program with its words. An option's value is in the
    same word: entry.py has seen to it."""
    for i, word in enumerate(words):
        if word == '--':
            return words[:i], words[i + 1:]
        if not word.startswith('-'):
            return words[:i], words[i:]
    return words, []


def absolute(path):
    """The program may run in another directory."""
    return os.path.join(os.getcwd(), path)


def writable(option):
    """The type of an option for a file to write. What is there stays."""
    def check(path):
        there = os.path.lexists(path)
        try:
            with open(path, 'a', encoding='utf-8'):
                pass
            if not there:
                os.remove(path)
        except OSError:
            raise argparse.ArgumentTypeError(
                f"{option}: '{path}' cannot be written") from None
        return absolute(path)
    return check


def size(option, limit):
    """The type of WIDTHxHEIGHT: the two numbers."""
    def check(text):
        m = re.fullmatch(r'([1-9]\d{0,4})x([1-9]\d{0,4})', text)
        if not m or max(int(m[1]), int(m[2])) > limit:
            raise argparse.ArgumentTypeError(
                f'{option} is WIDTHxHEIGHT, each up to {limit}')
        return int(m[1]), int(m[2])
    return check


def filled(text):
    """The type of a value that is not empty."""
    if not text:
        raise argparse.ArgumentTypeError('an option has no value')
    return text
