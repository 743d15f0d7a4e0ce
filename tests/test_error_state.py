#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What SAFFRON_SIM_ERROR_STATE leaves of a hang, read as its readers do.

   test_error_state.py BUILD PROGRAM GEN...

PROGRAM hangs the GPU. The file has the device, a place inside the batch where
it stopped, and buffers that are zlib streams as ascii85, by Python's own zlib;
intel_error_decode finds the batch's instructions, where it is installed. Who
asks the shim's sysfs sees the same file. The first error stays.
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

PCI_IDS = {'skl': 0x1912, 'bdw': 0x1616, 'hsw': 0x0412, 'ivb': 0x0162}
BUFFER = re.compile(r'^(\w+) --- (\w+) = 0x(\w{8}) (\w{8})\n:(.*)$', re.M)


def decoded(text):
    """Bytes of ascii85, each five digits a word, low byte first."""
    out, at = bytearray(), 0
    while at < len(text):
        if text[at] == 'z':
            out += bytes(4)
            at += 1
            continue
        word = 0
        for c in text[at:at + 5]:
            word = word * 85 + ord(c) - ord('!')
        out += struct.pack('<I', word)
        at += 5
    return bytes(out)


def number(text, pattern):
    m = re.search(pattern, text, re.M)
    assert m, pattern
    return int(''.join(m.groups()), 16)


def check(text, gen):
    """The batch, its address, and where it stopped."""
    assert text.startswith('GPU HANG: ecode '), text[:80]
    assert number(text, r'^PCI ID: 0x(\w{4})$') == PCI_IDS[gen], gen
    stopped = number(text, r'^  ACTHD: 0x(\w{8}) (\w{8})$')
    command = number(text, r'^  IPEHR: 0x(\w{8})$')
    buffers, captured = {}, []
    for engine, name, high, low, data in BUFFER.findall(text):
        stream = zlib.decompressobj()
        contents = stream.decompress(decoded(data)) + stream.flush()
        assert stream.eof, name
        assert len(stream.unused_data) < 4
        assert engine == 'rcs0'
        if name == 'user':
            captured.append((int(high + low, 16), contents))
        else:
            assert name not in buffers, name
            buffers[name] = int(high + low, 16), contents
    start, batch = buffers['batch']
    assert start <= stopped < start + len(batch)
    assert struct.unpack_from('<I', batch, stopped - start)[0] == command
    # Shaders and states, where the driver has them in buffers of their own:
    # what the base addresses of the batch lead to is there.
    if gen in ('skl', 'bdw'):
        bases = base_addresses(batch)
        assert bases
        for base in bases:
            assert any(at == base for at, _ in captured), hex(base)
        assert any(any(contents) for _, contents in captured)
    ring = struct.unpack_from('<3I', buffers['ringbuffer'][1])
    assert ring[0] >> 23 == 0x31 and ring[1] == start & 0xffffffff
    return start


def base_addresses(batch):
    """Where instructions and dynamic state are, by STATE_BASE_ADDRESS of
    Gen8 and later; what is modified has its lowest bit set."""
    for at in range(0, len(batch) - 76, 4):
        if struct.unpack_from('<I', batch, at)[0] >> 16 == 0x6101:
            words = [struct.unpack_from('<Q', batch, at + 4 * n)[0]
                     for n in (6, 10)]
            return [w & ~0xfff for w in words if w & 1]
    return []


def run(build, program, gen, file):
    env = dict(os.environ, SAFFRON_DEVICE='sim:' + gen,
               SAFFRON_SIM_ERROR_STATE=str(file), SAFFRON_SIM_HANG_MS='300',
               VK_ICD_FILENAMES=str(
                   build / 'src/intel/vulkan/saffron_icd.json'))
    subprocess.run([program], env=env, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return file.read_text()


def from_sysfs(build, gen, file):
    shim = build / 'src/intel/drm-shim/libsaffron_drm_shim.so'
    env = dict(os.environ, SAFFRON_DEVICE='sim:' + gen, LD_PRELOAD=str(shim),
               SAFFRON_SIM_ERROR_STATE=str(file))
    return subprocess.run(
        [sys.executable, '-c', 'import os; n = [c for c in os.listdir('
         '"/dev/dri") if c.startswith("card")][-1]; print(open('
         '"/sys/class/drm/" + n + "/error").read(), end="")'],
        env=env, stdout=subprocess.PIPE, text=True, check=True).stdout


def main():
    build, program = map(Path, sys.argv[1:3])
    for gen in sys.argv[3:]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / 'error'
            assert 'No error state' in from_sysfs(build, gen, file)
            text = run(build, program, gen, file)
            start = check(text, gen)
            assert run(build, program, gen, file) == text  # the first one
            assert from_sysfs(build, gen, file) == text
            tool = shutil.which('intel_error_decode')
            if tool:
                out = subprocess.run([tool, file], text=True, check=True,
                                     stdout=subprocess.PIPE).stdout
                assert f'0x{start & 0xffffffff:08x}:' in out
                assert 'MI_BATCH_BUFFER_END' in out
                assert 'ASCII85 decode failed' not in out


if __name__ == '__main__':
    main()
