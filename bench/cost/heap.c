// Counts the bytes that a process has allocated: loaded before its C library, it writes to the file named by
// COUNTED_HEAP the bytes now, and the most since somebody set that to the bytes now.

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *old);

struct counts {
    atomic_long now, most;
};

static struct counts early;
static struct counts *counts = &early;

static void *added(void *block) {
    if (block) {
        long size = (long)malloc_usable_size(block), now = atomic_fetch_add(&counts->now, size) + size;
        long most = atomic_load(&counts->most);
        while (now > most && !atomic_compare_exchange_weak(&counts->most, &most, now)) {}
    }
    return block;
}

static void removed(long size) { atomic_fetch_sub(&counts->now, size); }

void *malloc(size_t size) { return added(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return added(__libc_calloc(count, size)); }
void *memalign(size_t alignment, size_t size) { return added(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    void *found = memalign(alignment, size);
    if (!found) return ENOMEM;
    *block = found;
    return 0;
}

void free(void *block) {
    if (block) removed((long)malloc_usable_size(block));
    __libc_free(block);
}

void *realloc(void *old, size_t size) {
    long before = old ? (long)malloc_usable_size(old) : 0;
    void *block = __libc_realloc(old, size);
    if (block || !size) removed(before);
    return added(block);
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("COUNTED_HEAP");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    struct counts *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared == MAP_FAILED) return;
    atomic_store(&shared->now, atomic_load(&early.now));
    atomic_store(&shared->most, atomic_load(&early.most));
    counts = shared;
}
