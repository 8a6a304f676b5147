// A disk that fails or loses its power, below an unchanged program that uses SQLite: `LD_PRELOAD` this library, and name a
// control file (bench/crashes/disk.py) in CRASHING_DISK. It wraps SQLite's default file layer.
//
// The library remembers each write and each truncation until the file is synced. When the power fails, it takes all of
// them back, so that the files are as at their last sync, and applies a part of them in another order and in sectors; the
// process ends by SIGKILL. Locks and shared memory pass through: they do not survive a loss of power anyway.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SECTOR = 512, FILES = 64 };
enum kind { WRITE = 1, SYNC = 2, READ = 4, TRUNCATE = 8, OPEN = 16, SHARED_MEMORY = 32 };
enum role { DATABASE = 1, LOG = 2, OTHER = 4 };

// The control file. The driver writes the first part, this library the second.
struct control {
    uint64_t cut_at;         // the power fails at this operation, counted from 1; 0: never
    uint64_t seed;           // decides what survives
    uint32_t ignores_syncs;  // 1: a sync keeps nothing, as on a drive that lies
    uint32_t fault_kinds;    // operations that fail, a sum of `kind`
    uint32_t fault_roles;    // files on which they fail, a sum of `role`
    int32_t fault_code;      // the result code that they return
    uint64_t fault_at;       // the first of them that fails, counted from 1
    uint64_t fault_count;    // how many fail

    uint64_t operations;  // writes, truncations and syncs so far
    uint64_t matched;     // operations of the kinds and files that fail
    uint64_t failed;      // operations that have failed
    uint64_t unsynced;    // sectors and truncations that were not synced when the power failed
    uint64_t survived;    // those of them that were kept
};

struct change {
    const char *path;
    bool is_truncation;
    sqlite3_int64 offset;    // of a truncation the new size
    sqlite3_int64 old_size;  // of the file
    int count, old_count;    // bytes now and before
    unsigned char *bytes, *old_bytes;
};

struct piece {
    const struct change *change;
    int start, count;
};

struct file {
    sqlite3_file base;
    const char *path;  // NULL: not remembered
    enum role role;
    sqlite3_file *real;
};

static struct control *control;
static sqlite3_vfs *root, shim;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct change *changes;
static size_t change_count, change_capacity;

static void *required(void *memory) {
    if (memory == NULL) abort();
    return memory;
}

// --- The loss of power ----------------------------------------------------------------------------------------------

static uint64_t state;

// SplitMix64.
static uint64_t next(void) {
    uint64_t value = state += 0x9e3779b97f4a7c15;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return value ^ value >> 31;
}

// A descriptor of our own for each file. It is never closed, because that would end the process's locks on the file.
static int descriptor(const char *path) {
    static struct { const char *path; int number; } open_files[FILES];
    int index = 0;
    for (; index < FILES && open_files[index].path; index++)
        if (strcmp(open_files[index].path, path) == 0) return open_files[index].number;
    if (index == FILES) abort();
    open_files[index].path = path;
    // The file may have been deleted since; then nothing of it survives.
    return open_files[index].number = open(path, O_RDWR | O_CLOEXEC);
}

static void put(int number, const unsigned char *bytes, int count, sqlite3_int64 offset) {
    if (number >= 0 && count > 0 && pwrite(number, bytes, count, offset) != count) abort();
}

static void resize(int number, sqlite3_int64 size) {
    if (number >= 0 && ftruncate(number, size) != 0) abort();
}

static void take_back(const struct change *change) {
    int number = descriptor(change->path);
    put(number, change->old_bytes, change->old_count, change->offset);
    resize(number, change->old_size);
}

static size_t pieces_of(const struct change *change, struct piece *pieces) {
    if (change->is_truncation) {
        if (pieces) *pieces = (struct piece){change, 0, 0};
        return 1;
    }
    size_t number = 0;
    for (int start = 0; start < change->count; number++) {
        int count = SECTOR - (int)((change->offset + start) % SECTOR);
        if (count > change->count - start) count = change->count - start;
        if (pieces) pieces[number] = (struct piece){change, start, count};
        start += count;
    }
    return number;
}

static void apply(struct piece piece) {
    int number = descriptor(piece.change->path);
    if (piece.change->is_truncation) resize(number, piece.change->offset);
    else put(number, piece.change->bytes + piece.start, piece.count, piece.change->offset + piece.start);
}

