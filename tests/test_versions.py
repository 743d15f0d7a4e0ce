#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Versions of OpenGL through stock libEGL, against docs/architecture.rst.

usage: test_versions.py DOC GEN

Makes the newest context of each kind on the driver that the environment
names, and compares what it says of itself with the line of GEN in the table
of DOC. Exit codes: 0 the same, 1 not, 77 no libEGL or no such platform.
"""
import ctypes
import re
import sys

SURFACELESS, API_ES, API_GL = 0x31DD, 0x30A0, 0x30A2
MAJOR, MINOR, PROFILE, NONE = 0x3098, 0x30FB, 0x30FD, 0x3038
GL_VERSION = 0x1F02
DESKTOP = [(4, n) for n in (6, 5, 4, 3, 2, 1, 0)] + [(3, 3), (3, 2)]
EMBEDDED = [(3, 2), (3, 1), (3, 0), (2, 0)]


class Egl:
    def __init__(self):
        self.lib = ctypes.CDLL('libEGL.so.1')
        self.lib.eglGetProcAddress.restype = ctypes.c_void_p
        p = ctypes.c_void_p
        get_display = self.function('eglGetPlatformDisplayEXT', p,
                                    ctypes.c_uint, p, p)
        self.initialize = self.function('eglInitialize', ctypes.c_uint,
                                        p, p, p)
        self.bind = self.function('eglBindAPI', ctypes.c_uint, ctypes.c_uint)
        self.create = self.function('eglCreateContext', p, p, p, p, p)
        self.current = self.function('eglMakeCurrent', ctypes.c_uint,
                                     p, p, p, p)
        self.display = get_display(SURFACELESS, None, None)
        if not self.initialize(self.display, None, None):
            sys.exit(77)

    def function(self, name, *types):
        return ctypes.CFUNCTYPE(*types)(
            self.lib.eglGetProcAddress(name.encode()))

    def newest(self, api, versions, profile=0):
        self.bind(api)
        for major, minor in versions:
            wanted = [MAJOR, major, MINOR, minor]
            wanted += [PROFILE, profile] if profile else []
            wanted.append(NONE)
            context = self.create(self.display, None, None,
                                  (ctypes.c_int * len(wanted))(*wanted))
            if not context:
                continue
            self.current(self.display, None, None, context)
            get = self.function('glGetString', ctypes.c_char_p,
                                ctypes.c_uint)
            return re.search(r'\d\.\d', get(GL_VERSION).decode())[0]
        return 'none'


def documented(path, gen):
    for line in open(path):
        found = re.fullmatch(r'``%s`` +(\S+) +(\S+) +(\S+)' % gen,
                             line.strip())
        if found:
            return list(found.groups())
    sys.exit('%s has no line of %s' % (path, gen))


def main():
    doc, gen = sys.argv[1:]
    try:
        egl = Egl()
    except OSError:
        sys.exit(77)
    got = [egl.newest(API_GL, DESKTOP, 1), egl.newest(API_GL, DESKTOP, 2),
           egl.newest(API_ES, EMBEDDED)]
    want = documented(doc, gen)
    print('core, compatibility, ES:', *got)
    if got != want:
        sys.exit('%s says %s' % (doc, ' '.join(want)))


if __name__ == '__main__':
    main()
