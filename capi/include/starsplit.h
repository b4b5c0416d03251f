// starsplit for C and C++: exact search of game trees with chance nodes, on any number of threads.
//
// Made of the sources by cbindgen; not to be changed by hand.
//
// Whatever can fail gives a status, STARSPLIT_OK or another, and says more in the starsplit_error that its
// last argument points to, which may be NULL. What it makes it leaves in its argument before that, which
// stays as it is where it fails. Handles are freed by the function that is named for them; NULL may be freed.
// Texts are UTF-8 and belong to the handle that they are asked of, unless it is said otherwise. All
// functions may be called from several threads at once, with the same handles too, but for freeing these.
// A search takes up to 1 MiB of the calling thread's stack, and otherwise has a thread of its own.

#ifndef STARSPLIT_H
#define STARSPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How many bytes a message has, its closing zero among them.
#define STARSPLIT_MESSAGE_SIZE 480

// A position is copied at every node. Those of at most so many bytes, of games without rewards and plies of
// their own, are copied fastest.
#define STARSPLIT_SMALL_POSITION 64

// The most bytes that a position may have.
#define STARSPLIT_LARGEST_POSITION 512

// The depth of a search to the end of the game, for games that bound their length: evaluations only order
// moves, and a result's depth is the plies that are left at the most.
#define STARSPLIT_TO_THE_END 4294967295

// The number of this interface. It changes where a program that was built for an earlier one would go wrong;
// what is merely added leaves it as it is.
//
// 2: a value beyond the range is an error where the game does not say that it saturates. 1 clamped it.
#define STARSPLIT_ABI_VERSION 2

// How a call ended.
typedef enum starsplit_status {
  // As asked.
  STARSPLIT_OK = 0,
  // An argument is not what it should be: the message names it, its value and what was expected.
  STARSPLIT_ERROR_ARGUMENT = 1,
  // The search could not be done: memory, threads, or a game that breaks its contract.
  STARSPLIT_ERROR_SEARCH = 2,
  // A function of the caller's failed; `callback_code` is what it gave.
  STARSPLIT_ERROR_CALLBACK = 3,
  // A fault of the library's own.
  STARSPLIT_ERROR_PANIC = 4,
} starsplit_status;

// What happens next at a position.
typedef enum starsplit_kind {
  // A player moves.
  STARSPLIT_DECISION = 0,
  // Chance has one of its outcomes.
  STARSPLIT_CHANCE = 1,
  // The game is over.
  STARSPLIT_TERMINAL = 2,
} starsplit_kind;

// Why a search ended.
typedef enum starsplit_ending {
  // It reached the depth asked for.
  STARSPLIT_BY_DEPTH = 0,
  // The limit of nodes was reached.
  STARSPLIT_BY_NODES = 1,
  // The limit of time was reached.
  STARSPLIT_BY_TIME = 2,
  // It was told to stop.
  STARSPLIT_BY_STOP = 3,
  // It goes on: this is one of its iterations.
  STARSPLIT_GOES_ON = 4,
} starsplit_ending;

// A game under its rules.
typedef struct starsplit_game starsplit_game;

// A search under way, as other threads see it.
typedef struct starsplit_handle starsplit_handle;

// The outcomes of a chance node, in the game's order.
typedef struct starsplit_outcomes starsplit_outcomes;

// A position of a game. It does not change.
typedef struct starsplit_position starsplit_position;

// What a search, or one iteration of it, answered.
typedef struct starsplit_result starsplit_result;

// A game with an evaluator, a transposition table, options and threads. What a search learns stays in the
// table for the next.
typedef struct starsplit_searcher starsplit_searcher;

// What went wrong. Set `size` to `sizeof(starsplit_error)` before a call; the rest is written where it
// fails.
typedef struct starsplit_error {
  // `sizeof(starsplit_error)`.
  size_t size;
  // What the call gave.
  enum starsplit_status status;
  // What the caller's function gave, for `STARSPLIT_ERROR_CALLBACK`; 0 for others.
  int32_t callback_code;
  // One line that says more, cut where it is longer.
  char message[STARSPLIT_MESSAGE_SIZE];
} starsplit_error;

// What a game says of a position. Values are in the game's units, as player 0 sees them.
typedef struct starsplit_node {
  // A `starsplit_kind`.
  uint32_t kind;
  // Whose position it is: the player who moves, 0 or 1. At chance nodes and at the end either will do, and
  // searches are cheapest where it changes seldom. Player 0 wants much, player 1 little.
  uint32_t player;
  // 128 bits that differ between positions, the player to move and what is pending among them: two
  // positions are taken for the same where all 128 are equal. In which bits hashes differ does not matter.
  uint64_t hash[2];
  // The value of a terminal position; not looked at elsewhere.
  double terminal_value;
  // How many plies can follow at the most, 0 where nobody knows.
  uint32_t full_depth;
} starsplit_node;

// An outcome of a chance node. Its probability is its weight over the sum of all weights.
typedef struct starsplit_outcome {
  // A number that `resolve` knows.
  uint32_t outcome;
  // At least 1; those of a node sum to less than 2^32.
  uint32_t weight;
} starsplit_outcome;

