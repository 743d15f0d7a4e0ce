# SPDX-License-Identifier: MIT
"""saffron build: no more than the build."""
from command.options import Parser


def parser(place):
    return Parser(place, '', 'Builds the driver, the tools and the tests in '
                  f"'{place.build}',\nfor developers: with assertions, "
                  'validators and debug information.')


def help_text(place):
    return parser(place).format_help()


def run(place, words):
    parser(place).read(words)
    place.ensure_build()
    return 0
