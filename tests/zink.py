# SPDX-License-Identifier: MIT
"""The environment in which libGL and libEGL use zink: see bin/zink-env."""
import os
import subprocess

SCRIPT = os.path.join(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))), 'bin', 'zink-env')
# What decides on the driver of OpenGL; none of it is to be inherited.
CHOICES = ('MESA_LOADER_DRIVER_OVERRIDE', 'GALLIUM_DRIVER',
           'LIBGL_ALWAYS_SOFTWARE')
# GL_RENDERER of the driver, of old and new Mesa.
RENDERER = r'zink .*\(Saffron'


def variables():
    """{name: value} that make this system's Mesa use zink."""
    text = subprocess.run([SCRIPT], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    return dict(line.split('=', 1) for line in text.splitlines())


def environment(env, **more):
    """A copy of `env` in which zink is the driver, and `more`."""
    kept = {k: v for k, v in env.items() if k not in CHOICES}
    return dict(kept, **variables(), **more)
