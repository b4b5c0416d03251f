"""`python -m starsplit search --game einstein --depth 5 --json`"""

import argparse
import json
import sys

from . import Game, SearchError, Searcher, __version__, games


def _parser():
    parser = argparse.ArgumentParser(prog="python -m starsplit", description="Exact search of games with dice.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    search = commands.add_parser("search", help="search one position")
    search.add_argument("--game", default="dice", help="one of " + ", ".join(games()))
    search.add_argument("--rules", help="the game's rules, in its own words")
    search.add_argument("--position", help="in the game's notation; else the one in which the game begins")
    search.add_argument("--evaluator", help="one of the game's evaluators")
    search.add_argument("--depth", type=int, help="plies")
    search.add_argument("--nodes", type=int)
    search.add_argument("--seconds", type=float)
    search.add_argument("--threads", type=int, default=1)
    search.add_argument("--table-mib", type=int, default=64)
    search.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="any option of a search")
    search.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _search(asked):
    game = Game(asked.game, asked.rules)
    state = game.parse(asked.position) if asked.position is not None else game.new_initial_state()
    searcher = Searcher(game, evaluator=asked.evaluator, threads=asked.threads, table_mib=asked.table_mib)
    for option in asked.option:
        name, _, value = option.partition("=")
        searcher.set(name, value)
    told = None if asked.json else lambda iteration: print(iteration, file=sys.stderr)
    result = searcher.search(state, depth=asked.depth, nodes=asked.nodes, seconds=asked.seconds, on_iteration=told)
    if asked.json:
        print(json.dumps({"game": game.name, "rules": game.rules, "position": str(state), **result.to_dict()}))
    else:
        print(f"value {result.value} for the first player, best move {result.best_move}")


def main():
    """What the command does; the exit code."""
    try:
        _search(_parser().parse_args())
    except (ValueError, OverflowError, SearchError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
