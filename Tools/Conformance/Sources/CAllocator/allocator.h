#ifndef CALLOCATOR_H
#define CALLOCATOR_H

// Defines __GLIBC__ where it applies.
#include <stdlib.h>

#if defined(__GLIBC__)
#include <malloc.h>

/// The bytes that malloc has handed out and that weren't freed, over all arenas.
///
/// Swift has no mallinfo2.
static inline size_t soak_allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
#else
static inline size_t soak_allocated_bytes(void) { return 0; }
#endif

#endif
