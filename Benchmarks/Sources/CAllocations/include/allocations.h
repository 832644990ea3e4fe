#pragma once
#include <stdbool.h>

/// Whether allocations can be counted on this system: where it is glibc's malloc that they end in.
bool allocations_are_counted(void);

/// Counts from zero on. Off, an allocation pays one look at a flag, so that times are not those of the counter.
void allocations_start(void);

/// Counts no more.
///
/// Returns how many there have been, of all threads.
long allocations_stop(void);

/// How many more have been allocated than freed since counting began. What was there before and is freed counts as less than none.
long allocations_alive(void);

/// The bytes that are allocated just now.
long allocated_bytes(void);

/// Counts what the calling thread allocates, from zero on.
void allocations_start_here(void);

/// Counts no more for the calling thread.
///
/// Returns how many there have been.
long allocations_stop_here(void);
