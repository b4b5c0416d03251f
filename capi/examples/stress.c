/* Ten thousand searches, or as many as the first argument says, with functions that fail, stops from another thread and
 * bad arguments at random: each ends as it should, and what is exact is the one value. To be built with the sanitizers. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "einstein.h"

/* The game, failing at the call of this number; 0 for never. */
typedef struct failing {
    starsplit_game_functions inner;
    long fails_at;
    long calls;
} failing;

enum { CODE = 77 };

static bool fails(failing *of) {
    const long call = __atomic_add_fetch(&of->calls, 1, __ATOMIC_RELAXED);
    return of->fails_at != 0 && call >= of->fails_at;
}

static int describe(void *user, const void *at, starsplit_node *node) {
    failing *of = user;
    return fails(of) ? CODE : of->inner.describe(NULL, at, node);
}
static int moves(void *user, const void *at, uint32_t *list, size_t capacity) {
    failing *of = user;
    return fails(of) ? -CODE : of->inner.moves(NULL, at, list, capacity);
}
static int play(void *user, const void *at, uint32_t move, void *after) {
    failing *of = user;
    return fails(of) ? CODE : of->inner.play(NULL, at, move, after);
}
static int outcomes(void *user, const void *at, starsplit_outcome *list, size_t capacity) {
    failing *of = user;
    return fails(of) ? -CODE : of->inner.outcomes(NULL, at, list, capacity);
}
static int resolve(void *user, const void *at, uint32_t outcome, void *after) {
    failing *of = user;
    return fails(of) ? CODE : of->inner.resolve(NULL, at, outcome, after);
}
static int evaluate(void *user, const void *const *positions, size_t count, double *values) {
    failing *of = user;
    return fails(of) ? CODE : of->inner.evaluate(NULL, positions, count, values);
}

static uint64_t drawn(uint64_t *seed, uint64_t below) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (*seed >> 33) % below;
}

static void *stops(void *searcher) {
    starsplit_searcher_stop(searcher);
    return NULL;
}

static void require(bool holds, const char *what, const char *message) {
    if (!holds) {
        fprintf(stderr, "%s: %s\n", what, message);
        exit(1);
    }
}

int main(int count, char **arguments) {
    const long searches = count > 1 ? atol(arguments[1]) : 10000;
    failing game_of = {.inner = einstein_functions()};
    starsplit_game_functions functions = game_of.inner;
    functions.describe = describe;
    functions.moves = moves;
    functions.play = play;
    functions.outcomes = outcomes;
    functions.resolve = resolve;
    functions.evaluate = evaluate;

    starsplit_error error = {.size = sizeof error};
    starsplit_game *game = NULL;
    starsplit_position *position_ = NULL;
    const position start = einstein_start();
    require(starsplit_game_define(&functions, &game_of, &game, &error) == STARSPLIT_OK, "define", error.message);
    require(starsplit_position_of_bytes(game, &start, &position_, &error) == STARSPLIT_OK, "bytes", error.message);

    static const char *const options[][2] = {{"threads", "1"}, {"threads", "2"}, {"lanes", "4"}, {"lanes", "auto"},
                                             {"rank-root-moves", "on"}, {"threads", "0"}, {"no such", "1"}};
    uint64_t seed = 1;
    long ends[5] = {0, 0, 0, 0, 0}, stopped = 0;
    int32_t value = 0;
    bool has_value = false;
    starsplit_searcher *searcher = NULL;
    for (long n = 0; n < searches; n++) {
        if (searcher == NULL || drawn(&seed, 50) == 0) {
            starsplit_searcher_free(searcher);
            searcher = NULL;
            const starsplit_settings settings = {.size = sizeof settings, .table_mib = 1};
            require(starsplit_searcher_new(game, &settings, &searcher, &error) == STARSPLIT_OK, "new", error.message);
        }
        const char *const *option = options[drawn(&seed, sizeof options / sizeof *options)];
        const bool is_bad = option[0][0] == 'n' || option[1][0] == '0';
        require((starsplit_searcher_set(searcher, option[0], option[1], &error) == STARSPLIT_OK) == !is_bad, option[0],
                error.message);
        starsplit_limits limits = {.size = sizeof limits, .depth = 5, .nodes = drawn(&seed, 8) == 0 ? 1500 : 0};
        limits.depth = drawn(&seed, 20) == 0 ? 1000 : limits.depth;
        if (drawn(&seed, 4) == 0) {
            require(starsplit_searcher_new_game(searcher, &error) == STARSPLIT_OK, "new game", error.message);
        }
        game_of.calls = 0;
        game_of.fails_at = drawn(&seed, 3) == 0 ? (long)drawn(&seed, 2u << drawn(&seed, 12)) + 1 : 0;
        pthread_t thread;
        const bool is_stopped = drawn(&seed, 5) == 0;
        require(!is_stopped || pthread_create(&thread, NULL, stops, searcher) == 0, "thread", "not started");
        starsplit_result *result = NULL;
        const starsplit_status status =
            starsplit_searcher_search(searcher, position_, &limits, NULL, NULL, &result, &error);
        if (is_stopped) {
            pthread_join(thread, NULL);
            starsplit_searcher_clear_stop(searcher);
        }
        ends[status]++;
        require((status == STARSPLIT_OK) == (result != NULL), "result", error.message);
        require(status != STARSPLIT_ERROR_PANIC && status != STARSPLIT_ERROR_SEARCH, "search", error.message);
        require((status == STARSPLIT_ERROR_ARGUMENT) == (limits.depth == 1000), "depth", error.message);
        if (status == STARSPLIT_ERROR_CALLBACK) {
            require(abs(error.callback_code) == CODE, "code", error.message);
        }
        starsplit_summary summary = {.size = sizeof summary};
        if (status == STARSPLIT_OK) {
            require(starsplit_result_summary(result, &summary, &error) == STARSPLIT_OK, "summary", error.message);
            stopped += summary.ending != STARSPLIT_BY_DEPTH;
            if (summary.depth == 5) {
                require(!has_value || value == summary.lower_score, "value", "another one");
                require(summary.is_exact, "value", "not exact");
                value = summary.lower_score;
                has_value = true;
            }
        }
        starsplit_result_free(result);
    }
    starsplit_searcher_free(searcher);
    starsplit_position_free(position_);
    starsplit_game_free(game);
    printf("%ld searches: %ld answered, %ld of them stopped; %ld bad arguments, %ld failed functions\n", searches,
           ends[STARSPLIT_OK], stopped, ends[STARSPLIT_ERROR_ARGUMENT], ends[STARSPLIT_ERROR_CALLBACK]);
    require(searches < 1000 || (ends[STARSPLIT_OK] > searches / 4 && stopped > searches / 100 &&
                                ends[STARSPLIT_ERROR_CALLBACK] > searches / 20),
            "stress", "too little of something");
    return 0;
}
