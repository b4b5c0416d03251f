"""Folders of records as they are written: in the format of the lab (`experiments/schema`), so that
`starsplit.records` and the lab's `report` read them. What each worker of a search did is left out."""

import functools
import json
import os
import platform
import sys
import zlib
from datetime import datetime, timezone
from pathlib import Path

from . import _native
from . import records

try:
    import fcntl
except ImportError:  # where there are no such locks
    fcntl = None

#: The version of the format.
SCHEMA = 6

SAMPLES = "samples.jsonl"
META = "meta.json"


class Recording:
    """The lines of one experiment, in a folder or, without one, in memory alone. Lines are only ever added.

    `settings` is what every line depends on. Records with others, and those of another build or machine, are
    refused with a ValueError that names the first thing that differs."""

    def __init__(self, folder, experiment, game, settings):
        self.folder = None if folder is None else Path(folder)
        self.lines = []
        self._file = None
        of = {"schema": SCHEMA, "experiment": experiment, "game": game, "revision": None}
        self._meta = {**of, **_here(), "settings": settings}
        self._is_told = False
        if self.folder is not None:
            self._open()

    def _open(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        if (self.folder / records.ARCHIVE).exists():
            raise ValueError(f"folder {str(self.folder)!r}: expected records that are not sealed")
        self._file = open(self.folder / SAMPLES, "a+b")
        try:
            _lock(self._file, self.folder)
            if (self.folder / META).exists():
                self._go_on()
            elif self._file.tell() > 0:
                raise ValueError(f"folder {str(self.folder)!r}: expected a {META} beside its {SAMPLES}")
        except BaseException:
            self.close()
            raise

    def _go_on(self):
        try:
            earlier = records.read_meta((self.folder / META).read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"folder {str(self.folder)!r}: expected its {META} as it was written ({error})") from None
        _check_same(self.folder, earlier, self._meta)
        self._cut_half_line()
        self.lines = list(records.lines(self.folder))
        resumption = {name: self._meta[name] for name in ("started", "program", "machine")}
        self._meta = {**earlier, "resumed": [*earlier.get("resumed", []), resumption]}

    def _cut_half_line(self):
        """Cuts off what a killed run may have left of a line."""
        self._file.seek(0)
        whole = self._file.read().rfind(b"\n") + 1
        self._file.truncate(whole)

    def keep(self, count):
        """Cuts off all but the first `count` lines."""
        del self.lines[count:]
        if self._file is not None:
            self._file.seek(0)
            length = sum(len(self._file.readline()) for _ in range(count))
            self._file.truncate(length)

    def plan(self, positions, lines):
        """Says that there are to be lines of so many positions, and so many lines."""
        self._meta["planned"] = {"positions": positions, "lines": lines}

    def add(self, line):
        """Adds a line, and with the first one says in `meta.json` who adds it."""
        self.lines.append(line)
        if self._file is None:
            return
        if not self._is_told:
            _write_meta(self.folder / META, self._meta)
            self._is_told = True
        self._file.write(_text_of(line, len(self.lines)))
        self._file.flush()

    def close(self):
        """Lets others write to the folder."""
        if self._file is not None:
            self._file.close()


def _text_of(line, number):
    """A line as it is written, with its number and its checksum."""
    own = json.dumps({**line, "line": number}, ensure_ascii=False, separators=(",", ":"))[:-1].encode()
    return own + b',"crc32":"%08x"}\n' % zlib.crc32(own)


def _write_meta(path, meta):
    """Writes `meta.json` with its checksum, whole or not at all."""
    own = {name: value for name, value in meta.items() if name != "crc32"}
    sorted_text = json.dumps(own, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    own["crc32"] = f"{zlib.crc32(sorted_text.encode()):08x}"
    new = path.with_suffix(".new")
    new.write_text(json.dumps(own, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    new.replace(path)


def _check_same(folder, theirs, own):
    parts = [("experiment", name, theirs.get(name), own[name]) for name in ("schema", "experiment", "game")]
    asked = theirs.get("settings", {})
    parts += [("settings", name, asked.get(name), value) for name, value in own["settings"].items()]
    build = "build_fnv1a"
    parts += [("build", "fingerprint", theirs.get("program", {}).get(build), own["program"][build])]
    machine = theirs.get("machine", {})
    parts += [("machine", name, machine.get(name), value) for name, value in own["machine"].items()]
    for part, name, found, expected in parts:
        if found != expected:
            differs = f"its {name} is {json.dumps(found)}, not {json.dumps(expected)}"
            text = f"folder {str(folder)!r}: expected records of the same {part} to go on with"
            raise ValueError(f"{text}: {differs:.300}")


def _lock(file, folder):
    """Keeps other runs from the folder."""
    if fcntl is None:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise ValueError(f"folder {str(folder)!r}: expected one that no other run is writing to") from None


def _here():
    """When, by what and where something is measured."""
    program = {
        "command": [Path(sys.argv[0]).name or "python", *sys.argv[1:]],
        "rustc": None,
        "build_fnv1a": _build(),
        "sources_fnv1a": None,
        "git": None,
    }
    machine = {
        "os": platform.system().lower(),
        "arch": platform.machine(),
        "cores": cores(),
        "cpu": _cpu(),
        "huge_pages": _huge_pages(),
    }
    started = datetime.now(timezone.utc).isoformat().replace("+00:00", "Z")
    return {"started": started, "program": program, "machine": machine}


@functools.cache
def _build():
    """The fingerprint of what does the searches."""
    return _native.fingerprint(Path(_native.__file__).read_bytes())


def cores():
    """How many threads the system runs at once for this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _cpu():
    """The first processor as Linux describes it; None elsewhere."""
    try:
        first = Path("/proc/cpuinfo").read_text().split("\n\n")[0]
    except OSError:
        return None
    pairs = [line.partition(":") for line in first.splitlines()]
    fields = {name.strip(): value.strip() for name, _, value in pairs}
    return {
        "name": fields.get("model name"),
        "family": fields.get("cpu family"),
        "model": fields.get("model"),
        "flags": fields.get("flags", fields.get("Features", "")).split(),
    }


def _huge_pages():
    """The choice that Linux marks with brackets: `madvise` of `always [madvise] never`."""
    try:
        text = Path("/sys/kernel/mm/transparent_hugepage/enabled").read_text()
    except OSError:
        return None
    return text.partition("[")[2].partition("]")[0] or None
