/* Memory that runs out on request, for the compiled modules of knighttour alone.
 *
 * Preloaded before the C library (LD_PRELOAD). Calls of malloc, calloc, realloc and free whose caller lies
 * in a file named knighttour/_*.so are counted; the n-th allocation after fail_after(n) fails, n
 * from 0 on, and so do all later ones until fail_after(-1). live_blocks() is what those modules
 * have taken and not given back, so that a leak is seen exactly, whatever Python keeps.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

static _Thread_local int inside;  /* dladdr may allocate itself */
static long left = -1, live, asked;

void fail_after(long count) { left = count; asked = 0; }
long live_blocks(void) { return live; }
long allocations(void) { return asked; }

static int is_ours(void *caller)
{
    Dl_info info;
    int ours = 0;
    if (inside)
        return 0;
    inside = 1;
    if (dladdr(caller, &info) && info.dli_fname)
        ours = strstr(info.dli_fname, "knighttour/_") != NULL;
    inside = 0;
    return ours;
}

static int fails(void)
{
    asked++;
    if (left < 0)
        return 0;
    if (left == 0)
        return 1;
    left--;
    return 0;
}

void *malloc(size_t size)
{
    if (!is_ours(__builtin_return_address(0)))
        return __libc_malloc(size);
    if (fails())
        return NULL;
    live++;
    return __libc_malloc(size);
}

/* A compiler makes this of a malloc whose memory is cleared. */
void *calloc(size_t count, size_t size)
{
    if (!is_ours(__builtin_return_address(0)))
        return __libc_calloc(count, size);
    if (fails())
        return NULL;
    live++;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    if (!is_ours(__builtin_return_address(0)))
        return __libc_realloc(block, size);
    if (fails())
        return NULL;
    live += block == NULL;
    return __libc_realloc(block, size);
}

void free(void *block)
{
    if (block != NULL && is_ours(__builtin_return_address(0)))
        live--;
    __libc_free(block);
}
