"""What tells all of a value, for keys of states: the parts of which it consists."""

import dataclasses
import enum
import numbers
import sys
from collections import deque
from contextlib import nullcontext
from typing import Any

from .telling import shown

#: What the types that Python comes with contain, by their own methods, whatever a class that derives from them does.
_CONTENTS = {
    tuple: lambda part: tuple.__getitem__(part, slice(None)),
    list: lambda part: tuple(list.__iter__(part)),
    dict: lambda part: tuple(dict.items(part)),
    set: lambda part: frozenset(set.__iter__(part)),
    frozenset: lambda part: frozenset(frozenset.__iter__(part)),
    deque: lambda part: (tuple(deque.__iter__(part)), part.maxlen),
    str: str.__str__,
    bytes: lambda part: bytes.__getitem__(part, slice(None)),
    bytearray: bytes,
    int: lambda part: hex(int.__index__(part)),
    float: float.__float__,
}

#: Types that are values as they stand.
_PLAIN = (int, bool, float, str, bytes, type(None))

#: Texts in a repr that names an address, or has a tensor, whose numbers are rounded.
_TELLS_LESS = (" at 0x", "tensor(")


def contents_of(part: Any) -> Any:
    """What a part of a key consists of, its type aside: plain values, or a tuple of parts which are looked into in turn. Two
    of one type with the same contents are the same.

    A TypeError names what has a repr that does not tell all.
    """
    own, numpy = type(part), sys.modules.get("numpy")
    if isinstance(part, enum.Enum):
        return (part.value,)
    if dataclasses.is_dataclass(own):
        # Its class may add what is no field.
        is_whole = "__dataclass_fields__" in vars(own)
        return _fields(part) if is_whole else (*_fields(part), *_attributes(part))
    if numpy is not None and isinstance(part, (numpy.ndarray, numpy.generic)):
        return (*_array(part, numpy), *_attributes(part))
    for base, contents in _CONTENTS.items():
        if isinstance(part, base):
            return contents(part) if own is base else (contents(part), *_attributes(part))
    return _told(part, numpy)


def _fields(part):
    """The fields of a data class that it compares."""
    return tuple(getattr(part, field.name) for field in dataclasses.fields(part) if field.compare)


def _array(array, numpy):
    """What an array or a number of NumPy's consists of: its text rounds, and leaves out."""
    kind = str(array.dtype)
    if array.dtype.hasobject:
        return kind, array.shape, tuple(numpy.asarray(array).ravel().tolist())
    return kind, array.shape, array.tobytes()


def _attributes(part):
    """The attributes of an object, by name."""
    slots = {name for own in type(part).__mro__ for name in _slots(own) if hasattr(part, name)}
    return (*((name, getattr(part, name)) for name in sorted(slots)), *sorted(getattr(part, "__dict__", {}).items()))


def _slots(own):
    slots = vars(own).get("__slots__", ())
    return {slots} if isinstance(slots, str) else {*slots} - {"__dict__", "__weakref__"}


def _told(part, numpy):
    """The repr of what is trusted to tell all by it, with whatever values it has as attributes: many a repr is for people.
    Arrays within are written in full meanwhile."""
    expected = "expected plain values, or what has a repr that tells all of it; define key"
    if hasattr(type(part), "__array__"):
        raise TypeError(f"key {shown(part)}: {expected}")
    in_full = nullcontext() if numpy is None else numpy.printoptions(threshold=sys.maxsize, floatmode="unique")
    try:
        with in_full:
            text = repr(part)
    except RecursionError:
        raise TypeError(f"key {shown(part)}: {expected}") from None
    if any(less in text for less in _TELLS_LESS):
        raise TypeError(f"key {shown(text)}: {expected}")
    return text, *((name, value) for name, value in _attributes(part) if _is_value(value, numpy))


def _is_value(part, numpy, levels=8):
    """Whether something consists of numbers, texts, and arrays or containers of them; not of others' objects, which may lead
    anywhere."""
    if isinstance(part, (*_PLAIN, bytearray, numbers.Number, enum.Enum)):
        return True
    if numpy is not None and isinstance(part, (numpy.ndarray, numpy.generic)):
        return not part.dtype.hasobject
    parts = part.items() if isinstance(part, dict) else part
    is_list = isinstance(part, (tuple, list, set, frozenset, deque, dict))
    return is_list and levels > 0 and all(_is_value(each, numpy, levels - 1) for each in parts)
