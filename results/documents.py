#!/usr/bin/env python3
"""Makes what documents say of records, from templates: figures in documents, tables of answers, results/README.md.

    python3 results/documents.py           names what is otherwise, and whatever is not in order; exit code 0 if nothing is
    python3 results/documents.py --write   writes the documents anew
    python3 results/documents.py --selftest

It needs Python 3.11 and its standard library alone, and has none of the project's code.

A block of a document, or of a picture in docs/pictures, is what stands between <!-- figures NAME --> and <!-- end -->, within a paragraph or around whole lines.
The template of that name in results/quotes says what goes there, and results/manifest.toml which record answers which
question:

    [[block]]
    name = "two-threads"
    text = "{two.speedup_large_median:.2} times as fast"
    rows.two = { of = "current/scaling/xeon-m207-2/paper", method = "chance-split", processors = 2 }

`of` is the folder of a record below results, or several; a * in its last name stands for anything. `in` is the table: figures
by default, growth, samples (the raw lines), or a file of JSON, which is one row. Everything else is what stands in a column,
or one of what. In braces stands EXPRESSION:FORMAT. An expression has numbers, ROWS.COLUMN or ROWS.'COLUMN', + - * / < >,
brackets, and sum, min, max, mean, geomean, median, std, count, floor and ceil; a column of several rows is computed with row by
row. A format is any of + (a sign before what is not below zero), a comma (thousands apart) and .N (so many decimals). Whatever
comes from a table is computed again from the record's samples by recompute.py, and fails where it differs.
"""

import argparse
import fnmatch
import json
import math
import operator
import re
import sys
import tomllib

import recompute
from recompute import HOUSE, ROOT, deviation, geometric_mean, mean, median

# --- figures ---------------------------------------------------------------------------------------------------------

LEGAL = re.compile(r"[\w\s.+\-*/<>(),']*")
NAME = re.compile(r"\b([A-Za-z]\w*)\.(?:'([^']*)'|([A-Za-z_][\w.]*))")


class Each:
    """The numbers of a column: what is done to it is done to each, with one number or with another column's in their order."""

    def __init__(self, numbers):
        self.numbers = list(numbers)


