"""A second Ctrl-C: it ends the functions in Python that a search is in."""

import ctypes
import sys
import threading


def interrupt_callbacks():
    """Raises KeyboardInterrupt in all functions that threads of searches are in, at their next step in Python.

    Such threads are those that Python has not started itself. One that waits outside of Python, as `time.sleep` does, ends
    when that comes back.
    """
    started = {thread.ident for thread in threading.enumerate() if not isinstance(thread, threading._DummyThread)}
    for ident in sys._current_frames().keys() - started:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(KeyboardInterrupt))
