// A disk that fails or loses its power, below an unchanged program that uses SQLite and keeps files of its own:
// `LD_PRELOAD` this library, and name a control file (disk.py) in CRASHING_DISK. Here are the unsynced changes, the loss of
// power, and a wrapper of SQLite's default file layer; folder.c has the other files.
//
// The library remembers each write and each truncation until the file is synced. When the power fails, it takes all of
// them back, so that the files are as at their last sync, and applies a part of them in another order and in sectors; the
// process ends by SIGKILL. Locks and shared memory pass through: they do not survive a loss of power anyway.
#include "disk.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SECTOR = 512 };

struct piece {
    const struct change *change;
    int64_t start, count;
};

struct file {
    sqlite3_file base;
    struct node *node;  // NULL: not remembered
    enum role role;
    sqlite3_file *real;
};

struct control *control;
bool is_cut;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs *root, shim;
static struct node *nodes;
static struct change *changes;
static size_t change_count, change_capacity;

void *required(void *memory) {
    if (memory == NULL) abort();
    return memory;
}

void *room_for_one(void *array, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return array;
    *capacity = *capacity * 2 + 64;
    return required(realloc(array, *capacity * size));
}

// --- Files and their changes ----------------------------------------------------------------------------------------

struct node *node_of(const char *path, ino_t inode) {
    for (struct node *node = nodes; node; node = node->next)
        if (path ? node->path && strcmp(node->path, path) == 0 : !node->path && node->inode == inode) return node;
    struct node *node = required(malloc(sizeof *node));
    // SQLite keeps a name only as long as the file is open; it is needed when the power fails.
    char *kept = path ? required(strdup(path)) : NULL;
    *node = (struct node){.path = kept, .inode = inode, .descriptor = -1, .next = nodes};
    return nodes = node;
}

void drop(struct node *node) {
    if (node == NULL || --node->uses > 0) return;
    struct node **link = &nodes;
    while (*link != node) link = &(*link)->next;
    *link = node->next;
    close(node->descriptor);
    free(node);
}

struct change *remember(struct node *node, int64_t offset, int64_t old_size, int64_t end) {
    changes = room_for_one(changes, change_count, &change_capacity, sizeof *changes);
    struct change *change = &changes[change_count++];
    *change = (struct change){.node = node, .offset = offset, .old_size = old_size};
    node->uses++;
    if (end > old_size) end = old_size;
    if (end > offset) change->old_count = end - offset;
    change->old_bytes = required(malloc(change->old_count + 1));
    return change;
}

void keep_new(struct change *change, const void *bytes, int64_t count) {
    change->count = count;
    change->bytes = memcpy(required(malloc(count + 1)), bytes, count);
}

void forget(struct node *node) {
    size_t kept = 0;
    node->uses++;
    for (size_t index = 0; index < change_count; index++) {
        if (changes[index].node != node) {
            changes[kept++] = changes[index];
            continue;
        }
        free(changes[index].bytes);
        free(changes[index].old_bytes);
        node->uses--;
    }
    change_count = kept;
    drop(node);
}

// --- The loss of power ----------------------------------------------------------------------------------------------

static uint64_t state;

// SplitMix64.
uint64_t next_random(void) {
    uint64_t value = state += 0x9e3779b97f4a7c15;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return value ^ value >> 31;
}

static int descriptor(struct node *node) {
    // A file of SQLite may have been deleted since; then nothing of it survives.
    if (node->descriptor < 0) node->descriptor = open(node->path, O_RDWR | O_CLOEXEC);
    return node->descriptor;
}

static void put(int number, const unsigned char *bytes, int64_t count, int64_t offset) {
    if (number >= 0 && count > 0 && pwrite(number, bytes, count, offset) != count) abort();
}

static void resize(int number, int64_t size) {
    if (number >= 0 && ftruncate(number, size) != 0) abort();
}

static void take_back(const struct change *change) {
    int number = descriptor(change->node);
    put(number, change->old_bytes, change->old_count, change->offset);
    resize(number, change->old_size);
}

