/*
 * A sliding puzzle of ROWS by COLUMNS squares: the same states and transitions as `puzzle` in Sources/exploration/Models.swift.
 * One process that is always in the same place: a state is the tiles and the gap. Half of all orders can be reached.
 */
#define SQUARES (ROWS * COLUMNS)

byte tile[SQUARES] = { TILES };
byte gap = SQUARES - 1;

active proctype hand()
{
	do
	:: d_step { gap >= COLUMNS -> tile[gap] = tile[gap - COLUMNS]; gap = gap - COLUMNS; tile[gap] = 0 }
	:: d_step { gap < SQUARES - COLUMNS -> tile[gap] = tile[gap + COLUMNS]; gap = gap + COLUMNS; tile[gap] = 0 }
	:: d_step { gap % COLUMNS > 0 -> tile[gap] = tile[gap - 1]; gap = gap - 1; tile[gap] = 0 }
	:: d_step { gap % COLUMNS < COLUMNS - 1 -> tile[gap] = tile[gap + 1]; gap = gap + 1; tile[gap] = 0 }
	od
}