// A game: functions of positions, which are `position_size` bytes each, aligned as 16 bytes are, copied as
// bytes, never compared. Set what is not needed to 0 or NULL, as `starsplit_game_functions f = {.size =
// sizeof f, ...}` does.
//
// Each function is given `user`, as it was handed to `starsplit_game_define`. They are functions of their
// arguments alone; all threads of a search call them at once, and none may keep a pointer that it was given,
// jump out or throw. Those that give an `int` give 0, or any other number where they fail: the search then
// ends with `STARSPLIT_ERROR_CALLBACK` and this number.
typedef struct starsplit_game_functions {
  // `sizeof(starsplit_game_functions)`.
  size_t size;
  // The game's name, for messages; copied.
  const char *name;
  // A number that differs between rules under which a position has another value.
  uint64_t rules_identity;
  // A number that differs between evaluations that differ anywhere.
  uint64_t evaluator_identity;
  // How many bytes a position has, 1 to `STARSPLIT_LARGEST_POSITION`.
  size_t position_size;
  // The least value of the game, for player 0.
  double low;
  // The greatest value of the game, for player 0.
  double high;
  // Values are told apart in steps of half the range over this; 0 for the finest, 2^23 - 1.
  int32_t grid_limit;
  // By how many plies iterations deepen: 0 for 1; 2 where chance and decisions alternate strictly.
  uint32_t depth_step;
  // How many different numbers moves have, where they are small and "the same" move has the same number in
  // different positions: 0 to 2^20, 0 where they are not. Moves are tried in the order of what they were
  // worth.
  uint32_t move_slots;
  // What each call of `evaluate` costs however many positions it is for, in nanoseconds; a hint, from
  // which the search chooses whether to evaluate in batches.
  uint32_t evaluation_fixed_ns;
  // What each position costs beside that; 0 for 30.
  uint32_t evaluation_each_ns;
  // 1 where `evaluate` gives every position after a chance node's outcomes one value, as where the roll is
  // not looked at: then they are evaluated once, which saves most nodes.
  uint32_t evaluation_ignores_outcomes;
  // 1 where no outcome ever ends the game, so that the search need not look.
  uint32_t outcomes_never_end;
  // Describes a position. Called once for each that is made.
  int32_t (*describe)(void *user, const void *position, struct starsplit_node *node);
  // Writes the moves of a decision node to `moves`, at most `capacity` of them, in an order that depends
  // on the position alone. Gives how many there are, which may be more (it is called again with more
  // room), or a negative number where it fails.
  int32_t (*moves)(void *user, const void *position, uint32_t *moves, size_t capacity);
  // Writes the position after a move to `after`, which is all zeros.
  int32_t (*play)(void *user, const void *position, uint32_t mv, void *after);
  // Writes the outcomes of a chance node with their weights, the likeliest first; as `moves` does.
  int32_t (*outcomes)(void *user,
                      const void *position,
                      struct starsplit_outcome *outcomes,
                      size_t capacity);
  // Writes the position after an outcome to `after`, which is all zeros.
  int32_t (*resolve)(void *user, const void *position, uint32_t outcome, void *after);
  // Writes the static evaluation of each of `count` positions to `values`, for player 0: the same number
  // whatever the other positions are.
  int32_t (*evaluate)(void *user, const void *const *positions, size_t count, double *values);
  // Writes what a move, or an outcome at a chance node, pays player 0 at once, where there is anything
  // such.
  int32_t (*reward)(void *user,
                    const void *position,
                    uint32_t step,
                    const void *after,
                    double *reward);
  // Writes how many plies a move or an outcome takes, where that is not always 1. No chain of moves and
  // outcomes that take none may go on for ever.
  int32_t (*plies)(void *user,
                   const void *position,
                   uint32_t step,
                   const void *after,
                   uint32_t *plies);
  // 1 where values, evaluations and rewards beyond `low` and `high` are meant as these ends, and what a
  // reward makes of the value that follows it as well. With 0 a search that meets one ends with
  // `STARSPLIT_ERROR_SEARCH` and a message that names it.
  uint32_t saturates;
  // What a successor costs, with its share of `moves` or `outcomes`, in nanoseconds: a hint that may save
  // most of a search's time. 0 where it was not measured.
  uint32_t successor_ns;
} starsplit_game_functions;

// What a search found. Values are in the game's units, scores in steps of the grid, both as player 0 sees
// them.
typedef struct starsplit_summary {
  // `sizeof(starsplit_summary)`, to be set by the caller.
  size_t size;
  // The depth of the last completed iteration, in plies; 0 where none was completed.
  uint32_t depth;
  // Why it ended.
  enum starsplit_ending ending;
  // Whether the value is known exactly, to the last bit of the grid: it is wherever an iteration was
  // completed.
  bool is_exact;
  // The value at that depth; where it is not exact, the middle of the bounds; not a number at depth 0.
  double value;
  // What is proven of it.
  double lower;
  // What is proven of it.
  double upper;
  // The lower bound in steps of the grid: what to compare.
  int32_t lower_score;
  // The upper bound in steps of the grid.
  int32_t upper_score;
  // How many nodes were visited, over all iterations and threads.
  uint64_t nodes;
  // How many evaluations were made.
  uint64_t evaluations;
  // How many times evaluations were made in a batch, where they were.
  uint64_t batches;
  // Wall time in nanoseconds.
  uint64_t elapsed_ns;
  // How many moves are ranked: `starsplit_result_move` gives them.
  size_t move_count;
  // How many moves and outcomes the principal line has: `starsplit_result_step` gives them.
  size_t step_count;
  // How many proofs contradicted each other. Unless it is 0 a game's hashes, rules or evaluations break
  // the contract (or an option had searches reuse what is known of other depths), and the value may be
  // wrong; 0 proves nothing.
  uint64_t contradictions;
  // How long another search had the threads when this one wanted them, in nanoseconds; it searched alone
  // meanwhile.
  uint64_t waited_ns;
  // Whether other threads were called.
  bool had_helpers;
  // Whether the search took a price of evaluations for granted, since the game declares none.
  bool evaluation_assumed;
  // Whether it knew nothing of the price of successors, since the game declares none.
  bool successors_assumed;
} starsplit_summary;

