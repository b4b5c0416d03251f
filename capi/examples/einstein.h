/* EinStein wuerfelt nicht on a board of 5 by 5, as a game of one's own: see einstein_game.c. */
#ifndef EINSTEIN_H
#define EINSTEIN_H

#include "starsplit.h"

enum { SIDE = 5, CELLS = SIDE * SIDE, STONES = 6, GONE = 255 };

/* What is next: to roll, the number rolled, or the end. */
enum { TO_ROLL = 0, WON = STONES + 1 };

typedef struct position {
    uint8_t cells[2][STONES]; /* where each player's stones are, or GONE */
    uint8_t to_act;           /* 0 or 1 */
    uint8_t stage;
} position;

/* The game as starsplit_game_define takes it. */
starsplit_game_functions einstein_functions(void);

/* The stones of both players in the order of their numbers, player 0 to roll. */
position einstein_start(void);

/* The position as the library's own game of that name writes it, a text of at most 100 bytes. */
void einstein_notation(const position *p, char *text);

#endif
