"""Prints the compute capabilities that CUDA's compilers support, in the form of `compilers` in cudaReleases.yaml.

    python3 scripts/tables/compilers.py [12.8 13.4 ...]

Downloads NVRTC and ptxas in NVIDIA's wheels with pip and queries them, which needs no GPU. Without arguments, it
queries all releases from 11.7 on in the index.
"""

import ctypes
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path


def wheels(tool, release):
    """Returns a folder with the unpacked newest wheel of a tool for a release; None if the index has none."""
    family = int(release.split(".")[0])
    name = f"nvidia-cuda-{tool}" + (f"-cu{family}" if family < 13 else "")
    folder = Path(tempfile.mkdtemp())
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", folder]
    if subprocess.run([*pip, f"{name}=={release}.*"], capture_output=True).returncode != 0:
        return None
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(folder)
    return folder


def nvrtc_architectures(folder):
    library = ctypes.CDLL(str(next(folder.glob("**/libnvrtc.so*"))))
    count = ctypes.c_int()
    library.nvrtcGetNumSupportedArchs(ctypes.byref(count))
    found = (ctypes.c_int * count.value)()
    library.nvrtcGetSupportedArchs(found)
    return sorted(found)


def ptxas_architectures(folder):
    program = next(folder.glob("**/bin/ptxas"))
    program.chmod(0o755)
    help_text = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
    return sorted({int(each) for each in re.findall(r"sm_(\d+)", help_text)})


def formatted(codes):
    return " ".join(f"{code // 10}.{code % 10}" for code in codes)


def main():
    every = ["11.7", "11.8", *(f"12.{minor}" for minor in range(10)), *(f"13.{minor}" for minor in range(10))]
    for release in sys.argv[1:] or every:
        nvrtc, nvcc = wheels("nvrtc", release), wheels("nvcc", release)
        if nvrtc is not None:
            print(f'  - {{ since: "{release}", capabilities: {formatted(nvrtc_architectures(nvrtc))} }}')
        if nvcc is not None:
            print(f"    # ptxas: {formatted(ptxas_architectures(nvcc))}", flush=True)


main()
