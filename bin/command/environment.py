# SPDX-License-Identifier: MIT
"""Environments in which programs find a driver: see docs/envvars.rst."""
import os
import subprocess
import tempfile

from command.place import export


def export_runtime_dir():
    """libEGL complains when there is none."""
    if os.environ.get('XDG_RUNTIME_DIR'):
        return
    # Not where others can make it first.
    home = os.environ.get('HOME')
    cache = os.environ.get('XDG_CACHE_HOME') or \
        (home and os.path.join(home, '.cache')) or tempfile.mkdtemp()
    folder = os.path.join(cache, 'saffron-runtime')
    os.makedirs(folder, 0o700, exist_ok=True)
    export(XDG_RUNTIME_DIR=folder)


def export_driver(place, gen):
    """Stock libGL, libEGL and the Vulkan loader find the driver."""
    choice = subprocess.run([place.file('zink-env', 'bin/zink-env')],
                            stdout=subprocess.PIPE, text=True, check=True)
    export(LIBGL_ALWAYS_SOFTWARE=None, GALLIUM_DRIVER=None,
           MESA_LOADER_DRIVER_OVERRIDE=None)
    names = dict(line.split('=', 1) for line in choice.stdout.splitlines())
    export(**names, VK_DRIVER_FILES=place.icd(),
           VK_ICD_FILENAMES=place.icd(),
           SAFFRON_DEVICE=os.environ.get('SAFFRON_DEVICE') or f'sim:{gen}')
    export_runtime_dir()


def export_stock(gen):
    """But for LD_PRELOAD: Mesa's own driver for Intel GPUs finds the simulated
    one."""
    export(MESA_LOADER_DRIVER_OVERRIDE=None, LIBGL_ALWAYS_SOFTWARE=None,
           GALLIUM_DRIVER=None, VK_DRIVER_FILES=None, VK_ICD_FILENAMES=None,
           SAFFRON_DEVICE=f'sim:{gen}')
    export_runtime_dir()
