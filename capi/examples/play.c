/* Plays a game of the library's against itself: the best move by a search at each turn, chance by a small generator,
 * and says how it went. */
#include <stdio.h>
#include <stdlib.h>

#include "starsplit.h"

static starsplit_error error = {.size = sizeof error};

/* Ends the program where a call has failed. */
static void must(starsplit_status status) {
    if (status != STARSPLIT_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
}

/* The best move of a position, as the game writes it, into `move`. */
static void best_move(const starsplit_searcher *searcher, const starsplit_position *position, char *move, size_t size) {
    const starsplit_limits limits = {.size = sizeof limits, .depth = 5};
    starsplit_result *result = NULL;
    must(starsplit_searcher_search(searcher, position, &limits, NULL, NULL, &result, &error));
    starsplit_summary summary = {.size = sizeof summary};
    must(starsplit_result_summary(result, &summary, &error));
    snprintf(move, size, "%s", starsplit_result_best_move(result));
    printf("player %u: %-8s value %+.6f, %llu nodes\n", starsplit_position_player(position) + 1, move, summary.value,
           (unsigned long long)summary.nodes);
    starsplit_result_free(result);
}

/* The place of one of the outcomes, each as often as its weight says. */
static size_t drawn(const starsplit_position *position, uint64_t *seed) {
    size_t count = 0;
    uint32_t weight = 0, total = 0;
    must(starsplit_position_step_count(position, &count, &error));
    for (size_t place = 0; place < count; place++) {
        must(starsplit_position_step(position, place, NULL, &weight, &error));
        total += weight;
    }
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    uint32_t left = (uint32_t)(*seed >> 33) % total;
    for (size_t place = 0;; place++) {
        must(starsplit_position_step(position, place, NULL, &weight, &error));
        if (left < weight) {
            return place;
        }
        left -= weight;
    }
}

int main(void) {
    if (starsplit_abi_version() != STARSPLIT_ABI_VERSION) {
        fprintf(stderr, "the library is of another version than the header\n");
        return 1;
    }
    starsplit_game *game = NULL;
    starsplit_position *position = NULL;
    starsplit_searcher *searcher = NULL;
    must(starsplit_game_open("einstein", NULL, &game, &error));
    must(starsplit_position_initial(game, &position, &error));
    must(starsplit_searcher_new(game, NULL, &searcher, &error));

    uint64_t seed = 1;
    while (starsplit_position_kind(position) != STARSPLIT_TERMINAL) {
        starsplit_position *after = NULL;
        if (starsplit_position_kind(position) == STARSPLIT_CHANCE) {
            must(starsplit_position_resolve(position, drawn(position, &seed), NULL, &after, &error));
        } else {
            char move[64];
            best_move(searcher, position, move, sizeof move);
            must(starsplit_position_play(position, move, NULL, &after, &error));
        }
        starsplit_position_free(position);
        position = after;
    }
    printf("%s\nplayer %d wins\n", starsplit_position_drawing(position), starsplit_position_value(position) > 0 ? 1 : 2);

    starsplit_searcher_free(searcher);
    starsplit_position_free(position);
    starsplit_game_free(game);
    return 0;
}
