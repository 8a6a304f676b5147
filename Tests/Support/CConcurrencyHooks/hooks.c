#include "CConcurrencyHooks.h"

// The runtime's own hooks for debuggers and simulators: swift/Runtime/Concurrency.h. They use Swift's calling convention.
#define SWIFT_CALL __attribute__((swiftcall))

extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *job, void *original);

static promised_job_handler current_handler;

static SWIFT_CALL void enqueue(void *job, void *original) {
    (void)original;
    current_handler(job);
}

void promised_take_jobs(promised_job_handler handler) {
    current_handler = handler;
    swift_task_enqueueGlobal_hook = enqueue;
}
