"""A second Ctrl-C: it ends the functions in Python that a search is in."""

import ctypes
import sys


def interrupt_callbacks(threads):
    """Raises KeyboardInterrupt in the functions that these threads are in, at their next step in Python.

    One that waits outside of Python, as `time.sleep` does, ends when that comes back.
    """
    for thread in threads & sys._current_frames().keys():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(KeyboardInterrupt))
