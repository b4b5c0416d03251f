import builtins
from collections.abc import Callable, Sequence
from typing import Any, Literal, final

__all__ = [
    "SearchError",
    "Bench",
    "cost_models",
    "end_searches",
    "fingerprint",
    "forget_searches",
    "key_hash",
    "median_interval",
    "Game",
    "games",
    "Handle",
    "Plan",
    "Expectation",
    "Outcome",
    "SearchResult",
    "Searcher",
    "options",
    "tree_page",
    "State",
    "MAX_DEPTH",
    "MAX_THREADS",
    "__version__",
]

__version__: str
MAX_DEPTH: int
MAX_THREADS: int

class SearchError(RuntimeError):
    """A search could not be done."""

def options() -> dict[str, str]:
    """The options of a `Searcher` by name, each with what it does and the values that it takes."""

def tree_page(trees: list[str]) -> str:
    """The page over trees side by side, each as JSON lines."""

def games() -> list[str]:
    """The names of the library's games."""

def end_searches() -> bool:
    """Stops all searches, and waits until those who are away are back or stay away: the interpreter may go now. Whether
    they are; it waits for five seconds at the most."""

def forget_searches() -> None:
    """In a process that has been forked nobody else is away, and no search goes on."""

def median_interval(samples: Sequence[float]) -> tuple[float, float] | None:
    """The 95% percentile-bootstrap interval of the median, as reports have it; None of fewer than six samples."""

def key_hash(state: Any, key: Any) -> str:
    """The hash of a key of a state by itself, in hexadecimal."""

