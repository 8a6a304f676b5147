import CWebSockets
import Dispatch
import Glibc
internal import PromisedConcurrency
import Synchronization

/// The only thread that uses a library context: creates, serves and destroys it. It is the executor of the actors on
/// it.
///
/// Other threads add work to its mailbox and wake the loop. The mailbox is emptied in every iteration of the loop and
/// has no other bound, because dropping work would drop events. The outboxes behind it are bounded. Actors that outlive
/// the thread continue on a system queue, still one job at a time.
final class ServiceThread: SerialExecutor {
    /// Work for the thread.
    enum Work: Sendable {
        /// A job of the actor.
        case job(UnownedJob)
        /// A call without a reply.
        case command(LoopCommand)
    }

    private struct Mailbox {
        var work: [Work] = []
        /// The context's address while it may be woken, else 0.
        var context: UInt = 0
        /// `true` if the loop was woken and has not returned to its sockets since.
        var isSignalled = false
        var hasEnded = false

        /// Wakes the loop unless it is awake. Called under the lock, so that the context can't be destroyed meanwhile.
        /// It writes to an eventfd and returns; it is the only library call allowed on other threads.
        mutating func signal() {
            guard !isSignalled, let context = OpaquePointer(bitPattern: context) else { return }
            isSignalled = true
            lws_cancel_service(context)
        }
    }

    private let mailbox = Guarded(Mailbox())
    /// The thread that runs the jobs: the loop's, later the queue's; 0 before and in between.
    private let owner = Atomic<UInt>(0)
    private let hasStarted = Atomic(false)
    private let afterlife = DispatchQueue(label: "promised-net-ended")

    /// Starts the thread, which ends with `body`; `false` if the system cannot create one.
    func start(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let isStarted = NativeThread.run(named: name) { [self] in
            owner.store(UInt(pthread_self()), ordering: .releasing)
            body()
        }
        if isStarted { hasStarted.store(true, ordering: .releasing) }
        return isStarted
    }

    // MARK: - From any thread

    /// Runs `command` on the thread; `false` if the thread has ended.
    @discardableResult
    func post(_ command: LoopCommand) -> Bool { post(.command(command)) }

    private func post(_ work: Work) -> Bool {
        mailbox.withLock { mailbox in
            guard !mailbox.hasEnded else { return false }
            mailbox.work.append(work)
            mailbox.signal()
            return true
        }
    }

    // MARK: - From the thread itself

    /// From now on, work wakes this context; wakes it at once if work waits.
    func wakes(_ context: OpaquePointer) {
        let address = UInt(bitPattern: context)
        mailbox.withLock { mailbox in
            mailbox.context = address
            mailbox.isSignalled = true
        }
        lws_cancel_service(context)
    }

    /// From now on, work wakes no context: it is about to be destroyed.
    func wakesNothing() { mailbox.withLock { $0.context = 0 } }
    var isIdle: Bool { mailbox.withLock { $0.work.isEmpty } }

    /// Exchanges an empty list for the work in the mailbox. Until ``rest()`` the loop counts as awake, so new work does
    /// not wake it. Returns `false` if there was no work.
    func takeWork(into work: inout [Work]) -> Bool {
        mailbox.withLock { mailbox in
            mailbox.isSignalled = true
            swap(&mailbox.work, &work)
        }
        return !work.isEmpty
    }

    /// Call this when the loop returns to its sockets: work left in the mailbox wakes it again.
    func rest() {
        mailbox.withLock { mailbox in
            mailbox.isSignalled = false
            if !mailbox.work.isEmpty { mailbox.signal() }
        }
    }

    /// Passes the remaining work to `decline`; once none is left, rejects new work.
    func end(_ decline: (Work) -> Void) {
        while true {
            let left = mailbox.withLock { mailbox in
                defer { mailbox.work = [] }
                if mailbox.work.isEmpty {
                    // Before the queue can run: from then on, only the queue sets the owner.
                    owner.store(0, ordering: .releasing)
                    mailbox.hasEnded = true
                }
                return mailbox.work
            }
            guard !left.isEmpty else { return }
            for work in left { decline(work) }
        }
    }

    /// Handles the waiting work of a thread that will never start, as if it had ended.
    func cancel() {
        guard !hasStarted.load(ordering: .acquiring) else { return }
        let left = mailbox.withLock { mailbox in
            defer { mailbox.work = [] }
            mailbox.hasEnded = true
            return mailbox.work
        }
        for work in left {
            if case .job(let job) = work { runInAfterlife(job) }
        }
    }

    private func runInAfterlife(_ job: UnownedJob) {
        afterlife.async { [self] in
            owner.store(UInt(pthread_self()), ordering: .releasing)
            job.runSynchronously(on: asUnownedSerialExecutor())
            owner.store(0, ordering: .releasing)
        }
    }

    // MARK: - SerialExecutor

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if !post(.job(job)) { runInAfterlife(job) }
    }

    func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "This belongs on the service thread.") }
    func isIsolatingCurrentContext() -> Bool? { owner.load(ordering: .acquiring) == UInt(pthread_self()) }
}
