// The folder `files` on the disk that loses its power (disk.c): the calls of the C library that make, write, truncate,
// sync, rename, link and delete files in it. If another call has made a file longer, the program ends when it closes the file.
//
// The bytes of a file survive as those of SQLite do, by sectors. Names survive as on a disk with a journal: the changes of
// a folder since its last sync are there up to a random one, whatever is left of the bytes. As fsync(2) warns, the sync of
// a file keeps no name, neither its own nor that of its folder.
#include "disk.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DESCRIPTORS = 65536 };

// An unsynced change of a folder: a file got a name (`to`), lost one (`from`) or both, and perhaps replaced another one.
// Of a folder that got its name there is no node.
struct entry {
    ino_t folder;
    char *from, *to;
    struct node *moved, *replaced;
};

static struct entry *entries;
static size_t entry_count, entry_capacity;
static struct node *opened[DESCRIPTORS];  // for writing, by the program's descriptors

// Finds the function of the C library that a function here stands for.
#define NEXT(name)                        \
    static __typeof__(name) *next_##name; \
    if (next_##name == NULL) next_##name = (__typeof__(name) *)required(dlsym(RTLD_NEXT, #name))

static bool is_active(void) { return control && !is_cut; }

static bool is_folder(const char *path, size_t length) {
    return is_active() && length >= 6 && memcmp(path + length - 6, "/files", 6) == 0;
}

static bool is_inside(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && is_folder(path, slash - path);
}

static struct node *node_at(int number) {
    return is_active() && number >= 0 && number < DESCRIPTORS ? opened[number] : NULL;
}

// --- Changes of a folder --------------------------------------------------------------------------------------------

// Begins a use of the file that has a name; NULL if there is none.
static struct node *node_named(const char *path) {
    struct stat status;
    if (lstat(path, &status) != 0) return NULL;
    struct node *node = node_of(NULL, status.st_ino);
    if (node->uses++ > 0) return node;
    node->size = status.st_size;
    node->descriptor = openat(AT_FDCWD, path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);  // `open` is the one below
    if (node->descriptor < 0) abort();
    return node;
}

static ino_t folder_of(const char *path) {
    struct stat status;
    char *folder = required(strndup(path, strrchr(path, '/') - path));
    if (stat(folder, &status) != 0) abort();
    free(folder);
    return status.st_ino;
}

// Remembers a change; the uses of the files become its own.
static void enter(const char *from, const char *to, struct node *moved, struct node *replaced) {
    entries = room_for_one(entries, entry_count, &entry_capacity, sizeof *entries);
    entries[entry_count++] = (struct entry){
        .folder = folder_of(to ? to : from),
        .from = from ? required(strdup(from)) : NULL,
        .to = to ? required(strdup(to)) : NULL,
        .moved = moved,
        .replaced = replaced,
    };
}

// The folder is synced.
static void forget_entries(ino_t folder) {
    size_t kept = 0;
    for (size_t index = 0; index < entry_count; index++) {
        struct entry *entry = &entries[index];
        if (entry->folder != folder) {
            entries[kept++] = *entry;
            continue;
        }
        drop(entry->moved);
        drop(entry->replaced);
        free(entry->from);
        free(entry->to);
    }
    entry_count = kept;
}

static bool has_entries(ino_t folder) {
    for (size_t index = 0; index < entry_count; index++)
        if (entries[index].folder == folder) return true;
    return false;
}

static int delete(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    return remove(path);
}

// Gives a name to a copy of a file: the file itself may have lost its last one.
static void restore(const struct node *node, const char *path) {
    int number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    char bytes[4096];
    ssize_t count;
    for (off_t offset = 0; (count = pread(node->descriptor, bytes, sizeof bytes, offset)) > 0; offset += count)
        if (pwrite(number, bytes, count, offset) != count) abort();
    if (count < 0 || close(number) != 0) abort();
}

static void take_back(const struct entry *entry) {
    if (entry->to) nftw(entry->to, delete, 8, FTW_DEPTH | FTW_PHYS);
    if (entry->from) restore(entry->moved, entry->from);
    if (entry->replaced) restore(entry->replaced, entry->to);
}

void lose_entries(void) {
    size_t kept = next_random() % (entry_count + 1);
    for (size_t index = entry_count; index > kept; index--) take_back(&entries[index - 1]);
    control->unsynced += entry_count;
    control->survived += kept;
}

// --- Calls ----------------------------------------------------------------------------------------------------------

static struct change *keep_old(struct node *node, off_t offset, off_t end) {
    struct change *change = remember(node, offset, node->size, end);
    if (pread(node->descriptor, change->old_bytes, change->old_count, offset) != change->old_count) abort();
    return change;
}

static void keep_truncation(struct node *node, off_t size) {
    keep_old(node, size, INT64_MAX)->is_truncation = true;
    node->size = size;
}

int open(const char *path, int flags, ...) {
    NEXT(open);
    mode_t mode = 0;
    if (__OPEN_NEEDS_MODE(flags)) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    if ((flags & O_ACCMODE) == O_RDONLY || !is_inside(path)) return next_open(path, flags, mode);
    pthread_mutex_lock(&lock);
    struct node *node = node_named(path);
    if (node ? flags & O_TRUNC : flags & O_CREAT) step();
    if (node && flags & O_TRUNC) keep_truncation(node, 0);
    int number = next_open(path, flags, mode);
    if (number >= DESCRIPTORS) abort();
    if (number >= 0 && node == NULL) {
        node = node_named(path);
        node->uses++;
        enter(NULL, path, node, NULL);
    }
    if (number >= 0) opened[number] = node;
    else drop(node);
    pthread_mutex_unlock(&lock);
    return number;
}

int close(int number) {
    NEXT(close);
    struct node *node = node_at(number);
    if (node == NULL) return next_close(number);
    pthread_mutex_lock(&lock);
    struct stat status;
    // Otherwise another call has written.
    if (fstat(number, &status) != 0 || status.st_size != node->size) abort();
    opened[number] = NULL;
    drop(node);
    pthread_mutex_unlock(&lock);
    return next_close(number);
}

ssize_t pwrite(int number, const void *bytes, size_t count, off_t offset) {
    NEXT(pwrite);
    struct node *node = node_at(number);
    if (node == NULL) return next_pwrite(number, bytes, count, offset);
    pthread_mutex_lock(&lock);
    step();
    struct change *change = keep_old(node, offset, offset + count);
    ssize_t written = next_pwrite(number, bytes, count, offset);
    if (written > 0) {
        keep_new(change, bytes, written);
        if (offset + written > node->size) node->size = offset + written;
    }
    pthread_mutex_unlock(&lock);
    return written;
}

int ftruncate(int number, off_t size) {
    NEXT(ftruncate);
    struct node *node = node_at(number);
    if (node == NULL) return next_ftruncate(number, size);
    pthread_mutex_lock(&lock);
    step();
    keep_truncation(node, size);
    int result = next_ftruncate(number, size);
    pthread_mutex_unlock(&lock);
    return result;
}

// The real disk is not asked: its power does not fail.
int fsync(int number) {
    NEXT(fsync);
    struct node *node = node_at(number);
    struct stat status;
    bool is_here = is_active() && fstat(number, &status) == 0 && (node || S_ISDIR(status.st_mode));
    if (!is_here) return next_fsync(number);
    pthread_mutex_lock(&lock);
    if (node || has_entries(status.st_ino)) step();
    if (!(control->ignores_syncs & FOLDER_SYNCS)) {
        if (node) forget(node);
        else forget_entries(status.st_ino);
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int rename(const char *from, const char *to) {
    NEXT(rename);
    if (!is_inside(from) || !is_inside(to)) return next_rename(from, to);
    pthread_mutex_lock(&lock);
    struct node *moved = node_named(from), *replaced = node_named(to);
    if (moved) step();
    int result = next_rename(from, to);
    if (result == 0) {
        enter(from, to, moved, replaced);
    } else {
        drop(moved);
        drop(replaced);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int link(const char *from, const char *to) {
    NEXT(link);
    if (!is_inside(from) || !is_inside(to)) return next_link(from, to);
    pthread_mutex_lock(&lock);
    struct node *node = node_named(from);
    if (node) step();
    int result = next_link(from, to);
    if (result == 0) enter(NULL, to, node, NULL);
    else drop(node);
    pthread_mutex_unlock(&lock);
    return result;
}

int unlink(const char *path) {
    NEXT(unlink);
    if (!is_inside(path)) return next_unlink(path);
    pthread_mutex_lock(&lock);
    struct node *node = node_named(path);
    if (node) step();
    int result = next_unlink(path);
    if (result == 0) enter(path, NULL, node, NULL);
    else drop(node);
    pthread_mutex_unlock(&lock);
    return result;
}

int mkdir(const char *path, mode_t mode) {
    NEXT(mkdir);
    if (!is_folder(path, strlen(path)) || access(path, F_OK) == 0) return next_mkdir(path, mode);
    pthread_mutex_lock(&lock);
    step();
    int result = next_mkdir(path, mode);
    if (result == 0) enter(NULL, path, NULL, NULL);
    pthread_mutex_unlock(&lock);
    return result;
}

// The names that programs compiled for large files use (Python).
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
ssize_t pwrite64(int number, const void *bytes, size_t count, off_t offset) __attribute__((alias("pwrite")));
int ftruncate64(int number, off_t size) __attribute__((alias("ftruncate")));
