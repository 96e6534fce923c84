"""The stubs say what the modules have."""

import ast

import pytest

import artel
from artel import _artel, _sim, sim


def declared(path):
    tree = ast.parse(path.read_text())
    names = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names[node.name] = {each.name for each in node.body if isinstance(each, ast.FunctionDef)} | {
                each.target.id for each in node.body if isinstance(each, ast.AnnAssign)}
        elif isinstance(node, ast.FunctionDef):
            names[node.name] = None
        elif isinstance(node, ast.AnnAssign):
            names[node.target.id] = None
    return names


@pytest.mark.parametrize("module", [_artel, _sim], ids=["_artel", "_sim"])
def test_stub_and_module_agree(module, root):
    names = declared(root / "python/artel" / f"{module.__name__.rsplit('.')[-1]}.pyi")
    public = {name for name in dir(module) if not name.startswith("_")}
    assert public == set(names)
    for name, members in names.items():
        for member in members or ():
            assert hasattr(getattr(module, name), member), f"{name}.{member}"
        if members is not None:
            own = {each for each in vars(getattr(module, name)) if not each.startswith("_")}
            assert own <= members, f"{name}: the stub lacks {own - members}"



def test_everything_public_is_documented():
    for module in (artel, sim):
        for name in module.__all__:
            assert getattr(module, name).__doc__, name