// A move of the root with its own value.
typedef struct starsplit_ranked_move {
  // `sizeof(starsplit_ranked_move)`, to be set by the caller.
  size_t size;
  // In the game's words, which belong to the result; of a game of one's own its number, written out.
  const char *text;
  // Its value, reward included, for player 0.
  double value;
  // The same in steps of the grid.
  int32_t score;
} starsplit_ranked_move;

// Of what a searcher is made. Set what is to stay as it is to 0 or NULL.
typedef struct starsplit_settings {
  // `sizeof(starsplit_settings)`.
  size_t size;
  // The name of an evaluator that the game has, such as "network"; NULL for its usual one, and for a game
  // of one's own, which has one alone.
  const char *evaluator;
  // For evaluators that draw at random.
  uint64_t seed;
  // The size of the transposition table in MiB; 0 for 64.
  uint64_t table_mib;
  // How many threads search, 1 to 1,024; 0 for 1.
  uint32_t threads;
} starsplit_settings;

// How far a search may go; whatever ends first ends it. With all at 0 it takes a second.
typedef struct starsplit_limits {
  // `sizeof(starsplit_limits)`.
  size_t size;
  // Plies, 1 to 254, or `STARSPLIT_TO_THE_END`; 0 for no limit.
  uint32_t depth;
  // Nodes; 0 for no limit.
  uint64_t nodes;
  // Microseconds; 0 for no limit.
  uint64_t time_us;
} starsplit_limits;

// Told each iteration of a search as it is completed, on the thread that called the search. The result
// belongs to the search and ends with the call. 0 to go on; any other number ends the search with
// `STARSPLIT_ERROR_CALLBACK`.
typedef int32_t (*starsplit_on_iteration)(void *user, const struct starsplit_result *iteration);

// An option of one search, named and written as for `starsplit_searcher_set`.
typedef struct starsplit_option {
  // Its name, such as "rank-root-moves".
  const char *name;
  // Its value, such as "3".
  const char *value;
} starsplit_option;

// What a search is asked. Set what is not asked to 0 or NULL.
typedef struct starsplit_question {
  // `sizeof(starsplit_question)`.
  size_t size;
  // How far it may go; NULL for a second.
  const struct starsplit_limits *limits;
  // The root moves that are searched, as if there were no others, in the game's words (of a game of one's
  // own their numbers, written out); NULL for all.
  const char *const *root_moves;
  // How many they are.
  size_t root_move_count;
  // Options of this search alone.
  const struct starsplit_option *options;
  // How many they are.
  size_t option_count;
  // What shows the search to other threads. It is for one search.
  const struct starsplit_handle *handle;
  // Told each iteration.
  starsplit_on_iteration on_iteration;
  // What `on_iteration` is given.
  void *user;
} starsplit_question;

// An outcome of a chance node with its own value, as player 0 sees it.
typedef struct starsplit_valued_outcome {
  // `sizeof(starsplit_valued_outcome)`, to be set by the caller.
  size_t size;
  // In the game's words, which belong to the outcomes; of a game of one's own its number, written out.
  const char *text;
  // Its weight. Its probability is this by the sum of all.
  uint32_t weight;
  // Whether the value is known exactly: a limit may have ended the search before the first depth.
  bool is_exact;
  // The value, reward included; not a number where it is not exact.
  double value;
  // The position's depth at which this is its value, the same for all outcomes.
  uint32_t depth;
  // The lower bound in steps of the grid.
  int32_t lower_score;
  // The upper bound in steps of the grid.
  int32_t upper_score;
  // How many moves and outcomes the best play after it has: `starsplit_outcomes_step` gives them.
  size_t step_count;
} starsplit_valued_outcome;

// Writes the numbers of a leaf, all 0 before. The leaf belongs to the search and ends with the call. 0 to go
// on; any other number ends the search with `STARSPLIT_ERROR_CALLBACK`.
typedef int32_t (*starsplit_payload)(void *user,
                                     const struct starsplit_position *leaf,
                                     double *numbers);

// What the best play leads to, beside the means of a payload.
typedef struct starsplit_expectation {
  // `sizeof(starsplit_expectation)`, to be set by the caller.
  size_t size;
  // Whether all of the tree of best play was seen; where a limit or a stop ended it, nothing else is told.
  bool is_whole;
  // The depth.
  uint32_t depth;
  // The position's value at that depth, as player 0 sees it.
  double value;
  // The mean of the rewards on the way, as player 0 sees them.
  double rewards;
  // The distinct positions of the tree, at their depths.
  uint64_t positions;
  // The nodes that finding its moves took, beside those of the search before it.
  uint64_t nodes;
} starsplit_expectation;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// How many games the library has.
size_t starsplit_game_count(void);

// Opens a game that the library has: "dice", "pig", "einstein", "backgammon", "hyper-backgammon", "2048",
// "abalone". `rules` are in the game's own words, such as "size=5,stones=6"; NULL for its usual ones.
//
// # Safety
// The texts end with a zero, `game` may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_game_open(const char *name,
                                          const char *rules,
                                          struct starsplit_game **game,
                                          struct starsplit_error *error);

// Makes a game of the caller's functions, which have to live as long as the game and what is made of it.
// `user` is handed to each of them.
//
// # Safety
// The functions do what `starsplit_game_functions` asks of them, `game` may be written, `error` is NULL or
// has its size.
enum starsplit_status starsplit_game_define(const struct starsplit_game_functions *functions,
                                            void *user,
                                            struct starsplit_game **game,
                                            struct starsplit_error *error);

// The game's name.
//
// # Safety
// `game` is a game.
const char *starsplit_game_name(const struct starsplit_game *game);

// The least and the greatest value of the game, for player 0.
//
// # Safety
// `game` is a game, `low` and `high` are NULL or may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_game_range(const struct starsplit_game *game,
                                           double *low,
                                           double *high,
                                           struct starsplit_error *error);