@final
class Game:
    """A game under its rules: `Game("einstein", "size=5,stones=6")`; its usual rules without the second."""

    def __new__(cls, name: str, rules: str | None = None) -> Game: ...
    @staticmethod
    def _of(object: Any, name: str, range: tuple[float, float], traits: dict[str, Any]) -> Game: ...
    @property
    def name(self) -> str:
        """Its name among the library's games, or that of the class that describes it in Python."""
    @property
    def rules(self) -> str | None:
        """In full; None for a game written in Python."""
    @property
    def value_range(self) -> tuple[float, float]:
        """The least and the greatest value, for player 0."""
    @property
    def evaluators(self) -> list[str]:
        """The names of its evaluators, the usual one first."""
    @property
    def feature_count(self) -> int:
        """How many features a state has, for `evaluating_searcher`."""
    def new_initial_state(self) -> State:
        """The state in which the game begins."""
    def parse(self, text: str) -> State:
        """The state that a text in the game's notation describes. A `UserWarning` tells what the text says
        beyond it and the game does not use, such as an XGID's cube and score."""
    def match_positions(self, text: str) -> list[State]:
        """The states in which a player moves checkers in a match, the text of a .mat or .sgf file; nothing of the cube."""
    def state(self, object: Any) -> State:
        """A state of a game written in Python."""
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: Any) -> Game: ...
    def __eq__(self, other: builtins.object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class State:
    """A state of a game. Actions are the places of moves, or of outcomes at chance nodes, in the game's order."""

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
    def is_chance_node(self) -> bool:
        """Whether chance is next."""
    def current_player(self) -> int:
        """0 or 1; -1 at chance nodes, -4 at the end."""
    def legal_actions(self) -> list[int]:
        """The actions that there are, from 0 on."""
    def action_to_string(self, action: int) -> str:
        """A move or an outcome in the game's words."""
    def string_to_action(self, text: str) -> int:
        """The action that is so written, or meant: moves and rolls are read as `play` reads them."""
    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Outcomes with their probabilities."""
    def chance_weights(self) -> list[tuple[int, int]]:
        """Outcomes with their exact weights: a probability is a weight over the sum of all."""
    def apply_action(self, action: int) -> None:
        """Goes on by an action."""
    def child(self, action: int) -> State:
        """The state after an action; this one stays."""
    def clone(self) -> State:
        """The same state, to be played apart from this one."""
    def returns(self) -> list[float]:
        """What each player has so far, and at the end."""
    @property
    def game(self) -> Game:
        """The game."""
    @property
    def object(self) -> Any:
        """The state of a game written in Python; None for others."""
    def formats(self) -> dict[str, str]:
        """The state as other programs write it, each form by its name, such as "xgid"; `Game.parse` reads them."""
    def drawing(self) -> str:
        """As a person wants to see it."""
    def features(self) -> list[float]:
        """The inputs of the game's own network, as `evaluating_searcher` gives them: what the state is like to whoever's turn
        it is, `game.feature_count` numbers. `games/weights/README.md` tells what they are."""
    @staticmethod
    def _restored(game: Game, text: str, so_far: float, action: int | None) -> State: ...
    def __eq__(self, other: builtins.object, /) -> bool: ...
    def __copy__(self) -> State: ...
    def __deepcopy__(self, _memo: Any) -> State: ...
    def __hash__(self) -> int: ...

@final
class SearchResult:
    """The answer of a search, or of an iteration. Values are in the game's units, for player 0."""

    @property
    def depth(self) -> int:
        """Of the last completed iteration, in plies; 0 where none was."""
    @property
    def value(self) -> float:
        """The value at that depth; where it is not exact, the middle of the bounds; nan where no iteration was completed."""
    @property
    def bounds(self) -> tuple[float, float]:
        """What is proven of the value."""
    @property
    def score(self) -> tuple[int, int]:
        """The bounds in steps of the game's grid: what to compare."""
    @property
    def is_exact(self) -> bool:
        """Whether the value is known exactly: it is wherever an iteration was completed."""
    @property
    def contradictions(self) -> int:
        """How many proofs contradicted each other. Unless it is 0 the game's keys, its rules or its evaluation break the
        contract, and the value may be wrong; 0 proves nothing."""
    @property
    def best_move(self) -> str | None:
        """The best move in the game's words; None at chance nodes."""
    @property
    def best_action(self) -> int | None:
        """The same as an action."""
    @property
    def line(self) -> list[str]:
        """The principal line: best moves, and the likeliest outcomes."""
    @property
    def ranked_moves(self) -> list[tuple[str, float]]:
        """With the option `rank_root_moves=3`, the three best moves with their values, best first; all with `True`."""
    @property
    def nodes(self) -> int:
        """How many nodes were visited, over all iterations and threads."""
    @property
    def evaluations(self) -> int:
        """How many evaluations were made."""
    @property
    def batches(self) -> tuple[int, float]:
        """How many calls were for more than one position, and which part of `batch` they filled in the mean. Of a game
        written in Python, states in them that have been evaluated before are left out of what `evaluate` is given."""
    @property
    def seconds(self) -> float:
        """Wall time."""
    @property
    def had_helpers(self) -> bool:
        """Whether other threads were called. Not to a search that is over soon, nor while another search has them."""
    @property
    def waited(self) -> float:
        """How many seconds another search had the threads when this one wanted them. It searched alone meanwhile."""
    @property
    def assumed(self) -> list[str]:
        """The prices that the search took for granted, since nobody declared them: `costs`, `successor_cost`,
        `fixed_ns`, `each_ns`. Declared as measured, they may save most of its time. Empty for an iteration."""
    @property
    def stopped_by(self) -> str | None:
        """"depth", "nodes", "time" or "stop"; None for an iteration."""
    @property
    def tree(self) -> str | None:
        """The tree of the last iteration as JSON lines, with the option `tree_nodes=20000`; None without, and for an
        iteration. `SearchTree` reads it."""
    def to_dict(self) -> dict[str, Any]:
        """All of it by name."""
    @staticmethod
    def _restored(fields: Any) -> SearchResult: ...
    def __copy__(self) -> SearchResult: ...
    def __deepcopy__(self, _memo: Any) -> SearchResult: ...
    def __eq__(self, other: builtins.object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Handle:
    """A search under way, as other threads see it: `searcher.search(state, handle=handle)`. It is for one search."""

    def __new__(cls) -> Handle: ...
    @property
    def nodes(self) -> int:
        """The nodes of all threads so far."""
    @property
    def depth(self) -> int:
        """The depth of the iteration that goes on; 0 before the first."""
    @property
    def iteration(self) -> SearchResult | None:
        """The last completed iteration, with its best move, value and line."""
    def end_within(self, seconds: float | None) -> None:
        """Has the search end after so many more seconds, whatever its limit was; None takes its time limit away."""
    def stop(self) -> None:
        """Ends the search, or has it end before it begins."""

@final
class Expectation:
    """What the best play from a state leads to, on average."""

    @property
    def means(self) -> list[float]:
        """The mean of each number of the payload."""
    @property
    def rewards(self) -> float:
        """The mean of the rewards on the way, for player 0."""
    @property
    def value(self) -> float:
        """The state's value at that depth, for player 0."""
    @property
    def depth(self) -> int:
        """The depth."""
    @property
    def states(self) -> int:
        """The distinct states of the tree of best play, at their depths."""
    @property
    def nodes(self) -> int:
        """The nodes that finding its moves took, beside those of the search before it."""
    def to_dict(self) -> dict[str, Any]:
        """All of it by name."""
    @staticmethod
    def _restored(fields: Any) -> Expectation: ...
    def __copy__(self) -> Expectation: ...
    def __deepcopy__(self, _memo: Any) -> Expectation: ...
    def __eq__(self, other: builtins.object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Outcome:
    """An outcome of a chance node. Values are in the game's units, for player 0."""

    @property
    def outcome(self) -> str:
        """In the game's words."""
    @property
    def probability(self) -> float:
        """Its probability."""
    @property
    def depth(self) -> int:
        """The state's depth at which this is its value, the same for all outcomes; 0 where a limit ended the search before
        any."""
    @property
    def value(self) -> float:
        """The exact value; nan at depth 0."""
    @property
    def bounds(self) -> tuple[float, float]:
        """What is proven of the value."""
    @property
    def is_exact(self) -> bool:
        """Whether the value is known exactly: a limit may have ended the search before."""
    @property
    def line(self) -> list[str]:
        """The best play after it."""
    def to_dict(self) -> dict[str, Any]:
        """All of it by name."""
    @staticmethod
    def _restored(fields: Any) -> Outcome: ...
    def __copy__(self) -> Outcome: ...
    def __deepcopy__(self, _memo: Any) -> Outcome: ...
    def __eq__(self, other: builtins.object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Searcher:
    """A game with an evaluator, a transposition table, options and threads. What a search learns stays in the table for
    the next. Searches let other Python threads run, and Ctrl-C ends them.

    The table has 64 MiB where `table_mib` does not say otherwise, and 16 for a game written in Python.

    Options are those of the command line, with underscores: `rank_root_moves=3`, `lanes=16`, `ordering="static"`.
    """

    def __new__(
        cls,
        game: Game,
        *,
        evaluator: str | None = None,
        seed: int = 0,
        table_mib: int | None = None,
        threads: int = 1,
        **options: Any,
    ) -> Searcher: ...
    def set(self, option: str, value: Any) -> None:
        """Sets an option of later searches."""
    def search(
        self,
        state: State,
        *,
        depth: int | Literal["full"] | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        on_iteration: Callable[[SearchResult], Any] | None = None,
        root_moves: Sequence[str] | None = None,
        handle: Handle | None = None,
        **options: Any,
    ) -> SearchResult:
        """Searches until a limit is reached; a second where none is given. With `depth="full"` it searches to the end of
        the game, if that bounds its length, and evaluations only order moves. `on_iteration` is told each iteration; what it raises
        ends the search, and is raised here. With `root_moves`, texts of moves, the state is searched as if it had no
        others. `handle` shows the search to other threads. `options` are those of this search alone."""
    def outcomes(
        self,
        state: State,
        *,
        depth: int | Literal["full"] | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> list[Outcome]:
        """The outcomes of a chance node, each with its value and the best play after it; the mean of the values is the
        state's. Cheap after a search of the state itself."""
    def expectation(
        self,
        state: State,
        size: int,
        payload: Callable[[State], Sequence[float]],
        *,
        depth: int | Literal["full"] | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> Expectation | None:
        """Searches a state, and then finds what the best play from it leads to: the mean of each of `size` numbers that
        `payload` gives, as a list, of a leaf of its tree: a `State` at the end of the game or of the depth, of a game
        written in Python with the state itself as its `object`. At each decision it takes the first best move, so means are
        the same on any number of threads. None where a limit ended it; `seconds` are for each of both. A game that
        saturates has none."""
    def new_game(self) -> None:
        """Forgets what the table has learnt."""
    def stop(self) -> None:
        """Ends its searches, from any thread, and later ones before they begin, until `clear_stop`."""
    def clear_stop(self) -> None:
        """Lets searches begin again after `stop`."""
    @property
    def game(self) -> Game:
        """Its game."""
    def plan(
        self, state: State, depth: int, *, split_above: int | None = None, parts: int | None = None
    ) -> Plan:
        """A plan of a search to a depth, for workers elsewhere: see `starsplit.distributed`."""
    def work(self, state: State, task: str, *, seconds: float | None = None) -> str:
        """Does a task of a plan of this state; the answer. Where it is stopped, what is proven so far."""

@final
class Bench:
    """The searches that `starsplit.scaling` measures, each with a cleared table and without lanes, on the threads that it is
    told, or serially where it is told None. What comes of one is a dictionary: the numbers of a line of records, by the names
    in `experiments/schema/line.json`."""

    def __new__(cls, searcher: Searcher) -> Bench: ...
    def measure(self, state: State, depth: int, threads: int | None) -> dict[str, Any]:
        """A search in real time; `wall_ns` is in nanoseconds."""
    def simulate(
        self, state: State, depth: int, processors: int | None, costs: dict[str, int], seed: int
    ) -> dict[str, Any]:
        """A SIMULATED search in virtual time; `wall_ns` is in units of the costs. Of `simulated` it has what only the
        search knows."""
    def key_and_sign(self, state: State) -> tuple[str | None, int]:
        """What tells a state of a game written in Python from others, None of other games; and 1, or -1 where what is worth
        something to whoever's turn it is is worth the opposite to player 0."""
    def options_in_words(self) -> dict[str, Any]:
        """What records say of the options, and whether the method `can_be_simulated`."""

def cost_models() -> dict[str, dict[str, int]]:
    """What events cost on a virtual processor, by the model's name."""

def fingerprint(data: bytes) -> str:
    """A fingerprint as records have it: FNV-1a, 64 bits, hexadecimal."""

@final
class Plan:
    """A search as tasks, lines of text, and their answers, in any order, late, or twice."""

    def hand_out(self, limit: int = 1) -> list[str]:
        """Tasks that nobody has, the most useful first."""
    def lost(self, name: str) -> None:
        """The task of this name will not be answered: it is handed out again if it is still open."""
    def answer(self, line: str) -> tuple[list[str], list[tuple[str, str]], bool]:
        """Takes an answer: the names of tasks that matter no more, those that are narrower with how they are now, and
        whether the plan has ended."""
    @staticmethod
    def name_of(task: str) -> str:
        """A task's name."""
    @property
    def has_ended(self) -> bool:
        """Whether its value is known."""
    @property
    def progress(self) -> tuple[int, tuple[float, float]]:
        """The depth of the iteration under way, and what is proven of its value."""
    @property
    def found(self) -> tuple[int, float, tuple[int, int], str | None, int, int, int] | None:
        """Depth, value, score, best move, answers, nodes and contradictions, once it has ended."""
