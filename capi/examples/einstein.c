/* Searches a game that is defined in C, on two threads, and the library's own game of that name from the same position:
 * the values are the same to the last bit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "einstein.h"

static starsplit_error error = {.size = sizeof error};

static void must(starsplit_status status) {
    if (status != STARSPLIT_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
}

static int on_iteration(void *user, const starsplit_result *iteration) {
    starsplit_summary summary = {.size = sizeof summary};
    must(starsplit_result_summary(iteration, &summary, &error));
    printf("%s, depth %u: value %+.9f, %llu nodes\n", (const char *)user, summary.depth, summary.value,
           (unsigned long long)summary.nodes);
    return 0;
}

static int32_t searched(const starsplit_game *game, const starsplit_position *at, const starsplit_settings *settings,
                        const char *name) {
    const starsplit_limits limits = {.size = sizeof limits, .depth = 7};
    starsplit_searcher *searcher = NULL;
    starsplit_result *result = NULL;
    must(starsplit_searcher_new(game, settings, &searcher, &error));
    must(starsplit_searcher_search(searcher, at, &limits, on_iteration, (void *)name, &result, &error));
    starsplit_summary summary = {.size = sizeof summary};
    must(starsplit_result_summary(result, &summary, &error));
    starsplit_result_free(result);
    starsplit_searcher_free(searcher);
    if (!summary.is_exact) {
        fprintf(stderr, "%s: no exact value\n", name);
        exit(1);
    }
    return summary.lower_score;
}

int main(void) {
    const starsplit_game_functions functions = einstein_functions();
    const position start = einstein_start();
    char notation[100];
    einstein_notation(&start, notation);

    starsplit_game *own = NULL, *built_in = NULL;
    starsplit_position *own_start = NULL, *built_in_start = NULL;
    must(starsplit_game_define(&functions, NULL, &own, &error));
    must(starsplit_position_of_bytes(own, &start, &own_start, &error));
    const void *bytes = starsplit_position_bytes(own_start);
    must(starsplit_game_open("einstein", NULL, &built_in, &error));
    must(starsplit_position_parse(built_in, notation, &built_in_start, &error));

    const starsplit_settings on_two = {.size = sizeof on_two, .threads = 2, .table_mib = 16};
    const starsplit_settings material = {.size = sizeof material, .evaluator = "material", .table_mib = 16};
    const int32_t in_c = searched(own, own_start, &on_two, "in C on two threads");
    const int32_t in_library = searched(built_in, built_in_start, &material, "the library's");
    printf("%s\n%s: %d and %d steps of the grid\n", notation, in_c == in_library ? "equal" : "DIFFERENT", in_c,
           in_library);

    const int has_bytes = bytes != NULL && memcmp(bytes, &start, sizeof start) == 0 &&
                          starsplit_position_bytes(built_in_start) == NULL;
    if (!has_bytes) {
        fprintf(stderr, "bytes: expected those of the position, and none of the library's game\n");
    }

    starsplit_position_free(built_in_start);
    starsplit_position_free(own_start);
    starsplit_game_free(built_in);
    starsplit_game_free(own);
    return in_c == in_library && has_bytes ? 0 : 1;
}