// Frees a game. Positions and searchers of it live on.
//
// # Safety
// `game` is NULL or a game that is used no more.
void starsplit_game_free(struct starsplit_game *game);

// The position in which a game of the library's begins.
//
// # Safety
// `game` is a game, `position` may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_position_initial(const struct starsplit_game *game,
                                                 struct starsplit_position **position,
                                                 struct starsplit_error *error);

// The position of a game of the library's that a text describes, in the game's own notation or in another
// that it reads. What an XGID or a match ID says of cube, score and match is not used.
//
// # Safety
// `game` is a game, `notation` ends with a zero, `position` may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_position_parse(const struct starsplit_game *game,
                                               const char *notation,
                                               struct starsplit_position **position,
                                               struct starsplit_error *error);

// The position of this place, from 0 on, in a match of a game of the library's, as other programs write it:
// backgammon reads .mat and .sgf. The positions are those in which a player was to move, in their order;
// decisions about the stakes are left out. `count`, which may be NULL, is told how many there are. The text
// is read anew in each call.
//
// # Safety
// `game` is a game, `match_text` ends with a zero, `count` is NULL or may be written, `position` may be
// written, `error` is NULL or has its size.
enum starsplit_status starsplit_position_of_match(const struct starsplit_game *game,
                                                  const char *match_text,
                                                  size_t place,
                                                  size_t *count,
                                                  struct starsplit_position **position,
                                                  struct starsplit_error *error);

// A position of a game of one's own: its bytes, which are copied, described by the game.
//
// # Safety
// `game` is a game, `bytes` are as many as its positions have, `position` may be written, `error` is NULL or
// has its size.
enum starsplit_status starsplit_position_of_bytes(const struct starsplit_game *game,
                                                  const void *bytes,
                                                  struct starsplit_position **position,
                                                  struct starsplit_error *error);

// The position in the game's notation.
//
// # Safety
// `position` is NULL or a position.
const char *starsplit_position_text(const struct starsplit_position *position);

// The bytes of a position of a game of one's own, which live as long as the position; NULL for a game of the
// library's.
//
// # Safety
// `position` is NULL or a position.
const void *starsplit_position_bytes(const struct starsplit_position *position);

// The position as a person wants to see it, in several lines; NULL for a game of one's own.
//
// # Safety
// `position` is NULL or a position.
const char *starsplit_position_drawing(const struct starsplit_position *position);

// What happens next at the position; NULL counts as a finished game.
//
// # Safety
// `position` is NULL or a position.
enum starsplit_kind starsplit_position_kind(const struct starsplit_position *position);

// Who moves, at a decision node: 0 or 1.
//
// # Safety
// `position` is NULL or a position.
uint32_t starsplit_position_player(const struct starsplit_position *position);

// The value of a finished game for player 0, without the rewards on the way; 0 while it goes on.
//
// # Safety
// `position` is NULL or a position.
double starsplit_position_value(const struct starsplit_position *position);

// How many moves, or outcomes at a chance node, a position of a game of the library's has.
//
// # Safety
// `position` is a position, `count` may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_position_step_count(const struct starsplit_position *position,
                                                    size_t *count,
                                                    struct starsplit_error *error);

// The move or outcome of this place, from 0 on, in the game's words, which belong to the position; and its
// weight, which is 1 for moves.
//
// # Safety
// `position` is a position, `step` and `weight` are NULL or may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_position_step(const struct starsplit_position *position,
                                              size_t place,
                                              const char **step,
                                              uint32_t *weight,
                                              struct starsplit_error *error);

// The position after a move of a game of the library's, in the game's words; `reward` is what it pays player
// 0.
//
// # Safety
// `position` is a position, `mv` ends with a zero, `after` may be written, `reward` is NULL or may be,
// `error` is NULL or has its size.
enum starsplit_status starsplit_position_play(const struct starsplit_position *position,
                                              const char *mv,
                                              double *reward,
                                              struct starsplit_position **after,
                                              struct starsplit_error *error);

// The position after the outcome of this place, from 0 on, at a chance node of a game of the library's.
//
// # Safety
// `position` is a position, `after` may be written, `reward` is NULL or may be, `error` is NULL or has its
// size.
enum starsplit_status starsplit_position_resolve(const struct starsplit_position *position,
                                                 size_t place,
                                                 double *reward,
                                                 struct starsplit_position **after,
                                                 struct starsplit_error *error);

// Frees a position.
//
// # Safety
// `position` is NULL or a position that is used no more.
void starsplit_position_free(struct starsplit_position *position);

// Writes what the search found to `summary`.
//
// # Safety
// `result` is a result, `summary` and `error` are NULL or have their sizes.
enum starsplit_status starsplit_result_summary(const struct starsplit_result *result,
                                               struct starsplit_summary *summary,
                                               struct starsplit_error *error);

// At a decision root the best move in the game's words (of a game of one's own its number, written out);
// NULL at other roots. Where no iteration was completed, a legal move of which nothing is promised.
//
// # Safety
// `result` is NULL or a result.
const char *starsplit_result_best_move(const struct starsplit_result *result);

// Writes the ranked move of this place, from 0 on, best first, where the option `rank-root-moves` asked for
// so many.
//
// # Safety
// `result` is a result, `ranked` and `error` are NULL or have their sizes.
enum starsplit_status starsplit_result_move(const struct starsplit_result *result,
                                            size_t place,
                                            struct starsplit_ranked_move *ranked,
                                            struct starsplit_error *error);

// The step of this place, from 0 on, of the principal line, in the game's words, which belong to the result,
// and whether it is a move: at chance nodes it is the likeliest outcome.
//
// # Safety
// `result` is a result, `step` and `is_move` are NULL or may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_result_step(const struct starsplit_result *result,
                                            size_t place,
                                            const char **step,
                                            bool *is_move,
                                            struct starsplit_error *error);

