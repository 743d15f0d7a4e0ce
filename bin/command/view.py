# SPDX-License-Identifier: MIT
"""saffron view: recordings in a browser."""
import os
import signal
import sys
import tempfile

from command.errors import Failure, UsageError, say
from command.options import Parser, split_program


def parser(place):
    p = Parser(place, '[OPTIONS] FILE... | [OPTIONS] -- COMMAND '
               '[ARGUMENT...]',
               'Serves a page about recordings, to this machine only, and '
               'opens it. Recordings\nare what run and shim write with '
               '--record=FILE; a program is run and recorded\nfirst. '
               'docs/view.rst shows how to find what is wrong, or slow.')
    p.gen(place)
    p.add_argument('--stock', action='store_true', help="run the program "
                   "with Mesa's own driver, as 'shim' does")
    p.add_argument('--port', metavar='N', type=int, default=0,
                   help='where it is served (a free one)')
    p.add_argument('--frame', metavar='N', type=int, default=1,
                   help='where a program that draws in a window waits, while '
                   'the page shows what it has drawn: the end of frame N (1)')
    p.add_argument('--no-browser', action='store_true',
                   help='only print the address')
    return p


def help_text(place):
    return parser(place).format_help()


def record(place, args, program, folder):
    """Runs the program: its recording, and itself, if it waits at a frame."""
    from command import view_server
    path = os.path.join(folder, 'recording')
    words = [place.itself, 'shim' if args.stock else 'run',
             f'--gen={args.gen}', f'--record={path}', '--', *program]
    live = view_server.Live(words, folder, args.frame, os.environ)
    try:
        live.wait()
    except BaseException:
        live.end()
        raise
    if not os.path.exists(path):
        code = live.process.returncode
        live.end()
        raise Failure('nothing was recorded' + (
            f'; the program ended with {code}'
            if code else ': does it draw with OpenGL or Vulkan?'))
    return path, live


def split_files(words):
    """The options, the files, and the program."""
    options = [w for w in words if w.startswith('-') and w != '--']
    if '--' in words:
        before, program = split_program(words)
        return before, [], program
    return options, [w for w in words if not w.startswith('-')], []


def run(place, words):
    options, files, program = split_files(words)
    args = parser(place).read(options)
    if not files and not program:
        raise UsageError('view: which recording, or which program?')
    for path in files:
        if not os.path.isfile(path):
            raise UsageError(f"view: there is no file '{path}'")
    from command import view_server
    live = None
    with tempfile.TemporaryDirectory() as folder:
        try:
            if program:
                path, live = record(place, args, program, folder)
                files = [path]
            serve(view_server.Server(
                place.tool('trace'), files, folder,
                place.file('view', 'bin/view'), args.port, live), args)
        finally:
            if live:
                live.end()
    return 0


def serve(server, args):
    from command import view_server
    # Ended by a signal, it ends the program that it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    say(f'saffron view: {server.address()}')
    say('The page stays until you end this command.')
    if not args.no_browser:
        view_server.open_browser(server.address())
    sys.stdout.flush()
    server.serve_forever()
