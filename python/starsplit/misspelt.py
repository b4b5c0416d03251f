"""Names of methods that were meant as those of a game."""

import difflib
import itertools
from types import FunctionType
from typing import Any

#: What other libraries call the methods of a game, in small letters without underscores.
ELSEWHERE = {
    "kind": ("isterminal", "ischancenode", "isover", "isgameover", "gameover"),
    "player": ("currentplayer", "getcurrentplayer", "tomove", "toplay", "whoseturn"),
    "moves": ("legalactions", "legalmoves", "possiblemoves", "actions", "getvalidmoves", "getlegalmoves"),
    "play": ("applyaction", "makemove", "child", "nextstate", "getnextstate", "apply"),
    "outcomes": ("chanceoutcomes",),
    "resolve": ("applyoutcome", "applyaction", "child"),
    "value": ("returns", "utility", "result", "payoff"),
    "evaluate": ("evaluation", "evaluationfunction", "evaluatestate", "evaluatestates", "valuefunction"),
    "reward": ("rewards",),
    "full_depth": ("maxgamelength",),
}

#: Words that a slip makes of other words.
WORDS = {"payer", "evacuate"}

#: Whose absence nobody notices, since games have one all the same: only there a name that is nearly theirs is refused.
SILENT = ("player", "evaluate", "reward", "full_depth")


def meant_as(game: Any, base: type, method: str) -> str | None:
    """The method of a game's own classes that was meant as this one, which it lacks, by all that its name tells; None
    where there is none. Names that begin with an underscore are nobody's but the game's."""
    return next((name for name in _own(game, base) if is_meant(name, method)), None)


def nearest(game: Any, base: type, method: str) -> str | None:
    """The same where the game cannot be searched without it: also one whose name is like this one's."""
    likely = difflib.get_close_matches(method, list(_own(game, base)), 1, 0.7)
    return meant_as(game, base, method) or next(iter(likely), None)


def _own(game, base):
    """The functions that the classes of a game define, but for those that every game has."""
    for own in type(game).__mro__:
        if own in (base, object):
            continue
        for name, thing in vars(own).items():
            thing = getattr(thing, "__func__", thing)
            if isinstance(thing, FunctionType) and not name.startswith("_") and not hasattr(base, name):
                yield name


def is_meant(name: str, method: str) -> bool:
    """Whether a name is another's for this method, or is mistyped: but for capitals and underscores it has two letters in
    turned order, or one within it is missing, doubled or, of eight or more, another. A change at either end makes other
    words, as in `players`."""
    plain, meant = _plain(name), _plain(method)
    return plain == meant or plain in ELSEWHERE.get(method, ()) or plain in _slips(meant)


def _plain(name):
    return name.replace("_", "").lower()


def _slips(word):
    """What a slip makes of a word."""
    inner = range(1, len(word) - 1)
    turned = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
    missing = {word[:at] + word[at + 1 :] for at in inner}
    doubled = {word[: at + 1] + word[at:] for at in inner}
    letters = "abcdefghijklmnopqrstuvwxyz" if len(word) >= 8 else ""
    other = {word[:at] + letter + word[at + 1 :] for at, letter in itertools.product(inner, letters)}
    return (turned | missing | doubled | other) - {word} - WORDS