// Frees a result.
//
// # Safety
// `result` is NULL or a result that is used no more.
void starsplit_result_free(struct starsplit_result *result);

// Makes a searcher of a game; `settings` may be NULL.
//
// # Safety
// `game` is a game, `settings` is NULL or has its size, `searcher` may be written, `error` is NULL or has
// its size.
enum starsplit_status starsplit_searcher_new(const struct starsplit_game *game,
                                             const struct starsplit_settings *settings,
                                             struct starsplit_searcher **searcher,
                                             struct starsplit_error *error);

// Sets an option of later searches, named and written as the library's programs have it on their command
// lines: "threads" "2", "rank-root-moves" "on", "lanes" "16", "batch" "64", "ordering" "static".
//
// # Safety
// `searcher` is a searcher, the texts end with a zero, `error` is NULL or has its size.
enum starsplit_status starsplit_searcher_set(const struct starsplit_searcher *searcher,
                                             const char *option,
                                             const char *value,
                                             struct starsplit_error *error);

// Forgets what the table has learnt.
//
// # Safety
// `searcher` is a searcher, `error` is NULL or has its size.
enum starsplit_status starsplit_searcher_new_game(const struct starsplit_searcher *searcher,
                                                  struct starsplit_error *error);

// Searches a position of the searcher's game. `limits` may be NULL, for a second; `on_iteration` may be
// NULL, and is given `user`.
//
// Two searches of one searcher at once share its table, and its threads in turn; one that begins in a
// function that another has called does without further threads.
//
// # Safety
// The handles are what they are called, `limits` and `error` are NULL or have their sizes, `result` may be
// written, `on_iteration` returns.
enum starsplit_status starsplit_searcher_search(const struct starsplit_searcher *searcher,
                                                const struct starsplit_position *position,
                                                const struct starsplit_limits *limits,
                                                starsplit_on_iteration on_iteration,
                                                void *user,
                                                struct starsplit_result **result,
                                                struct starsplit_error *error);

// Ends the searches of this searcher, from whatever thread: each as soon as it notices, with its last
// completed iteration. Later searches end before they begin until `starsplit_searcher_clear_stop` is called,
// so that a stop a moment before a search begins is not lost. Safe in a signal handler. Nothing for NULL.
//
// # Safety
// `searcher` is NULL or a searcher.
void starsplit_searcher_stop(const struct starsplit_searcher *searcher);

// Lets searches begin again after a stop. Nothing for NULL.
//
// # Safety
// `searcher` is NULL or a searcher.
void starsplit_searcher_clear_stop(const struct starsplit_searcher *searcher);

// Frees a searcher.
//
// # Safety
// `searcher` is NULL or a searcher that is used no more.
void starsplit_searcher_free(struct starsplit_searcher *searcher);

// Searches a position of the searcher's game as it is asked; `question` may be NULL, for a second. Otherwise
// as `starsplit_searcher_search`.
//
// # Safety
// The handles are what they are called, `question` and `error` are NULL or have their sizes, what the
// question leads to lives, `result` may be written, `on_iteration` returns.
enum starsplit_status starsplit_searcher_ask(const struct starsplit_searcher *searcher,
                                             const struct starsplit_position *position,
                                             const struct starsplit_question *question,
                                             struct starsplit_result **result,
                                             struct starsplit_error *error);

// Makes a handle for one search to come: a `starsplit_question` takes it. The functions of a handle may be
// called from any thread while the search runs.
//
// # Safety
// `handle` may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_handle_new(struct starsplit_handle **handle,
                                           struct starsplit_error *error);

// The nodes that all threads of the search have visited so far; 0 for NULL.
//
// # Safety
// `handle` is NULL or a handle.
uint64_t starsplit_handle_nodes(const struct starsplit_handle *handle);

// The depth of the iteration that goes on; 0 before the first, and for NULL.
//
// # Safety
// `handle` is NULL or a handle.
uint32_t starsplit_handle_depth(const struct starsplit_handle *handle);

// Gives the last completed iteration as a result of its own, to be freed; NULL before the first.
//
// # Safety
// `handle` is a handle, `result` may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_handle_iteration(const struct starsplit_handle *handle,
                                                 struct starsplit_result **result,
                                                 struct starsplit_error *error);

// Has the search end when so many more microseconds have passed, whatever its time limit was; a negative
// number takes the limit away. Before the search begins, the time counts from now as well. Nothing for NULL.
//
// # Safety
// `handle` is NULL or a handle.
void starsplit_handle_end_within(const struct starsplit_handle *handle,
                                 int64_t time_us);

// Stops the search, or has it end before it begins. Safe in a signal handler. Nothing for NULL.
//
// # Safety
// `handle` is NULL or a handle.
void starsplit_handle_stop(const struct starsplit_handle *handle);

// Frees a handle whose search is over, or that had none.
//
// # Safety
// `handle` is NULL or a handle that is used no more.
void starsplit_handle_free(struct starsplit_handle *handle);

// Gives the outcomes of a position where chance is next, each with its value and the best play after it, at
// the last depth that all were searched to. The mean of the values, by weight, is the position's value.
// After a search of the position itself this takes few nodes. `limits` may be NULL, for a second; they are
// those of all outcomes together.
//
// # Safety
// The handles are what they are called, `limits` and `error` are NULL or have their sizes, `outcomes` may be
// written.
enum starsplit_status starsplit_searcher_outcomes(const struct starsplit_searcher *searcher,
                                                  const struct starsplit_position *position,
                                                  const struct starsplit_limits *limits,
                                                  struct starsplit_outcomes **outcomes,
                                                  struct starsplit_error *error);

