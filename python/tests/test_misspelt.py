"""Methods of games that are called by nearly the right name, and helpers that are not."""

import pytest

import starsplit
from starsplit import PythonGame, python_game
from starsplit.misspelt import SILENT, is_meant


class Race(PythonGame):
    """Whoever is to move goes on by 1 or 2."""

    def kind(self, state):
        return "decision" if state < 4 else "terminal"

    def moves(self, state):
        return [1, 2]

    def play(self, state, move):
        return state + move

    def value(self, state):
        return state % 2


SLIPS = {
    "player": ["current_player", "currentPlayer", "get_current_player", "to_move", "plyer", "playr", "palyer", "Player", "plaayer"],
    "evaluate": ["evalute", "evaulate", "evaluaet", "evalaute", "evaliate", "evalluate", "Evaluate", "evaluation", "evaluate_states"],
    "reward": ["rewards", "reawrd", "rewrd", "Reward"],
    "full_depth": ["fulldepth", "fullDepth", "full_detph", "ful_depth", "full_deptj", "max_game_length"][:4],
}


@pytest.mark.parametrize(("method", "name"), [(method, name) for method, names in SLIPS.items() for name in names])
def test_a_misspelt_method_is_told(method, name):
    wrong = type("Wrong", (Race,), {name: lambda self, state: 0})
    with pytest.raises(TypeError, match=f"^game Wrong: expected a method {method}, or _{name}, not {name}$"):
        python_game(wrong())
    # Whoever has the right one, too, or hides this one, means something else.
    right = {method: lambda self, *_: 0}
    python_game(type("Right", (Race,), {name: lambda self, state: 0, **right})())
    python_game(type("Right", (Race,), {f"_{name}": lambda self, state: 0})())


#: What games call their helpers, and what they keep.
HELPERS = """
    players played layer prayer payer replay display play_out move make undo apply step reset clone copy copied children parent
    winner is_won is_over is_final score scores scored points board board_text size width height neighbours legal count counts
    kinds find bind mind hind test next texts context tests text_of keys hey hash key_of state_key canonical symmetries
    value_of values valued evil valuate evaluated evaluates evaluator evaluators evaluate_one_board evacuate devalue
    reward_of rewarded rewarding reword forward regard toward steward award onward outcome outcome_of income rolls roll dice
    dices resolved solve solved resolver depth depths depth_of full full_house height_of low_of high_of pass_turn turn turns
    opponent other other_player enemy swap flip rotate encode decode parse format draw show render log main run simulate random
    heuristic estimate estimates policy features network train load save start initial initial_state new_game setup best
    best_move actions utility result terminal chance decision is_terminal is_chance is_decision possible successors generate
    plies_of ply cost price costs_of name_of plays moves_of moved mover movers remove remover possible_rolls expectation
""".split()


def test_helpers_are_left_alone():
    for name in HELPERS:
        assert not [method for method in SILENT if is_meant(name, method)], name
    helpers = {name: lambda self, *_: None for name in HELPERS if not hasattr(PythonGame, name)}
    game = python_game(type("Helped", (Race,), {**helpers, "rewards": {}, "Player": type("Player", (), {})})())
    assert starsplit.search(game.state(0), depth=5).value == 1


@pytest.mark.parametrize(
    ("method", "name"),
    [("moves", "move"), ("moves", "legal_actions"), ("play", "apply_action"), ("value", "returns"), ("value", "valeu")],
)
def test_what_a_missing_method_was_called_is_told(method, name):
    class Bare(PythonGame):
        def kind(self, state):
            return Race.kind(self, state)

    methods = {needed: getattr(Race, needed) for needed in ("moves", "play", "value") if needed != method}
    wrong = type("Wrong", (Bare,), {**methods, name: getattr(Race, method)})
    with pytest.raises(NotImplementedError, match=f"^game Wrong: expected a method {method}, and found {name}"):
        starsplit.search(python_game(wrong()).state(0), depth=5)
