"""Functions in Python that a search is in when it has to end: at a second Ctrl-C, or with the program."""

import ctypes
import sys


def is_main_interpreter() -> bool:
    """Whether this is the process's first interpreter, with which the program ends."""
    try:
        # From 3.12 on the first that imports the package is the only one that can.
        import _xxsubinterpreters as interpreters
    except ImportError:
        return True
    return bool(interpreters.get_current() == interpreters.get_main())


def interrupt_callbacks(threads):
    """Raises KeyboardInterrupt in the functions that these threads are in, at their next step in Python.

    One that waits outside of Python, as `time.sleep` does, ends when that comes back.
    """
    for thread in threads & sys._current_frames().keys():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(KeyboardInterrupt))