// How many outcomes there are; 0 for NULL.
//
// # Safety
// `outcomes` is NULL or outcomes.
size_t starsplit_outcomes_count(const struct starsplit_outcomes *outcomes);

// Writes the outcome of this place, from 0 on.
//
// # Safety
// `outcomes` are outcomes, `outcome` and `error` are NULL or have their sizes.
enum starsplit_status starsplit_outcomes_at(const struct starsplit_outcomes *outcomes,
                                            size_t place,
                                            struct starsplit_valued_outcome *outcome,
                                            struct starsplit_error *error);

// The step of this place, from 0 on, of the best play after the outcome of place `outcome`, in the game's
// words, which belong to the outcomes, and whether it is a move.
//
// # Safety
// `outcomes` are outcomes, `step` and `is_move` are NULL or may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_outcomes_step(const struct starsplit_outcomes *outcomes,
                                              size_t outcome,
                                              size_t place,
                                              const char **step,
                                              bool *is_move,
                                              struct starsplit_error *error);

// Frees outcomes.
//
// # Safety
// `outcomes` is NULL or outcomes that are used no more.
void starsplit_outcomes_free(struct starsplit_outcomes *outcomes);

// Searches a position, and then finds what the best play from it leads to: the mean of each of `count`
// numbers that `payload` writes of the leaves of its tree, the ends of the game and of the depth. At each
// decision node it takes the first best move, so the means are the same on any number of threads. `limits`,
// which may be NULL, for a second, are those of each of both. Where `expectation.is_whole` is false, `means`
// are not written. Refused where the game saturates, or the searcher reuses greater depths.
//
// # Safety
// The handles are what they are called, `limits`, `expectation` and `error` are NULL or have their sizes,
// `count` numbers may be written to `means`, `payload` returns.
enum starsplit_status starsplit_searcher_expectation(const struct starsplit_searcher *searcher,
                                                     const struct starsplit_position *position,
                                                     const struct starsplit_limits *limits,
                                                     size_t count,
                                                     starsplit_payload payload,
                                                     void *user,
                                                     double *means,
                                                     struct starsplit_expectation *expectation,
                                                     struct starsplit_error *error);

// The number of the interface that the library has, to be compared with `STARSPLIT_ABI_VERSION` of the
// header.
uint32_t starsplit_abi_version(void);

// The version of the library, such as "0.1.0". It lives for ever.
const char *starsplit_version(void);

// Searches a position, and then finds what the best play from it leads to: the mean of each of `count`
// numbers that `payload` writes of the leaves of its tree, the ends of the game and of the depth. At each
// decision node it takes the first best move, so the means are the same on any number of threads. `limits`,
// which may be NULL, for a second, are those of each of both. Where `expectation.is_whole` is false, `means`
// are not written. Refused where the game saturates, or the searcher reuses greater depths.
//
// # Safety
// The handles are what they are called, `limits`, `expectation` and `error` are NULL or have their sizes,
// `count` numbers may be written to `means`, `payload` returns.
enum starsplit_status starsplit_searcher_expectation(const struct starsplit_searcher *searcher,
                                                     const struct starsplit_position *position,
                                                     const struct starsplit_limits *limits,
                                                     size_t count,
                                                     starsplit_payload payload,
                                                     void *user,
                                                     double *means,
                                                     struct starsplit_expectation *expectation,
                                                     struct starsplit_error *error);

// How many games the library has.
size_t starsplit_game_count(void);

// Opens a game that the library has: "dice", "pig", "einstein", "backgammon", "hyper-backgammon", "2048",
// "abalone". `rules` are in the game's own words, such as "size=5,stones=6"; NULL for its usual ones.
//
// # Safety
// The texts end with a zero, `game` may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_game_open(const char *name,
                                          const char *rules,
                                          struct starsplit_game **game,
                                          struct starsplit_error *error);

// Makes a game of the caller's functions, which have to live as long as the game and what is made of it.
// `user` is handed to each of them.
//
// # Safety
// The functions do what `starsplit_game_functions` asks of them, `game` may be written, `error` is NULL or
// has its size.
enum starsplit_status starsplit_game_define(const struct starsplit_game_functions *functions,
                                            void *user,
                                            struct starsplit_game **game,
                                            struct starsplit_error *error);

// The game's name.
//
// # Safety
// `game` is a game.
const char *starsplit_game_name(const struct starsplit_game *game);

// The least and the greatest value of the game, for player 0.
//
// # Safety
// `game` is a game, `low` and `high` are NULL or may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_game_range(const struct starsplit_game *game,
                                           double *low,
                                           double *high,
                                           struct starsplit_error *error);

// Frees a game. Positions and searchers of it live on.
//
// # Safety
// `game` is NULL or a game that is used no more.
void starsplit_game_free(struct starsplit_game *game);

// The position in which a game of the library's begins.
//
// # Safety
// `game` is a game, `position` may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_position_initial(const struct starsplit_game *game,
                                                 struct starsplit_position **position,
                                                 struct starsplit_error *error);

// The position of a game of the library's that a text describes, in the game's own notation or in another
// that it reads. What an XGID or a match ID says of cube, score and match is not used.
//
// # Safety
// `game` is a game, `notation` ends with a zero, `position` may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_position_parse(const struct starsplit_game *game,
                                               const char *notation,
                                               struct starsplit_position **position,
                                               struct starsplit_error *error);

// The position of this place, from 0 on, in a match of a game of the library's, as other programs write it:
// backgammon reads .mat and .sgf. The positions are those in which a player was to move, in their order;
// decisions about the stakes are left out. `count`, which may be NULL, is told how many there are. The text
// is read anew in each call.
//
// # Safety
// `game` is a game, `match_text` ends with a zero, `count` is NULL or may be written, `position` may be
// written, `error` is NULL or has its size.
enum starsplit_status starsplit_position_of_match(const struct starsplit_game *game,
                                                  const char *match_text,
                                                  size_t place,
                                                  size_t *count,
                                                  struct starsplit_position **position,
                                                  struct starsplit_error *error);

