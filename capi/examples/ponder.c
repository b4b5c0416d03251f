/* What an engine asks beside the best move: the best three with their values, one move alone, a search that ponders
 * until it is told how long it has, seen from another thread, what each roll is worth, and what the best play leads to. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "starsplit.h"

static starsplit_error error = {.size = sizeof error};

/* Ends the program where a call has failed. */
static void must(starsplit_status status) {
    if (status != STARSPLIT_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
}

/* Ends the program where something is not as it has to be. */
static void check(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "not so: %s\n", what);
        exit(1);
    }
}

static starsplit_summary summary_of(const starsplit_result *result) {
    starsplit_summary summary = {.size = sizeof summary};
    must(starsplit_result_summary(result, &summary, &error));
    return summary;
}

/* What the pondering thread is given, and its result. */
struct pondering {
    const starsplit_searcher *searcher;
    const starsplit_position *position;
    const starsplit_handle *handle;
    starsplit_result *result;
};

static void *ponder(void *given) {
    struct pondering *pondering = given;
    /* Without an end of its own: as deep as it goes. */
    const starsplit_limits limits = {.size = sizeof limits, .depth = 254};
    const starsplit_question question = {.size = sizeof question, .limits = &limits, .handle = pondering->handle};
    must(starsplit_searcher_ask(pondering->searcher, pondering->position, &question, &pondering->result, &error));
    return NULL;
}

/* Which share of the leaves this one belongs to. */
static int32_t share(void *user, const starsplit_position *leaf, double *numbers) {
    (void)user;
    if (starsplit_position_kind(leaf) != STARSPLIT_TERMINAL) {
        numbers[2] = 1;
    } else {
        numbers[starsplit_position_value(leaf) > 0 ? 0 : 1] = 1;
    }
    return 0;
}

/* A payload that fails. */
static int32_t failing(void *user, const starsplit_position *leaf, double *numbers) {
    (void)leaf;
    (void)numbers;
    return *(const int32_t *)user;
}

/* A small game to its end, whose value is known: 53 of 81. */
static void search_to_the_end(void) {
    starsplit_game *dice = NULL;
    starsplit_position *start = NULL;
    starsplit_searcher *searcher = NULL;
    starsplit_result *result = NULL;
    const starsplit_limits to_the_end = {.size = sizeof to_the_end, .depth = STARSPLIT_TO_THE_END};
    must(starsplit_game_open("dice", "size=3,run=2", &dice, &error));
    must(starsplit_position_initial(dice, &start, &error));
    must(starsplit_searcher_new(dice, NULL, &searcher, &error));
    must(starsplit_searcher_search(searcher, start, &to_the_end, NULL, NULL, &result, &error));
    const double difference = summary_of(result).value - 53.0 / 81.0;
    check(summary_of(result).is_exact && difference > -1e-6 && difference < 1e-6, "the first player's chances");
    printf("at most %u plies, value %+.6f\n", summary_of(result).depth, summary_of(result).value);
    starsplit_result_free(result);
    starsplit_searcher_free(searcher);
    starsplit_position_free(start);
    starsplit_game_free(dice);
}

