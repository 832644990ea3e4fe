#include "allocations.h"
#include <stddef.h>
#include <stdlib.h>

#if defined(__GLIBC__)
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

// The program's own functions stand in for those of the C library, in every library that it loads.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_bool is_counting;
static atomic_long count, freed;

static inline void add(atomic_long *number) {
    if (atomic_load_explicit(&is_counting, memory_order_relaxed)) atomic_fetch_add_explicit(number, 1, memory_order_relaxed);
}
// Of the thread that has asked for it.
static _Thread_local bool is_counting_here;
static _Thread_local long count_here;
static inline void note(void) {
    if (is_counting_here) count_here++;
    add(&count);
}

void *malloc(size_t size) { note(); return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { note(); return __libc_calloc(number, size); }
void *realloc(void *old, size_t size) {
    note();
    if (old) add(&freed);
    return __libc_realloc(old, size);
}
void free(void *memory) {
    if (memory) add(&freed);
    __libc_free(memory);
}
void *aligned_alloc(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }
int posix_memalign(void **result, size_t alignment, size_t size) {
    note();
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}

bool allocations_are_counted(void) { return true; }
void allocations_start(void) {
    atomic_store(&count, 0);
    atomic_store(&freed, 0);
    atomic_store(&is_counting, true);
}
long allocations_stop(void) { atomic_store(&is_counting, false); return atomic_load(&count); }
long allocations_alive(void) { return atomic_load(&count) - atomic_load(&freed); }
void allocations_start_here(void) {
    count_here = 0;
    is_counting_here = true;
}
long allocations_stop_here(void) {
    is_counting_here = false;
    return count_here;
}
long allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}
#else
bool allocations_are_counted(void) { return false; }
void allocations_start(void) {}
long allocations_stop(void) { return 0; }
long allocations_alive(void) { return 0; }
void allocations_start_here(void) {}
long allocations_stop_here(void) { return 0; }
long allocated_bytes(void) { return 0; }
#endif