def of_each(join):
    def joined(one, other):
        one, other = (side.numbers if isinstance(side, Each) else [side] for side in (one, other))
        longer = max(len(one), len(other))
        if {len(one), len(other)} - {1, longer}:
            raise ValueError(f"columns of {len(one)} and {len(other)} rows")
        return Each(map(join, one * (longer // len(one)), other * (longer // len(other))))

    return joined


Each.__neg__ = lambda own: 0 - own
for operation in ("add", "sub", "mul", "truediv", "lt", "gt"):
    join = of_each(getattr(operator, operation))
    setattr(Each, f"__{operation}__", join)
    setattr(Each, f"__r{operation}__", lambda own, other, join=join: join(other, own))


def over_all(function):
    """The function of all numbers of all its arguments."""
    return lambda *sides: function([one for side in sides for one in (side.numbers if isinstance(side, Each) else [side])])


FUNCTIONS = {name: over_all(of) for name, of in (("sum", sum), ("min", min), ("max", max), ("mean", mean), ("count", len), ("median", median),
                                                 ("geomean", geometric_mean), ("std", deviation))}
FUNCTIONS |= {name: over_all(lambda numbers, of=of: Each(map(of, numbers))) for name, of in (("floor", math.floor), ("ceil", math.ceil))}


def flat(value, place=""):
    """Numbers, texts and truths by their places, such as table.hits; iterations of a search by their depths."""
    if isinstance(value, dict):
        inner = value.items()
    elif place == "iterations":
        inner = ((step["depth"], step) for step in value)
    elif isinstance(value, list):
        inner = enumerate(value)
    else:
        return {} if value is None else {place: value if isinstance(value, str) else json.dumps(value)}
    found = {}
    for name, part in inner:
        found |= flat(part, f"{place}.{name}" if place else str(name))
    return found


@recompute.kept
def source(folder, table):
    """The rows of a table, of the samples themselves, or of a file of JSON, each with its number."""
    if table == "samples":
        return list(enumerate(map(flat, recompute.RECORDS.all_lines(folder))))
    if table.endswith(".json"):
        return [(0, flat(recompute.RECORDS.json(f"{folder}/{table}")))]
    return list(enumerate(recompute.RECORDS.table(folder, table)))


def folders_of(name):
    return [folder for folder in recompute.RECORDS.named("figures.csv") if fnmatch.fnmatchcase(folder, name)] if "*" in name else [name]


class Template:
    """A text whose figures stand in braces as EXPRESSION:FORMAT, of rows by their names."""

    def __init__(self, where, text, rows):
        self.where, self.text, self.rows, self.faults = where, text, rows, []

    def column(self, name, column):
        """The numbers of a column. What comes from a table is recomputed; what differs is written down."""
        wanted = dict(self.rows[name])
        names, table = wanted.pop("of"), wanted.pop("in", "figures")
        text = lambda cell: json.dumps(cell) if isinstance(cell, bool) else str(cell)
        wanted = {key: [text(cell) for cell in (cells if isinstance(cells, list) else [cells])] for key, cells in wanted.items()}
        found = []
        for folder in (one for name in ([names] if isinstance(names, str) else names) for one in folders_of(name)):
            rows = [(n, row) for n, row in source(folder, table) if all(row.get(key, "") in cells for key, cells in wanted.items())]
            if not rows:
                raise LookupError(f"no such row in {folder}/{table}")
            found += [float(row[column]) for _, row in rows]
            if table in ("figures", "growth"):
                if not recompute.is_recomputed(rows[0][1], column):
                    raise LookupError(f"{column}, which is not recomputed")
                self.faults += filter(None, (recompute.differing(folder, table, n, column) for n, _ in rows))
        return Each(found)

    def figure(self, inner):
        expression, _, form = inner.partition(":")
        if not LEGAL.fullmatch(expression):
            raise ValueError(f"not an expression: {expression}")
        code = NAME.sub(lambda found: f"column({found[1]!r}, {found[2] or found[3]!r})", expression)
        value = eval(code.strip(), {"__builtins__": {}, "column": self.column, **FUNCTIONS})
        (value,) = value.numbers if isinstance(value, Each) else [value]
        digits = f"{abs(value):{',' if ',' in form else ''}.{form.partition('.')[2] or 0}f}"
        is_below = value < 0 and re.search("[1-9]", digits)
        return ("-" if is_below else "+" if "+" in form else "") + digits

    def made(self):
        """The text with its figures; none where one is not to be had."""
        try:
            text = re.sub(r"(?<!\{)\{([^{}]+)\}(?!\})", lambda found: self.figure(found[1]), self.text)
        except (ArithmeticError, LookupError, OSError, SyntaxError, TypeError, ValueError) as error:
            self.faults.append(f"{self.where}: {type(error).__name__}: {error}")
            return None
        return text.replace("{{", "{").replace("}}", "}")


# --- blocks ----------------------------------------------------------------------------------------------------------

BLOCK = re.compile(r"(<!-- figures ([a-z0-9-]+) -->)(.*?)(<!-- end -->)", re.DOTALL)


def laid_out(old, new):
    """The new words with the spaces between the old ones, where these are as many; else as the template has them."""
    inner = old.strip()
    before, _, after = old.partition(inner) if inner else ("\n", "", "\n") if "\n" in old else ("", "", "")
    words, spaces = new.split(), re.findall(r"\s+", inner)
    if len(spaces) + 1 != len(words):
        return before + new.strip() + after
    return before + "".join(one for pair in zip(words, [*spaces, ""]) for one in pair) + after


def with_blocks(document, text, templates):
    """The document with its blocks filled, and what is wrong with it."""
    faults, left = [], dict(templates)

    def filled(found):
        template = left.pop(found[2], None)
        if template is None:
            faults.append(f"{document}: expected one template, and no other block, of the name {found[2]}")
            return found[0]
        made = template.made()
        faults.extend(template.faults)
        return found[1] + laid_out(found[3], made) + found[4] if made is not None else found[0]

    text = BLOCK.sub(filled, text)
    faults += [f"{document}: expected a block {name}" for name in left]
    if re.search("<!-- (figures|end)", BLOCK.sub("", text)):
        faults.append(f"{document}: expected marks of blocks in pairs")
    return text, faults


# --- answers ---------------------------------------------------------------------------------------------------------

BEGIN, END = "<!-- answers: made by results/documents.py from results/manifest.toml -->", "<!-- /answers -->"
IN_README = 4


def read_manifest():
    """The manifest with its answers filled, and what is wrong with them."""
    manifest, faults = tomllib.loads(recompute.RECORDS.text("manifest.toml")), []
    for asked in manifest["question"]:
        asked["evidence"] = evidence(asked)
        for place, key in ((asked, "answer"), *((one, "shows") for one in asked["current"])):
            template = Template(f"results/manifest.toml: {asked['name']}", place[key], asked.get("rows", {}))
            place[key] = template.made() or ""
            faults += template.faults
            if not place[key].strip() or set("\n|") & set(place[key]):
                faults.append(f"{template.where}: expected a line of text without |, not {place[key]!r}")
    return manifest, faults


def evidence(asked):
    """The records that an answer's figures are of; where it has none, those of its question."""
    of = [asked["rows"][found[1]]["of"] for found in NAME.finditer(asked["answer"]) if found[1] in asked.get("rows", {})]
    named = [name for names in of for name in ([names] if isinstance(names, str) else names)]
    return sorted({"/".join(name.split("/")[:3]) for name in named}) or [one["folder"] for one in asked["current"]]


def retired(asked):
    return f" (retired; `{asked['retired']}` had it last)" if "retired" in asked else ""


def table(header, rows):
    return "".join(f"| {' | '.join(row)} |\n" for row in (header, *rows)).replace(" |\n", f" |\n|{'---|' * len(header)}\n", 1)


def answered(asked, house):
    """The answer with links to its records, which lie in `house` as seen from the document."""
    return f"{asked['answer']} ({', '.join(f'[record]({house}/{folder})' for folder in asked['evidence'])})"


def in_readme(manifest):
    return [one for one in manifest["question"] if one.get("in_readme")]


def few_answers(manifest):
    """The answers that README.md has."""
    return table(("question", "answer"), ((one["asks"], answered(one, "results")) for one in in_readme(manifest)))


def answers(manifest):
    """The answers to the questions that `run` asks, but for those that are set aside."""
    asked = [one for one in manifest["question"] if "spec" in one and not one.get("is_aside")]
    return table(("`run`", "question", "answer"), ((f"`{one['spec']}`{retired(one)}", one["asks"], answered(one, "../results")) for one in asked))


def with_answers(document, text, made):
    """The document with its table of answers, and what is wrong with it."""
    before, found, rest = text.partition(BEGIN + "\n")
    if not found or END not in rest:
        return text, [f"{document}: expected a line {BEGIN} and one {END} after it"]
    return before + BEGIN + "\n" + made + END + rest.partition(END)[2], []


def over_all(manifest):
    """The page over all records."""
    link = lambda record, text: f"[`{text}`]({record['folder']})"
    lines = lambda asked, of: "<br>".join(dict.fromkeys(of(one) for one in asked["current"]))
    shown, made = lambda one: f"{link(one, one['folder'].split('/')[-1])}: {one['shows']}", lambda one: f"`{one['command']}`"
    asked = ((f"`{one['name']}`{retired(one)}", one["asks"], one["answer"], lines(one, shown), lines(one, made)) for one in manifest["question"])
    return (
        f"# Results\n\n{manifest['about'].strip()}\n"
        f"\n## Questions\n\n{table(('name', 'asked', 'answer', 'folders', 'command'), asked)}"
        f"\n## Records of earlier code\n\nAll others are of revision `{manifest['last'][:8]}`.\n\n{earlier(manifest)}"
        "\nMade by `documents.py` from `manifest.toml`.\n"
    )


def earlier(manifest):
    """Which records are not of the last code, and why they were not made anew."""
    rows = []
    for asked, one in ((asked, one) for asked in manifest["question"] for one in asked["current"]):
        meta = recompute.RECORDS.meta(one["folder"])
        if meta["revision"] != manifest["last"]:
            rows.append((f"[`{one['folder'].removeprefix('current/')}`]({one['folder']})", f"`{meta['revision'][:8]}`", meta["started"][:10], reason(asked, one) or ""))
    return table(("record", "revision", "made", "why it was not made anew"), rows)


def reason(asked, one):
    """Why a record is of earlier code; none where the manifest does not say."""
    return one.get("kept") or ("Its settings are retired." if "retired" in asked else None)


# --- the order of the records ----------------------------------------------------------------------------------------

ALL_FILES, ALL_BYTES = 450, 18_000_000


def machine_name(machine):
    """Words of the processor's name, the number of its model where there is none among them, and how many there are."""
    cpu = machine.get("cpu") or {}
    words = lambda text: re.findall(r"[a-z0-9]+", text.lower())
    empty = {"intel", "amd", "r", "tm", "cpu", "processor", "core", "ghz"}
    found = [word for word in words((cpu.get("name") or "").split("@")[0]) if word not in empty]
    if not any(letter.isdigit() for word in found for letter in word):
        found += [f"m{word}" for word in words(cpu.get("model") or "")]
    return "-".join([*(found or words(machine.get("arch") or "unknown")), str(machine["cores"])])


def disorder(manifest):
    """What is not as it should be: folders and manifest disagree, records do not tell their revision or machine, or are large."""
    current = {one["folder"]: (asked, one) for asked in manifest["question"] for one in asked["current"]}
    named = [one["folder"] for asked in manifest["question"] for one in asked["current"]]
    # A machine may have a record for each game.
    records = lambda path: [path] if (path / "meta.json").exists() else [game for game in path.iterdir() if game.is_dir()] or [path]
    there = {one.relative_to(HOUSE).as_posix() for path in HOUSE.glob("current/*/*") for one in records(path)}
    yield from (f"{name} is named twice" for name in set(named) if named.count(name) > 1)
    yield from (f"{name} is not in the manifest" for name in sorted(there - set(named)))
    yield from (f"{name} is not there" for name in sorted(set(named) - there))
    for folder, (asked, one) in current.items():
        meta = recompute.RECORDS.meta(folder) if folder in there else {"revision": None}
        if folder.split("/")[:2] != ["current", asked["name"]]:
            yield f"{folder} is not current/{asked['name']}/<machine>"
        if "revision" not in meta:
            yield f"{folder} has no meta.json with a revision; seal it"
        elif (meta["revision"] != manifest["last"]) != bool(reason(asked, one)):
            yield f"{folder} is of {meta['revision']}, the last code {manifest['last']}: expected a reason, `kept`, where they differ, and none elsewhere"
        if "machine" in meta and folder.split("/")[2] != machine_name(meta["machine"]):
            yield f"{folder} was made on {machine_name(meta['machine'])}"
        if "spec" in asked and "retired" not in asked and not (ROOT / f"experiments/specs/{asked['spec']}.toml").exists():
            yield f"{asked['name']} is asked by a spec that there is not"
    if (marked := len(in_readme(manifest))) != IN_README:
        yield f"expected {IN_README} questions with in_readme, not {marked}"
    files = [path for of in ("*", "current/**/*", "quotes/*") for path in HOUSE.glob(of) if path.is_file()]
    loose = [path for path in files if path.match("samples.jsonl*") or path.suffix == ".csv"]
    yield from (f"{path.relative_to(HOUSE)} is not in an archive; seal its folder" for path in loose if "current" in path.parts)
    if len(files) > ALL_FILES:
        yield f"there are {len(files)} files, more than {ALL_FILES}"
    if (bytes := sum(path.stat().st_size for path in files)) > ALL_BYTES:
        yield f"all records have {bytes} bytes, more than {ALL_BYTES}"


# --- the test of the tester ------------------------------------------------------------------------------------------


def selftest():
    """Whether whatever is wrong is said."""
    rows = {"two": {"of": "current/compare/epyc-m2-2", "method": "both", "processors": 2}}
    of = lambda text, rows=rows: Template("it", text, rows)
    told = lambda template: template.made() or "; ".join(template.faults)
    total = recompute.RECORDS.table("current/compare/epyc-m2-2", "figures")[-1]["speedup_total"]
    positions = of("{two.positions} of {count(two.positions) + 1 / 2:+.1}, {-two.positions:,}, {{x}}")
    block = "a <!-- figures x -->1\n2<!-- end -->"
    asked = {"asks": "a", "answer": "1", "in_readme": True, "evidence": evidence({"answer": "{two.positions}", "rows": rows})}
    changed = recompute.Records(lambda name, text: text.replace(total, "9.876543210"))
    cases = [
        ("figures", told(positions), "50 of +1.5, -50, {x}"), ("a figure of a table", told(of("{two.speedup_total:.9}")), total),
        ("a column that there is not", told(of("{two.places}")), "KeyError: 'places'"),
        ("rows that there are not", told(of("{two.positions}", {"two": {**rows["two"], "processors": 9}})), "no such row"),
        ("a name that there is not", told(of("{three.positions}")), "KeyError: 'three'"),
        ("what is no expression", told(of("{two.positions; 1}")), "not an expression"),
        ("a column that is not recomputed", told(of("{two.residual_total}")), "not recomputed"),
        ("several numbers", told(of("{two.positions}", {"two": {**rows["two"], "processors": [1, 2]}})), "ValueError"),
        ("lines broken as they were", with_blocks("d", block, {"x": of("3 4")})[0], "a <!-- figures x -->3\n4<!-- end -->"),
        ("a block without a template", str(with_blocks("d", block, {})[1]), "no other block, of the name x"),
        ("a template without a block", str(with_blocks("d", "a", {"x": of("3")})[1]), "expected a block x"),
        ("a block that is there twice", str(with_blocks("d", block + block, {"x": of("3")})[1]), "expected one template"),
        ("a mark without its other one", str(with_blocks("d", block + "<!-- end -->", {"x": of("3")})[1]), "marks of blocks in pairs"),
        ("a folder that is not named", "; ".join(disorder({"question": []})), "current/compare/epyc-m2-2 is not in the manifest"),
        ("a record of earlier code without a reason", "; ".join(disorder({"last": "0", "question": [{"name": "compare", "current": [{"folder": "current/compare/epyc-m2-2"}]}]})), "expected a reason"),
        ("answers of README.md that are not four", "; ".join(disorder({"question": []})), "expected 4 questions with in_readme, not 0"),
        ("an answer's record", few_answers({"question": [asked]}), "| a | 1 ([record](results/current/compare/epyc-m2-2)) |"),
        ("a record of no figure", str(evidence({"answer": "yes", "current": [{"folder": "current/b/c"}]})), "['current/b/c']"),
        ("a table's place", with_answers("d", f"a\n{BEGIN}\nold{END}b", "new\n")[0], f"a\n{BEGIN}\nnew\n{END}b"),
        ("no place for a table", str(with_answers("d", END, "new")[1]), "d: expected a line <!-- answers"),
    ]
    recompute.use(changed)
    cases.append(("a figure of a table that is another", str((own := of("{two.speedup_total:.3}"), own.made(), own.faults)[2]), "is 9.876543210, not"))
    recompute.use(recompute.Records())
    fine = True
    for what, found, words in cases:
        fine &= words in found
        print(f"{'seen    ' if words in found else 'NOT SEEN'} {what}" + ("" if words in found else f": {words!r} in {found!r}"))
    return 0 if fine else 1


# --- the command -----------------------------------------------------------------------------------------------------


def documents():
    """Every document as it should be, by its name, and what is wrong with templates and records."""
    manifest, faults = read_manifest()
    faults += disorder(manifest)
    quotes = {}
    for path in sorted((HOUSE / "quotes").glob("*.toml")):
        file = tomllib.loads(recompute.RECORDS.text(f"quotes/{path.name}"))
        own = quotes.setdefault(file["document"], {})
        own |= {one["name"]: Template(f"{path.name}: {one['name']}", one["text"], one.get("rows", {})) for one in file["block"]}
    made = {"results/README.md": over_all(manifest)}
    for path in sorted((*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/pictures/*.svg"))):
        name = path.relative_to(ROOT).as_posix()
        made[name], wrong = with_blocks(name, recompute.RECORDS.text(f"../{name}"), quotes.pop(name, {}))
        faults += wrong
    faults += [f"{name}: expected a document" for name in quotes]
    for name, of in (("README.md", few_answers), ("docs/answers.md", answers)):
        made[name], wrong = with_answers(name, made.get(name, ""), of(manifest))
        faults += wrong
    return made, faults


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--write", action="store_true", help="write the documents anew")
    options.add_argument("--selftest", action="store_true", help="whether whatever is wrong is said")
    chosen = options.parse_args()
    if chosen.selftest:
        return selftest()
    made, faults = documents()
    for name, text in made.items():
        if text != recompute.RECORDS.text(f"../{name}"):
            if chosen.write:
                (ROOT / name).write_text(text)
                print(f"written {name}")
            else:
                faults.append(f"{name} is not what its templates and records make; results/documents.py --write makes it anew")
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
