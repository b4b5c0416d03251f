/* What a search costs beyond itself: the wall time of calls to a depth of one ply, less what the library says the
 * searches took. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "einstein.h"

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec * 1e6 + (double)at.tv_nsec / 1e3;
}

static int ascending(const void *one, const void *two) {
    const double a = *(const double *)one, b = *(const double *)two;
    return (a > b) - (a < b);
}

static void must(starsplit_status status, const starsplit_error *error) {
    if (status != STARSPLIT_OK) {
        fprintf(stderr, "%s\n", error->message);
        exit(1);
    }
}

enum { SEARCHES = 10000 };

static void measure(const char *name, const starsplit_game *game, const starsplit_position *at) {
    static double whole[SEARCHES], beyond[SEARCHES];
    starsplit_error error = {.size = sizeof error};
    starsplit_searcher *searcher = NULL;
    must(starsplit_searcher_new(game, NULL, &searcher, &error), &error);
    const starsplit_limits limits = {.size = sizeof limits, .depth = 1};
    for (int i = 0; i < SEARCHES; i++) {
        starsplit_result *result = NULL;
        starsplit_summary summary = {.size = sizeof summary};
        const double begun = now();
        must(starsplit_searcher_search(searcher, at, &limits, NULL, NULL, &result, &error), &error);
        must(starsplit_result_summary(result, &summary, &error), &error);
        starsplit_result_free(result);
        whole[i] = now() - begun;
        beyond[i] = whole[i] - (double)summary.elapsed_ns / 1e3;
    }
    qsort(whole, SEARCHES, sizeof *whole, ascending);
    qsort(beyond, SEARCHES, sizeof *beyond, ascending);
    printf("%s: a call takes %.1f us in the median (%.1f at the 99th percentile), of which %.1f (%.1f) are beyond the search\n",
           name, whole[SEARCHES / 2], whole[SEARCHES / 100 * 99], beyond[SEARCHES / 2], beyond[SEARCHES / 100 * 99]);
    starsplit_searcher_free(searcher);
}

int main(void) {
    starsplit_error error = {.size = sizeof error};
    const starsplit_game_functions functions = einstein_functions();
    const position start = einstein_start();
    starsplit_game *game = NULL;
    starsplit_position *at = NULL;
    must(starsplit_game_define(&functions, NULL, &game, &error), &error);
    must(starsplit_position_of_bytes(game, &start, &at, &error), &error);
    measure("einstein in C", game, at);
    starsplit_position_free(at);
    starsplit_game_free(game);
    static const char *const names[] = {"einstein", "backgammon"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        must(starsplit_game_open(names[i], NULL, &game, &error), &error);
        must(starsplit_position_initial(game, &at, &error), &error);
        measure(names[i], game, at);
        starsplit_position_free(at);
        starsplit_game_free(game);
    }
    return 0;
}
