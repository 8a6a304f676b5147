#ifndef C_CONCURRENCY_HOOKS_H
#define C_CONCURRENCY_HOOKS_H

#include <stddef.h>

/// Called with a job of Swift's runtime that would run on the cooperative pool, on the thread that enqueues it.
typedef void (*promised_job_handler)(void *_Nonnull job);

/// Gives all jobs of the cooperative pool to a handler from now on, for the whole process.
void promised_take_jobs(promised_job_handler _Nonnull handler);

#endif
