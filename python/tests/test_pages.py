"""Every block of Python on the pages runs, and prints what they show; so do the notebooks."""

import contextlib
import io
import re
import runpy

import pytest

PAGES = ["docs/python.md", "docs/coming-from/simpy-python.md", "python/README.md"]
NOTEBOOKS = ["size_a_fleet", "stale_information", "protocol_with_failures"]


def blocks(text):
    """Language and text of each block."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)


@pytest.mark.parametrize("page", PAGES)
def test_page(page, root):
    names, printed, ran = {"__name__": "page"}, "", 0
    for language, text in blocks((root / page).read_text()):
        if language == "python":
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile(text, page, "exec"), names)
            printed, ran = output.getvalue(), ran + 1
        elif language == "text":
            assert text == printed
    assert ran > 0


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook(name, root):
    path = root / "python/notebooks" / f"{name}.py"
    text = path.read_text()
    assert text.startswith("# %% [markdown]\n") and text.count("# %%\n") >= 3
    with contextlib.redirect_stdout(io.StringIO()):
        runpy.run_path(str(path))


def test_all_notebooks_are_tested(root):
    assert sorted(path.stem for path in (root / "python/notebooks").iterdir() if path.suffix == ".py") == sorted(NOTEBOOKS)
