"""The wheel holds the package and nothing else, and says what it holds."""

import base64
import csv
import hashlib
import io
import pathlib
import sys
import zipfile

import pytest

import artel


@pytest.fixture(scope="module")
def wheel(root, tmp_path_factory):
    built = pathlib.Path(artel.__file__).parent.parent.parent
    if not (built / "CMakeCache.txt").exists():
        pytest.skip("artel is installed: there is no build to make a wheel of")
    sys.path.insert(0, str(root / "python"))
    try:
        import build_wheel
    finally:
        sys.path.pop(0)
    folder = tmp_path_factory.mktemp("wheel")
    name = build_wheel.build_wheel(str(folder), {"built-dir": str(built)})
    again = build_wheel.build_wheel(str(folder), {"built-dir": str(built)})
    assert name == again and name.startswith(f"artel-{artel.__version__}-cp3")
    return zipfile.ZipFile(folder / name)


def test_wheel_holds_the_package(wheel, root):
    names = wheel.namelist()
    info = f"artel-{artel.__version__}.dist-info"
    assert {name.split("/")[0] for name in names} == {"artel", info}
    for file in (root / "python/artel").rglob("*"):
        if file.suffix in (".py", ".pyi", ".csv", ".typed"):
            assert f"artel/{file.relative_to(root / 'python/artel').as_posix()}" in names
    assert sum(name.endswith(".so") for name in names) == 2
    assert b"Name: artel" in wheel.read(f"{info}/METADATA")


def test_record_is_right(wheel):
    record = next(name for name in wheel.namelist() if name.endswith("RECORD"))
    rows = list(csv.reader(io.StringIO(wheel.read(record).decode())))
    assert sorted(row[0] for row in rows) == sorted(wheel.namelist())
    for name, digest, size in rows:
        if name == record:
            continue
        data = wheel.read(name)
        assert int(size) == len(data)
        assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
