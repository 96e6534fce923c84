"""Builds the wheel of artel: CMake makes the modules, the rest is copied. A build backend (PEP 517) that needs nothing but
Python's own library, so that `pip install .` works without a network.

Settings (pip install . --config-settings NAME=VALUE): build-dir, where CMake works (build/wheel), or built-dir, where it has; jobs;
everything that begins with ARTEL_ or CMAKE_ goes to CMake.
"""

from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def _version() -> str:
    return re.search(r"project\(artel VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def _tags() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _metadata() -> dict:
    version = _version()
    about = (f"Metadata-Version: 2.1\nName: artel\nVersion: {version}\n"
             "Summary: Dispatch tasks over workers: simulate, plan, replay, and models of your own in virtual time\n"
             "License: Apache-2.0\nRequires-Python: >=3.10\nProvides-Extra: pandas\nRequires-Dist: pandas; extra == 'pandas'\n"
             "Description-Content-Type: text/markdown\n\n" + (ROOT / "python/README.md").read_text())
    wheel = f"Wheel-Version: 1.0\nGenerator: artel\nRoot-Is-Purelib: false\nTag: {_tags()}\n"
    folder = f"artel-{version}.dist-info"
    return {f"{folder}/METADATA": about.encode(), f"{folder}/WHEEL": wheel.encode(),
            f"{folder}/LICENSE": (ROOT / "LICENSE").read_bytes()}


def _report() -> str:
    """ARTEL_REPORT: without the page of .report() where building it would need the network."""
    wanted, installed = ROOT / "web/package-lock.json", ROOT / "web/node_modules/.artel-lock.json"
    if installed.exists() and installed.read_bytes() == wanted.read_bytes():
        return "AUTO"
    print("artel: without the page of .report(): web/node_modules is not what web/package-lock.json says. With a network, "
          "--config-settings ARTEL_REPORT=ON fetches it", file=sys.stderr, flush=True)
    return "OFF"


def _build(settings: dict) -> pathlib.Path:
    if "built-dir" in settings:
        return pathlib.Path(settings["built-dir"]) / "python"
    build = pathlib.Path(settings.pop("build-dir", ROOT / "build/wheel")).resolve()
    jobs = settings.pop("jobs", str(os.cpu_count() or 1))
    chosen = {"CMAKE_BUILD_TYPE": "Release", "ARTEL_PYTHON": "ON", "ARTEL_COMPONENTS": "experiment", "ARTEL_TESTS": "OFF",
              "ARTEL_BENCH": "OFF", "ARTEL_INSTALL": "OFF", "Python_EXECUTABLE": sys.executable,
              **{name: value for name, value in settings.items() if name.startswith(("ARTEL_", "CMAKE_"))}}
    chosen.setdefault("ARTEL_REPORT", _report())
    subprocess.run(["cmake", "-S", str(ROOT), "-B", str(build), *(f"-D{name}={value}" for name, value in chosen.items())],
                   check=True)
    subprocess.run(["cmake", "--build", str(build), "--target", "artel_python", "artel_python_sim", "--parallel", jobs],
                   check=True)
    return build / "python"


def build_wheel(wheel_directory: str, config_settings: dict | None = None, metadata_directory: str | None = None) -> str:
    package = _build(dict(config_settings or {}))
    files = {path.relative_to(package).as_posix(): path.read_bytes() for path in sorted((package / "artel").rglob("*"))
             if path.is_file() and "__pycache__" not in path.parts}
    files.update(_metadata())
    record = f"artel-{_version()}.dist-info/RECORD"
    lines = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
             for name, data in files.items()]
    files[record] = ("\n".join([*lines, f"{record},,"]) + "\n").encode()
    name = f"artel-{_version()}-{_tags()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            info = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))  # equal inputs, equal bytes
            info.external_attr = (0o755 if path.endswith(".so") else 0o644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return name


def get_requires_for_build_wheel(config_settings: dict | None = None) -> list:
    return []


if __name__ == "__main__":
    settings = dict(each.split("=", 1) for each in sys.argv[2:])
    pathlib.Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    print(build_wheel(sys.argv[1], settings))
