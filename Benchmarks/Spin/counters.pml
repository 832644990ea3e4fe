/*
 * Four counters, each of which goes from 0 up to, but not, LIMIT, and then begins anew: LIMIT to the power of four states, and
 * from each four transitions. The same as `counters` in Sources/exploration/Models.swift.
 */
byte counter[4];

active proctype hand()
{
	do
	:: d_step { counter[0] = (counter[0] + 1) % LIMIT }
	:: d_step { counter[1] = (counter[1] + 1) % LIMIT }
	:: d_step { counter[2] = (counter[2] + 1) % LIMIT }
	:: d_step { counter[3] = (counter[3] + 1) % LIMIT }
	od
}
