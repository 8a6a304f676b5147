// The parts of the disk that disk.c and folder.c share. `lock` is held wherever changes are looked at.
#ifndef DISK_H
#define DISK_H
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum kind { WRITE = 1, SYNC = 2, READ = 4, TRUNCATE = 8, OPEN = 16, SHARED_MEMORY = 32 };
enum role { DATABASE = 1, LOG = 2, OTHER = 4 };
enum { SQLITE_SYNCS = 1, FOLDER_SYNCS = 2 };

// The control file. The driver writes the first part, this library the second.
struct control {
    uint64_t cut_at;         // the power fails at this operation, counted from 1; 0: never
    uint64_t seed;           // decides what survives
    uint32_t ignores_syncs;  // syncs that keep nothing, as on a drive that lies: a sum of SQLITE_SYNCS and FOLDER_SYNCS
    uint32_t fault_kinds;    // operations that fail, a sum of `kind`
    uint32_t fault_roles;    // files on which they fail, a sum of `role`
    int32_t fault_code;      // the result code that they return
    uint64_t fault_at;       // the first of them that fails, counted from 1
    uint64_t fault_count;    // how many fail

    uint64_t operations;  // writes, truncations, syncs and changes of a folder so far
    uint64_t matched;     // operations of the kinds and files that fail
    uint64_t failed;      // operations that have failed
    uint64_t unsynced;    // sectors, truncations and changes of a folder that were not synced when the power failed
    uint64_t survived;    // those of them that were kept
};

// A file.
struct node {
    const char *path;  // of a file of SQLite; others may change their names
    ino_t inode;       // of another file
    int descriptor;    // our own; -1: it is opened when the power fails
    int uses;          // by changes, entries and the program's descriptors; at 0 the node goes
    int64_t size;      // of another file
    struct node *next;
};

// An unsynced change of a file.
struct change {
    struct node *node;
    bool is_truncation;
    int64_t offset;            // of a truncation the new size
    int64_t old_size;          // of the file
    int64_t count, old_count;  // bytes now and before
    unsigned char *bytes, *old_bytes;
};

extern struct control *control;  // NULL: nothing is simulated
extern bool is_cut;              // in the process that is left after the loss of power
extern pthread_mutex_t lock;

void *required(void *memory);
// The array, with room for one more element.
void *room_for_one(void *array, size_t count, size_t *capacity, size_t size);
uint64_t next_random(void);
// Counts an operation; the power may fail at it.
void step(void);
// The node of a path, or else of an inode; a new one has no uses.
struct node *node_of(const char *path, ino_t inode);
// Ends a use of a node, if it is one.
void drop(struct node *node);
// Makes a change that replaces what lies from `offset` to `end`; the caller fills in the old bytes.
struct change *remember(struct node *node, int64_t offset, int64_t old_size, int64_t end);
void keep_new(struct change *change, const void *bytes, int64_t count);
// The file is synced.
void forget(struct node *node);
// Takes back unsynced changes of folders, from the last one to a random one (folder.c).
void lose_entries(void);
#endif
