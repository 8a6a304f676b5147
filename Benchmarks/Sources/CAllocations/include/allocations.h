#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

/// How often this process has allocated memory so far, on all threads.
unsigned long allocations_so_far(void);

#endif
