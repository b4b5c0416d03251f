"""What `help` says is what the stub says, of everything that there is."""

import ast
import inspect
import pathlib

import pytest

import starsplit
from starsplit import _native

STUB = ast.parse(pathlib.Path(starsplit.__file__).with_name("_native.pyi").read_text())


def documented():
    """Each thing of the stub by its dotted name, with its docstring."""
    for outer in STUB.body:
        if isinstance(outer, (ast.ClassDef, ast.FunctionDef)):
            yield outer.name, ast.get_docstring(outer)
        for inner in getattr(outer, "body", ()):
            if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
                yield f"{outer.name}.{inner.name}", ast.get_docstring(inner)


@pytest.mark.parametrize(("name", "text"), list(documented()))
def test_help_says_what_the_stub_says(name, text):
    thing = _native
    for part in name.split("."):
        thing = getattr(thing, part)
    assert text and " ".join(inspect.getdoc(thing).split()) == " ".join(text.split())


def test_the_stub_lacks_nothing():
    names = {name for name, _ in documented()}
    for name, thing in vars(_native).items():
        if name.startswith("_") or not (inspect.isclass(thing) or inspect.isbuiltin(thing)):
            continue
        assert name in names
        for inner in vars(thing) if inspect.isclass(thing) and name != "SearchError" else ():
            assert inner.startswith("_") or f"{name}.{inner}" in names


@pytest.mark.parametrize("name", [name for name in starsplit.__all__ if not name.startswith("_")])
def test_everything_explains_itself(name):
    assert inspect.getdoc(getattr(starsplit, name))


def test_options_are_listed_and_misspelt_ones_answered_with_the_nearest():
    options = starsplit.options()
    assert options["ordering"].startswith("Order in which the moves") and "rank_root_moves" in options
    assert options["ordering"].endswith("Values: paper, static, hybrid or auto; default: auto.")
    searcher = starsplit.Searcher(starsplit.Game("pig"))
    for name, text in options.items():
        assert text and name.isidentifier()
    with pytest.raises(ValueError, match="option ordring: expected one that the library has, such as ordering"):
        searcher.set("ordring", "static")
