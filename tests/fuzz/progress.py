# SPDX-License-Identifier: MIT
"""What a long search has found so far, while it goes on: on a terminal one
line that changes, elsewhere a line now and then. SIGTERM, as `timeout` sends
it, ends a search as Ctrl-C does."""
import signal
import sys
import time

LINE_S = 30


def interrupt(*_):
    raise KeyboardInterrupt


class Progress:
    """`of`: how many there are in all; None: nobody knows."""

    def __init__(self, what, of=None):
        self.what, self.of = what, of
        self.start = time.monotonic()
        self.is_terminal = sys.stderr.isatty()
        self.next = self.start + (0 if self.is_terminal else LINE_S)
        signal.signal(signal.SIGTERM, interrupt)

    def show(self, done, rest):
        """After each; `rest` says what else is counted."""
        now = time.monotonic()
        if now < self.next:
            return
        of = f' of {self.of}' if self.of else ''
        line = f'{done}{of} {self.what} in {now - self.start:.0f} s{rest}'
        if self.is_terminal:
            self.next = now + 1
            print(f'\r{line}\x1b[K', end='', file=sys.stderr, flush=True)
        else:
            self.next = now + LINE_S
            print(line, file=sys.stderr, flush=True)

    def end(self):
        """Before other words."""
        if self.is_terminal:
            print('\r\x1b[K', end='', file=sys.stderr, flush=True)
