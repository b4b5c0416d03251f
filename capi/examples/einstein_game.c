/* The rules of EinStein wuerfelt nicht (Althoefer 2004) and an evaluation by hand, as functions of positions.
 *
 * Player 0's stones start at the top left and move right, down or both; player 1's start at the bottom right and move
 * left, up or both. The stone of the number rolled moves; where it is gone, the next lower or the next higher one that
 * is left. Whoever reaches the far corner, or takes the last stone of the other, has won. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "einstein.h"

static unsigned row(unsigned cell) { return cell / SIDE; }
static unsigned column(unsigned cell) { return cell % SIDE; }
static unsigned goal(unsigned player) { return player == 0 ? CELLS - 1 : 0; }

static unsigned stones_left(const position *p, unsigned player) {
    unsigned left = 0;
    for (int stone = 0; stone < STONES; stone++) {
        left += p->cells[player][stone] != GONE;
    }
    return left;
}

/* The moves that a player's foremost stone needs to the far corner. */
static unsigned nearest(const position *p, unsigned player) {
    unsigned least = GONE;
    for (int stone = 0; stone < STONES; stone++) {
        unsigned cell = p->cells[player][stone];
        if (cell != GONE) {
            unsigned rows = (unsigned)abs((int)row(cell) - (int)row(goal(player)));
            unsigned columns = (unsigned)abs((int)column(cell) - (int)column(goal(player)));
            unsigned moves = rows > columns ? rows : columns;
            least = moves < least ? moves : least;
        }
    }
    return least;
}

static uint64_t mixed(uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

static int describe(void *user, const void *at, starsplit_node *node) {
    (void)user;
    const position *p = at;
    uint64_t words[2] = {0, 0};
    memcpy(words, p, sizeof *p);
    node->kind = p->stage == WON ? STARSPLIT_TERMINAL : p->stage == TO_ROLL ? STARSPLIT_CHANCE : STARSPLIT_DECISION;
    node->player = p->to_act;
    node->hash[0] = mixed(words[0] ^ mixed(words[1]));
    node->hash[1] = mixed(words[1] + mixed(words[0] + 1));
    node->terminal_value = p->to_act == 0 ? -1 : 1; /* the move before it has won */
    return 0;
}

/* A move is the stone and the cell it moves to: stone * CELLS + cell. */
static int moves(void *user, const void *at, uint32_t *list, size_t capacity) {
    (void)user;
    const position *p = at;
    const uint8_t *cells = p->cells[p->to_act];
    const int rolled = p->stage - 1;
    int movable[2] = {rolled, -1};
    if (cells[rolled] == GONE) {
        for (movable[0] = rolled - 1; movable[0] >= 0 && cells[movable[0]] == GONE;) {
            movable[0]--;
        }
        for (movable[1] = rolled + 1; movable[1] < STONES && cells[movable[1]] == GONE;) {
            movable[1]++;
        }
    }
    const int step = p->to_act == 0 ? 1 : -1;
    size_t count = 0;
    for (int i = 0; i < 2; i++) {
        if (movable[i] < 0 || movable[i] >= STONES) {
            continue;
        }
        const int cell = cells[movable[i]];
        const bool down = p->to_act == 0 ? row((unsigned)cell) + 1 < SIDE : row((unsigned)cell) > 0;
        const bool across = p->to_act == 0 ? column((unsigned)cell) + 1 < SIDE : column((unsigned)cell) > 0;
        const bool can[3] = {down && across, down, across};
        const int to[3] = {cell + step * (SIDE + 1), cell + step * SIDE, cell + step};
        for (int way = 0; way < 3; way++) {
            if (can[way]) {
                if (count < capacity) {
                    list[count] = (uint32_t)(movable[i] * CELLS + to[way]);
                }
                count++;
            }
        }
    }
    return (int)count;
}

static int play(void *user, const void *at, uint32_t move, void *next) {
    (void)user;
    position *after = next;
    memcpy(after, at, sizeof *after);
    const unsigned mover = after->to_act, stone = move / CELLS, to = move % CELLS;
    for (unsigned player = 0; player < 2; player++) {
        for (int other = 0; other < STONES; other++) {
            if (after->cells[player][other] == to) {
                after->cells[player][other] = GONE;
            }
        }
    }
    after->cells[mover][stone] = (uint8_t)to;
    after->to_act = (uint8_t)(1 - mover);
    after->stage = to == goal(mover) || stones_left(after, 1 - mover) == 0 ? WON : TO_ROLL;
    return 0;
}

static int outcomes(void *user, const void *at, starsplit_outcome *list, size_t capacity) {
    (void)user;
    (void)at;
    for (uint32_t stone = 0; stone < STONES && stone < capacity; stone++) {
        list[stone] = (starsplit_outcome){.outcome = stone, .weight = 1};
    }
    return STONES;
}

static int resolve(void *user, const void *at, uint32_t outcome, void *next) {
    (void)user;
    position *after = next;
    memcpy(after, at, sizeof *after);
    after->stage = (uint8_t)(outcome + 1);
    return 0;
}

/* A stone more is a drawback: whose stone is gone has a choice. */
static int evaluate(void *user, const void *const *positions, size_t count, double *values) {
    (void)user;
    for (size_t i = 0; i < count; i++) {
        const position *p = positions[i];
        const unsigned own = p->to_act, other = 1 - own;
        int lead = -4 * ((int)stones_left(p, own) - (int)stones_left(p, other)) +
                   12 * ((int)nearest(p, other) - (int)nearest(p, own)) + 6;
        lead = lead > 63 ? 63 : lead < -63 ? -63 : lead;
        values[i] = (own == 0 ? lead : -lead) / 64.0;
    }
    return 0;
}

starsplit_game_functions einstein_functions(void) {
    return (starsplit_game_functions){
        .size = sizeof(starsplit_game_functions),
        .name = "einstein in C",
        .rules_identity = 1,
        .evaluator_identity = 1,
        .position_size = sizeof(position),
        .low = -1,
        .high = 1,
        .depth_step = 2,
        .move_slots = STONES * CELLS,
        .evaluation_ignores_outcomes = true,
        .outcomes_never_end = true,
        .describe = describe,
        .moves = moves,
        .play = play,
        .outcomes = outcomes,
        .resolve = resolve,
        .evaluate = evaluate,
    };
}

position einstein_start(void) {
    static const uint8_t corner[STONES] = {0, 1, 2, 5, 6, 10};
    position p = {.to_act = 0, .stage = TO_ROLL};
    for (int stone = 0; stone < STONES; stone++) {
        p.cells[0][stone] = corner[stone];
        p.cells[1][stone] = (uint8_t)(CELLS - 1 - corner[stone]);
    }
    return p;
}

void einstein_notation(const position *p, char *text) {
    for (unsigned cell = 0; cell < CELLS; cell++) {
        char sign = '.', number = '.';
        for (int player = 0; player < 2; player++) {
            for (int stone = 0; stone < STONES; stone++) {
                if (p->cells[player][stone] == cell) {
                    sign = player == 0 ? 'x' : 'o';
                    number = (char)('1' + stone);
                }
            }
        }
        text += sprintf(text, "%s%c%c", cell > 0 && column(cell) == 0 ? "/" : "", sign, number);
    }
    const char roll = p->stage == TO_ROLL ? '-' : (char)('0' + p->stage);
    sprintf(text, " %c %c", p->to_act == 0 ? 'x' : 'o', roll);
}