int main(void) {
    starsplit_game *game = NULL;
    starsplit_position *position = NULL, *rolled = NULL;
    starsplit_searcher *searcher = NULL;
    const starsplit_settings settings = {.size = sizeof settings, .threads = 2};
    must(starsplit_game_open("einstein", NULL, &game, &error));
    must(starsplit_searcher_new(game, &settings, &searcher, &error));
    must(starsplit_position_parse(game, "x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3", &position,
                                  &error));

    /* The best three root moves, by an option of this search alone. */
    const starsplit_limits limits = {.size = sizeof limits, .depth = 5};
    const starsplit_option three = {.name = "rank-root-moves", .value = "3"};
    const starsplit_question ranking = {
        .size = sizeof ranking, .limits = &limits, .options = &three, .option_count = 1};
    starsplit_result *ranked = NULL;
    must(starsplit_searcher_ask(searcher, position, &ranking, &ranked, &error));
    starsplit_ranked_move move = {.size = sizeof move};
    for (size_t place = 0; place < summary_of(ranked).move_count; place++) {
        must(starsplit_result_move(ranked, place, &move, &error));
        printf("%zu. %s %+.6f\n", place + 1, move.text, move.value);
    }

    /* The last of them as if there were no others. */
    starsplit_result *alone = NULL;
    const starsplit_question named = {
        .size = sizeof named, .limits = &limits, .root_moves = &move.text, .root_move_count = 1};
    must(starsplit_searcher_ask(searcher, position, &named, &alone, &error));
    check(summary_of(alone).lower_score == move.score, "a move alone is worth what it is among the best");

    /* A search without an end, looked at from here, and then told how long it still has. */
    struct pondering pondering = {.searcher = searcher, .position = position};
    starsplit_handle *handle = NULL;
    must(starsplit_handle_new(&handle, &error));
    pondering.handle = handle;
    pthread_t thread;
    check(pthread_create(&thread, NULL, ponder, &pondering) == 0, "a thread starts");
    starsplit_result *last = NULL;
    while (last == NULL || summary_of(last).depth < 5) {
        const struct timespec moment = {.tv_nsec = 1000000};
        nanosleep(&moment, NULL);
        starsplit_result_free(last);
        must(starsplit_handle_iteration(handle, &last, &error));
    }
    check(starsplit_handle_nodes(handle) > 0 && starsplit_handle_depth(handle) >= 5, "it is seen from here");
    starsplit_handle_end_within(handle, 20000);
    check(pthread_join(thread, NULL) == 0, "the thread ends");
    check(summary_of(pondering.result).ending == STARSPLIT_BY_TIME, "it ends when it was told to");
    printf("pondered to depth %u or more, %s so far\n", summary_of(last).depth, starsplit_result_best_move(last));

    /* What each roll is worth after the best move; the mean is the value of the position. */
    starsplit_result *after = NULL;
    starsplit_outcomes *outcomes = NULL;
    must(starsplit_position_play(position, starsplit_result_best_move(ranked), NULL, &rolled, &error));
    must(starsplit_searcher_search(searcher, rolled, &limits, NULL, NULL, &after, &error));
    must(starsplit_searcher_outcomes(searcher, rolled, &limits, &outcomes, &error));
    double sum = 0, weights = 0;
    for (size_t place = 0; place < starsplit_outcomes_count(outcomes); place++) {
        starsplit_valued_outcome outcome = {.size = sizeof outcome};
        const char *answer = NULL;
        must(starsplit_outcomes_at(outcomes, place, &outcome, &error));
        must(starsplit_outcomes_step(outcomes, place, 0, &answer, NULL, &error));
        check(outcome.is_exact && outcome.depth == limits.depth, "all outcomes are searched to the depth");
        printf("%s: %+.6f, then %s\n", outcome.text, outcome.value, answer);
        sum += outcome.weight * outcome.value;
        weights += outcome.weight;
    }
    const double difference = sum / weights - summary_of(after).value;
    check(difference > -1e-6 && difference < 1e-6, "the mean of the rolls is the value");

    /* What the best play comes to: how often either has won within nine plies, and how often neither. */
    const starsplit_limits nine = {.size = sizeof nine, .depth = 9};
    starsplit_expectation comes_to = {.size = sizeof comes_to};
    double shares[3];
    must(starsplit_searcher_expectation(searcher, position, &nine, 3, share, NULL, shares, &comes_to, &error));
    check(comes_to.is_whole && comes_to.depth == nine.depth, "nothing has ended it");
    printf("first wins %.3f, second %.3f, open %.3f: %llu positions, %llu nodes\n", shares[0], shares[1], shares[2],
           (unsigned long long)comes_to.positions, (unsigned long long)comes_to.nodes);
    const double all = shares[0] + shares[1] + shares[2];
    check(all > 1 - 1e-9 && all < 1 + 1e-9, "shares are those of all leaves");

    int32_t code = 7;
    const starsplit_status failed =
        starsplit_searcher_expectation(searcher, position, &nine, 3, failing, &code, shares, &comes_to, &error);
    check(failed == STARSPLIT_ERROR_CALLBACK && error.callback_code == code, "a payload's own number comes back");
    search_to_the_end();

    starsplit_outcomes_free(outcomes);
    starsplit_result_free(after);
    starsplit_result_free(last);
    starsplit_result_free(pondering.result);
    starsplit_result_free(alone);
    starsplit_result_free(ranked);
    starsplit_handle_stop(handle);
    starsplit_handle_free(handle);
    starsplit_searcher_free(searcher);
    starsplit_position_free(rolled);
    starsplit_position_free(position);
    starsplit_game_free(game);
    return 0;
}