// A position of a game of one's own: its bytes, which are copied, described by the game.
//
// # Safety
// `game` is a game, `bytes` are as many as its positions have, `position` may be written, `error` is NULL or
// has its size.
enum starsplit_status starsplit_position_of_bytes(const struct starsplit_game *game,
                                                  const void *bytes,
                                                  struct starsplit_position **position,
                                                  struct starsplit_error *error);

// The position in the game's notation.
//
// # Safety
// `position` is NULL or a position.
const char *starsplit_position_text(const struct starsplit_position *position);

// The bytes of a position of a game of one's own, which live as long as the position; NULL for a game of the
// library's.
//
// # Safety
// `position` is NULL or a position.
const void *starsplit_position_bytes(const struct starsplit_position *position);

// The position as a person wants to see it, in several lines; NULL for a game of one's own.
//
// # Safety
// `position` is NULL or a position.
const char *starsplit_position_drawing(const struct starsplit_position *position);

// What happens next at the position; NULL counts as a finished game.
//
// # Safety
// `position` is NULL or a position.
enum starsplit_kind starsplit_position_kind(const struct starsplit_position *position);

// Who moves, at a decision node: 0 or 1.
//
// # Safety
// `position` is NULL or a position.
uint32_t starsplit_position_player(const struct starsplit_position *position);

// The value of a finished game for player 0, without the rewards on the way; 0 while it goes on.
//
// # Safety
// `position` is NULL or a position.
double starsplit_position_value(const struct starsplit_position *position);

// How many moves, or outcomes at a chance node, a position of a game of the library's has.
//
// # Safety
// `position` is a position, `count` may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_position_step_count(const struct starsplit_position *position,
                                                    size_t *count,
                                                    struct starsplit_error *error);

// The move or outcome of this place, from 0 on, in the game's words, which belong to the position; and its
// weight, which is 1 for moves.
//
// # Safety
// `position` is a position, `step` and `weight` are NULL or may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_position_step(const struct starsplit_position *position,
                                              size_t place,
                                              const char **step,
                                              uint32_t *weight,
                                              struct starsplit_error *error);

// The position after a move of a game of the library's, in the game's words; `reward` is what it pays player
// 0.
//
// # Safety
// `position` is a position, `mv` ends with a zero, `after` may be written, `reward` is NULL or may be,
// `error` is NULL or has its size.
enum starsplit_status starsplit_position_play(const struct starsplit_position *position,
                                              const char *mv,
                                              double *reward,
                                              struct starsplit_position **after,
                                              struct starsplit_error *error);

// The position after the outcome of this place, from 0 on, at a chance node of a game of the library's.
//
// # Safety
// `position` is a position, `after` may be written, `reward` is NULL or may be, `error` is NULL or has its
// size.
enum starsplit_status starsplit_position_resolve(const struct starsplit_position *position,
                                                 size_t place,
                                                 double *reward,
                                                 struct starsplit_position **after,
                                                 struct starsplit_error *error);

// Frees a position.
//
// # Safety
// `position` is NULL or a position that is used no more.
void starsplit_position_free(struct starsplit_position *position);

// Searches a position of the searcher's game as it is asked; `question` may be NULL, for a second. Otherwise
// as `starsplit_searcher_search`.
//
// # Safety
// The handles are what they are called, `question` and `error` are NULL or have their sizes, what the
// question leads to lives, `result` may be written, `on_iteration` returns.
enum starsplit_status starsplit_searcher_ask(const struct starsplit_searcher *searcher,
                                             const struct starsplit_position *position,
                                             const struct starsplit_question *question,
                                             struct starsplit_result **result,
                                             struct starsplit_error *error);

// Makes a handle for one search to come: a `starsplit_question` takes it. The functions of a handle may be
// called from any thread while the search runs.
//
// # Safety
// `handle` may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_handle_new(struct starsplit_handle **handle,
                                           struct starsplit_error *error);

// The nodes that all threads of the search have visited so far; 0 for NULL.
//
// # Safety
// `handle` is NULL or a handle.
uint64_t starsplit_handle_nodes(const struct starsplit_handle *handle);

// The depth of the iteration that goes on; 0 before the first, and for NULL.
//
// # Safety
// `handle` is NULL or a handle.
uint32_t starsplit_handle_depth(const struct starsplit_handle *handle);

// Gives the last completed iteration as a result of its own, to be freed; NULL before the first.
//
// # Safety
// `handle` is a handle, `result` may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_handle_iteration(const struct starsplit_handle *handle,
                                                 struct starsplit_result **result,
                                                 struct starsplit_error *error);

// Has the search end when so many more microseconds have passed, whatever its time limit was; a negative
// number takes the limit away. Before the search begins, the time counts from now as well. Nothing for NULL.
//
// # Safety
// `handle` is NULL or a handle.
void starsplit_handle_end_within(const struct starsplit_handle *handle,
                                 int64_t time_us);

// Stops the search, or has it end before it begins. Safe in a signal handler. Nothing for NULL.
//
// # Safety
// `handle` is NULL or a handle.
void starsplit_handle_stop(const struct starsplit_handle *handle);

// Frees a handle whose search is over, or that had none.
//
// # Safety
// `handle` is NULL or a handle that is used no more.
void starsplit_handle_free(struct starsplit_handle *handle);

