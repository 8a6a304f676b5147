import CWebSockets
import Glibc
import Synchronization

/// The one thread that owns a library context: makes it, serves it, destroys it. As an executor it is the home of the
/// actor that lives on it.
///
/// Others put work into its mailbox and wake the loop. The mailbox is emptied at every turn of the loop and is bounded
/// by that alone: to drop from it would be to drop events. The bounded queues are the outboxes behind it.
final class ServiceThread: SerialExecutor {
    /// Something for the thread to do.
    enum Work: Sendable {
        /// A piece of an asynchronous function of the actor.
        case job(UnownedJob)
        /// A call that needs no answer.
        case command(LoopCommand)
    }

    private struct Mailbox {
        var work: [Work] = []
        /// The context's address while it may be woken, else 0.
        var context: UInt = 0
        var isSignalled = false
        var hasEnded = false
    }

    private let mailbox = Guarded(Mailbox())
    private let owner = Atomic<UInt>(0)

    /// Starts the thread, which ends with `body`; false when the system grants none.
    func start(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        NativeThread.run(named: name) { [self] in
            owner.store(UInt(pthread_self()), ordering: .releasing)
            body()
        }
    }

    // MARK: - From any thread

    /// Has the thread do `command`; false when it has ended.
    @discardableResult
    func post(_ command: LoopCommand) -> Bool { post(.command(command)) }

    private func post(_ work: Work) -> Bool {
        mailbox.withLock { mailbox in
            guard !mailbox.hasEnded else { return false }
            mailbox.work.append(work)
            // Called under the lock so that the context can't be destroyed meanwhile. It writes to an eventfd and
            // returns; it is the one call of the library that other threads may make.
            if !mailbox.isSignalled, let context = OpaquePointer(bitPattern: mailbox.context) {
                mailbox.isSignalled = true
                lws_cancel_service(context)
            }
            return true
        }
    }

    // MARK: - From the thread itself

    /// From now on work wakes this context; with what came before, it is woken at once.
    func wakes(_ context: OpaquePointer) {
        let address = UInt(bitPattern: context)
        mailbox.withLock { mailbox in
            mailbox.context = address
            mailbox.isSignalled = true
        }
        lws_cancel_service(context)
    }

    /// From now on nothing is woken: the context is about to be destroyed.
    func wakesNothing() { mailbox.withLock { $0.context = 0 } }

    /// Empties the mailbox.
    func takeWork() -> [Work] {
        mailbox.withLock { mailbox in
            mailbox.isSignalled = false
            guard !mailbox.work.isEmpty else { return [] }
            let work = mailbox.work
            mailbox.work = []
            return work
        }
    }

    /// Empties the mailbox for the last time: nothing is taken any more.
    func end() -> [Work] {
        mailbox.withLock { mailbox in
            mailbox.hasEnded = true
            let work = mailbox.work
            mailbox.work = []
            return work
        }
    }

    // MARK: - SerialExecutor

    func enqueue(_ job: consuming ExecutorJob) {
        let isTaken = post(.job(UnownedJob(job)))
        precondition(isTaken, "A service thread that has ended runs nothing.")
    }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "This belongs on the service thread.")
    }

    func isIsolatingCurrentContext() -> Bool? { owner.load(ordering: .acquiring) == UInt(pthread_self()) }
}