// Leaves the files as a disk without power leaves them.
static void lose_unsynced(void) {
    state = control->seed;
    size_t count = 0, filled = 0;
    for (size_t index = change_count; index-- > 0;) take_back(&changes[index]);
    for (size_t index = 0; index < change_count; index++) count += pieces_of(&changes[index], NULL);
    struct piece *pieces = required(malloc((count + 1) * sizeof *pieces));
    for (size_t index = 0; index < change_count; index++) filled += pieces_of(&changes[index], pieces + filled);
    for (size_t index = count; index > 1; index--) {
        size_t other = next() % index;
        struct piece piece = pieces[index - 1];
        pieces[index - 1] = pieces[other];
        pieces[other] = piece;
    }
    control->unsynced = count;
    uint64_t quarters = next() % 5;  // the share that survives
    for (size_t index = 0; index < count; index++) {
        if (next() % 4 >= quarters) continue;
        // Few sectors are torn themselves.
        if (pieces[index].count > 1 && next() % 16 == 0) pieces[index].count = 1 + next() % (pieces[index].count - 1);
        apply(pieces[index]);
        control->survived++;
    }
}

// Ends the process at once, in the midst of what its other threads do. A child is left to see to the files when nothing
// can read them any more; it holds the descriptors of the process until it is done.
static void fail_power(void) {
    pid_t process = getpid();
    if (fork() == 0) {
        while (getppid() == process) usleep(100);
        lose_unsynced();
        _exit(0);
    }
    kill(process, SIGKILL);
    for (;;) pause();
}

// Counts an operation of a remembered file, with `lock` held.
static void step(void) {
    control->operations++;
    if (control->cut_at > 0 && control->operations >= control->cut_at) fail_power();
}

static struct change *remember(const struct file *file, sqlite3_int64 offset) {
    if (change_count == change_capacity) {
        change_capacity = change_capacity * 2 + 64;
        changes = required(realloc(changes, change_capacity * sizeof *changes));
    }
    struct change *change = &changes[change_count++];
    *change = (struct change){.path = file->path, .offset = offset};
    file->real->pMethods->xFileSize(file->real, &change->old_size);
    return change;
}

// Keeps the bytes that `change` replaces.
static void keep_old(const struct file *file, struct change *change, sqlite3_int64 end) {
    if (end > change->old_size) end = change->old_size;
    if (end <= change->offset) return;
    change->old_count = end - change->offset;
    change->old_bytes = required(malloc(change->old_count));
    if (file->real->pMethods->xRead(file->real, change->old_bytes, change->old_count, change->offset) != SQLITE_OK) abort();
}

static void forget(const char *path) {
    size_t kept = 0;
    for (size_t index = 0; index < change_count; index++) {
        if (strcmp(changes[index].path, path) != 0) {
            changes[kept++] = changes[index];
            continue;
        }
        free(changes[index].bytes);
        free(changes[index].old_bytes);
    }
    change_count = kept;
}

// --- Files ----------------------------------------------------------------------------------------------------------

// True if this operation has to fail.
static bool fails(enum kind kind, enum role role) {
    if (!(control->fault_kinds & kind) || !(control->fault_roles & role)) return false;
    uint64_t number = __atomic_add_fetch(&control->matched, 1, __ATOMIC_RELAXED);
    if (number < control->fault_at || number - control->fault_at >= control->fault_count) return false;
    __atomic_add_fetch(&control->failed, 1, __ATOMIC_RELAXED);
    return true;
}

#define FILE_OF(base) struct file *file = (struct file *)(base)
#define REAL (file->real->pMethods)

static int close_file(sqlite3_file *base) {
    FILE_OF(base);
    return REAL->xClose(file->real);
}

static int read_file(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
    FILE_OF(base);
    if (fails(READ, file->role)) return control->fault_code;
    return REAL->xRead(file->real, bytes, count, offset);
}

static int write_file(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
    FILE_OF(base);
    if (fails(WRITE, file->role)) return control->fault_code;
    if (file->path == NULL) return REAL->xWrite(file->real, bytes, count, offset);
    pthread_mutex_lock(&lock);
    step();
    struct change *change = remember(file, offset);
    keep_old(file, change, offset + count);
    change->count = count;
    change->bytes = memcpy(required(malloc(count)), bytes, count);
    int result = REAL->xWrite(file->real, bytes, count, offset);
    pthread_mutex_unlock(&lock);
    return result;
}

static int truncate_file(sqlite3_file *base, sqlite3_int64 size) {
    FILE_OF(base);
    if (fails(TRUNCATE, file->role)) return control->fault_code;
    if (file->path == NULL) return REAL->xTruncate(file->real, size);
    pthread_mutex_lock(&lock);
    step();
    struct change *change = remember(file, size);
    change->is_truncation = true;
    keep_old(file, change, change->old_size);
    int result = REAL->xTruncate(file->real, size);
    pthread_mutex_unlock(&lock);
    return result;
}