// Gives the outcomes of a position where chance is next, each with its value and the best play after it, at
// the last depth that all were searched to. The mean of the values, by weight, is the position's value.
// After a search of the position itself this takes few nodes. `limits` may be NULL, for a second; they are
// those of all outcomes together.
//
// # Safety
// The handles are what they are called, `limits` and `error` are NULL or have their sizes, `outcomes` may be
// written.
enum starsplit_status starsplit_searcher_outcomes(const struct starsplit_searcher *searcher,
                                                  const struct starsplit_position *position,
                                                  const struct starsplit_limits *limits,
                                                  struct starsplit_outcomes **outcomes,
                                                  struct starsplit_error *error);

// How many outcomes there are; 0 for NULL.
//
// # Safety
// `outcomes` is NULL or outcomes.
size_t starsplit_outcomes_count(const struct starsplit_outcomes *outcomes);

// Writes the outcome of this place, from 0 on.
//
// # Safety
// `outcomes` are outcomes, `outcome` and `error` are NULL or have their sizes.
enum starsplit_status starsplit_outcomes_at(const struct starsplit_outcomes *outcomes,
                                            size_t place,
                                            struct starsplit_valued_outcome *outcome,
                                            struct starsplit_error *error);

// The step of this place, from 0 on, of the best play after the outcome of place `outcome`, in the game's
// words, which belong to the outcomes, and whether it is a move.
//
// # Safety
// `outcomes` are outcomes, `step` and `is_move` are NULL or may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_outcomes_step(const struct starsplit_outcomes *outcomes,
                                              size_t outcome,
                                              size_t place,
                                              const char **step,
                                              bool *is_move,
                                              struct starsplit_error *error);

// Frees outcomes.
//
// # Safety
// `outcomes` is NULL or outcomes that are used no more.
void starsplit_outcomes_free(struct starsplit_outcomes *outcomes);

// Writes what the search found to `summary`.
//
// # Safety
// `result` is a result, `summary` and `error` are NULL or have their sizes.
enum starsplit_status starsplit_result_summary(const struct starsplit_result *result,
                                               struct starsplit_summary *summary,
                                               struct starsplit_error *error);

// At a decision root the best move in the game's words (of a game of one's own its number, written out);
// NULL at other roots. Where no iteration was completed, a legal move of which nothing is promised.
//
// # Safety
// `result` is NULL or a result.
const char *starsplit_result_best_move(const struct starsplit_result *result);

// Writes the ranked move of this place, from 0 on, best first, where the option `rank-root-moves` asked for
// so many.
//
// # Safety
// `result` is a result, `ranked` and `error` are NULL or have their sizes.
enum starsplit_status starsplit_result_move(const struct starsplit_result *result,
                                            size_t place,
                                            struct starsplit_ranked_move *ranked,
                                            struct starsplit_error *error);

// The step of this place, from 0 on, of the principal line, in the game's words, which belong to the result,
// and whether it is a move: at chance nodes it is the likeliest outcome.
//
// # Safety
// `result` is a result, `step` and `is_move` are NULL or may be written, `error` is NULL or has its size.
enum starsplit_status starsplit_result_step(const struct starsplit_result *result,
                                            size_t place,
                                            const char **step,
                                            bool *is_move,
                                            struct starsplit_error *error);

// Frees a result.
//
// # Safety
// `result` is NULL or a result that is used no more.
void starsplit_result_free(struct starsplit_result *result);

// Makes a searcher of a game; `settings` may be NULL.
//
// # Safety
// `game` is a game, `settings` is NULL or has its size, `searcher` may be written, `error` is NULL or has
// its size.
enum starsplit_status starsplit_searcher_new(const struct starsplit_game *game,
                                             const struct starsplit_settings *settings,
                                             struct starsplit_searcher **searcher,
                                             struct starsplit_error *error);

// Sets an option of later searches, named and written as the library's programs have it on their command
// lines: "threads" "2", "rank-root-moves" "on", "lanes" "16", "batch" "64", "ordering" "static".
//
// # Safety
// `searcher` is a searcher, the texts end with a zero, `error` is NULL or has its size.
enum starsplit_status starsplit_searcher_set(const struct starsplit_searcher *searcher,
                                             const char *option,
                                             const char *value,
                                             struct starsplit_error *error);

// Forgets what the table has learnt.
//
// # Safety
// `searcher` is a searcher, `error` is NULL or has its size.
enum starsplit_status starsplit_searcher_new_game(const struct starsplit_searcher *searcher,
                                                  struct starsplit_error *error);

// Searches a position of the searcher's game. `limits` may be NULL, for a second; `on_iteration` may be
// NULL, and is given `user`.
//
// Two searches of one searcher at once share its table, and its threads in turn; one that begins in a
// function that another has called does without further threads.
//
// # Safety
// The handles are what they are called, `limits` and `error` are NULL or have their sizes, `result` may be
// written, `on_iteration` returns.
enum starsplit_status starsplit_searcher_search(const struct starsplit_searcher *searcher,
                                                const struct starsplit_position *position,
                                                const struct starsplit_limits *limits,
                                                starsplit_on_iteration on_iteration,
                                                void *user,
                                                struct starsplit_result **result,
                                                struct starsplit_error *error);

// Ends the searches of this searcher, from whatever thread: each as soon as it notices, with its last
// completed iteration. Later searches end before they begin until `starsplit_searcher_clear_stop` is called,
// so that a stop a moment before a search begins is not lost. Safe in a signal handler. Nothing for NULL.
//
// # Safety
// `searcher` is NULL or a searcher.
void starsplit_searcher_stop(const struct starsplit_searcher *searcher);

// Lets searches begin again after a stop. Nothing for NULL.
//
// # Safety
// `searcher` is NULL or a searcher.
void starsplit_searcher_clear_stop(const struct starsplit_searcher *searcher);

// Frees a searcher.
//
// # Safety
// `searcher` is NULL or a searcher that is used no more.
void starsplit_searcher_free(struct starsplit_searcher *searcher);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* STARSPLIT_H */