static size_t pieces_of(const struct change *change, struct piece *pieces) {
    if (change->is_truncation) {
        if (pieces) *pieces = (struct piece){change, 0, 0};
        return 1;
    }
    size_t number = 0;
    for (int64_t start = 0; start < change->count; number++) {
        int64_t count = SECTOR - (change->offset + start) % SECTOR;
        if (count > change->count - start) count = change->count - start;
        if (pieces) pieces[number] = (struct piece){change, start, count};
        start += count;
    }
    return number;
}

static void apply(struct piece piece) {
    int number = descriptor(piece.change->node);
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
        size_t other = next_random() % index;
        struct piece piece = pieces[index - 1];
        pieces[index - 1] = pieces[other];
        pieces[other] = piece;
    }
    control->unsynced = count;
    uint64_t quarters = next_random() % 5;  // the share that survives
    for (size_t index = 0; index < count; index++) {
        if (next_random() % 4 >= quarters) continue;
        struct piece piece = pieces[index];
        // Few sectors are torn themselves.
        if (piece.count > 1 && next_random() % 16 == 0) piece.count = 1 + next_random() % (piece.count - 1);
        apply(piece);
        control->survived++;
    }
    lose_entries();
}

// Ends the process at once, in the midst of what its other threads do. A child is left to see to the files when nothing
// can read them any more; it holds the descriptors of the process until it is done.
static void fail_power(void) {
    pid_t process = getpid();
    if (fork() == 0) {
        is_cut = true;
        while (getppid() == process) usleep(100);
        lose_unsynced();
        _exit(0);
    }
    kill(process, SIGKILL);
    for (;;) pause();
}

void step(void) {
    control->operations++;
    if (control->cut_at > 0 && control->operations >= control->cut_at) fail_power();
}

// --- SQLite's files -------------------------------------------------------------------------------------------------

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

// Remembers what a change from `offset` to `end` replaces.
static struct change *keep_old(const struct file *file, int64_t offset, int64_t end) {
    sqlite3_int64 old_size = 0;
    REAL->xFileSize(file->real, &old_size);
    struct change *change = remember(file->node, offset, old_size, end);
    if (change->old_count == 0) return change;
    if (REAL->xRead(file->real, change->old_bytes, change->old_count, offset) != SQLITE_OK) abort();
    return change;
}

static int write_file(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
    FILE_OF(base);
    if (fails(WRITE, file->role)) return control->fault_code;
    if (file->node == NULL) return REAL->xWrite(file->real, bytes, count, offset);
    pthread_mutex_lock(&lock);
    step();
    keep_new(keep_old(file, offset, offset + count), bytes, count);
    int result = REAL->xWrite(file->real, bytes, count, offset);
    pthread_mutex_unlock(&lock);
    return result;
}

static int truncate_file(sqlite3_file *base, sqlite3_int64 size) {
    FILE_OF(base);
    if (fails(TRUNCATE, file->role)) return control->fault_code;
    if (file->node == NULL) return REAL->xTruncate(file->real, size);
    pthread_mutex_lock(&lock);
    step();
    keep_old(file, size, INT64_MAX)->is_truncation = true;
    int result = REAL->xTruncate(file->real, size);
    pthread_mutex_unlock(&lock);
    return result;
}

static int sync_file(sqlite3_file *base, int flags) {
    FILE_OF(base);
    if (fails(SYNC, file->role)) return control->fault_code;
    if (file->node == NULL) return REAL->xSync(file->real, flags);
    pthread_mutex_lock(&lock);
    step();
    // The real disk is not asked: its power does not fail, and the files of the tests need not wait for it.
    if (!(control->ignores_syncs & SQLITE_SYNCS)) forget(file->node);
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

static struct node *sqlite_node(const char *path) {
    pthread_mutex_lock(&lock);
    struct node *node = node_of(path, 0);
    if (node->uses == 0) node->uses = 1;  // they are few, and stay
    pthread_mutex_unlock(&lock);
    return node;
}

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
    file->node = is_remembered ? sqlite_node(path) : NULL;
    base->pMethods = &methods;
    return result;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncs) {
    (void)vfs;
    struct node *node = sqlite_node(path);
    pthread_mutex_lock(&lock);
    forget(node);
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