static int sync_file(sqlite3_file *base, int flags) {
    FILE_OF(base);
    if (fails(SYNC, file->role)) return control->fault_code;
    if (file->path == NULL) return REAL->xSync(file->real, flags);
    pthread_mutex_lock(&lock);
    step();
    // The real disk is not asked: its power does not fail, and the files of the tests need not wait for it.
    if (!control->ignores_syncs) forget(file->path);
    pthread_mutex_unlock(&lock);
    return SQLITE_OK;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) { FILE_OF(base); return REAL->xFileSize(file->real, size); }
static int lock_file(sqlite3_file *base, int level) { FILE_OF(base); return REAL->xLock(file->real, level); }
static int unlock_file(sqlite3_file *base, int level) { FILE_OF(base); return REAL->xUnlock(file->real, level); }
static int is_reserved(sqlite3_file *base, int *is) { FILE_OF(base); return REAL->xCheckReservedLock(file->real, is); }
static int file_control(sqlite3_file *base, int verb, void *value) {
    FILE_OF(base);
    return REAL->xFileControl(file->real, verb, value);
}
static int sector_size(sqlite3_file *base) { FILE_OF(base); return REAL->xSectorSize(file->real); }
static int characteristics(sqlite3_file *base) { FILE_OF(base); return REAL->xDeviceCharacteristics(file->real); }
static int map_shared(sqlite3_file *base, int page, int size, int extends, void volatile **memory) {
    FILE_OF(base);
    if (fails(SHARED_MEMORY, file->role)) return control->fault_code;
    return REAL->xShmMap(file->real, page, size, extends, memory);
}
static int lock_shared(sqlite3_file *base, int offset, int count, int flags) {
    FILE_OF(base);
    return REAL->xShmLock(file->real, offset, count, flags);
}
static void barrier(sqlite3_file *base) { FILE_OF(base); REAL->xShmBarrier(file->real); }
static int unmap_shared(sqlite3_file *base, int deletes) { FILE_OF(base); return REAL->xShmUnmap(file->real, deletes); }
static int fetch(sqlite3_file *base, sqlite3_int64 offset, int count, void **memory) {
    FILE_OF(base);
    return REAL->xFetch(file->real, offset, count, memory);
}
static int unfetch(sqlite3_file *base, sqlite3_int64 offset, void *memory) {
    FILE_OF(base);
    return REAL->xUnfetch(file->real, offset, memory);
}

static const sqlite3_io_methods methods = {
    3, close_file, read_file, write_file, truncate_file, sync_file, file_size, lock_file, unlock_file, is_reserved,
    file_control, sector_size, characteristics, map_shared, lock_shared, barrier, unmap_shared, fetch, unfetch,
};

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *opened) {
    FILE_OF(base);
    (void)vfs;
    enum role role = flags & SQLITE_OPEN_MAIN_DB ? DATABASE : flags & SQLITE_OPEN_WAL ? LOG : OTHER;
    base->pMethods = NULL;
    if (fails(OPEN, role)) return control->fault_code;
    file->role = role;
    file->real = (sqlite3_file *)(file + 1);
    int result = root->xOpen(root, path, file->real, flags, opened);
    if (file->real->pMethods == NULL) return result;
    bool is_remembered = path && flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL);
    // SQLite keeps the name only as long as the file is open; it is needed when the power fails.
    file->path = is_remembered ? required(strdup(path)) : NULL;
    base->pMethods = &methods;
    return result;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncs) {
    (void)vfs;
    pthread_mutex_lock(&lock);
    forget(path);
    pthread_mutex_unlock(&lock);
    return root->xDelete(root, path, syncs);
}

__attribute__((constructor)) static void install(void) {
    const char *path = getenv("CRASHING_DISK");
    if (path == NULL) return;
    int number = open(path, O_RDWR | O_CLOEXEC);
    if (number < 0) abort();
    control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0);
    if (control == MAP_FAILED) abort();
    close(number);
    root = sqlite3_vfs_find(NULL);
    if (root == NULL) abort();
    shim = *root;
    shim.zName = "promised-disk";
    shim.szOsFile = sizeof(struct file) + root->szOsFile;
    shim.xOpen = open_file;
    shim.xDelete = delete_file;
    shim.pNext = NULL;
    if (sqlite3_vfs_register(&shim, 1) != SQLITE_OK) abort();
}
