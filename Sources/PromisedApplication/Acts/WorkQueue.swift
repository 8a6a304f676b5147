internal import Dispatch
internal import PromisedConcurrency
package import PromisedDomain

/// Runs work of one kind, one piece after the other, off the cooperative pool, so that none holds up a meetup.
///
/// Users take turns: however many pieces wait for one of them, those of another wait for one piece of each user before
/// them. Those of one user run in the order in which they came.
///
/// The bound counts waiting work, not the piece in progress. Work is not cancelled with the task that asked for it.
package final class WorkQueue: Sendable {
    /// The most pieces of work that may wait.
    package static let limit = 256

    private let thread: WorkThread
    private let waitingCount = Guarded(0)
    private let pieces = Guarded(WaitingPieces())
    private let subject: String

    /// An empty queue.
    ///
    /// - Parameters:
    ///   - label: the name that debuggers show.
    ///   - subject: completes the sentence "Too many requests about … wait".
    ///   - thread: runs the work; nil for a thread of its own.
    package init(label: String, about subject: String, on thread: WorkThread? = nil) {
        self.thread = thread ?? .own(label)
        self.subject = subject
    }

    /// How many pieces of work wait.
    package var waiting: Int { waitingCount.withLock { $0 } }

    /// Runs `work` when its turn comes. Throws `unavailable` if the queue is full.
    ///
    /// - Parameter user: the user in whose turn it runs; nil for the server and its operator, who take turns like one user.
    package func run<Value: Sendable>(
        inTurnOf user: UserID? = nil,
        _ work: @escaping @Sendable () -> Value
    ) async throws(ActError) -> Value {
        let hasRoom = waitingCount.withLock { waiting in
            guard waiting < WorkQueue.limit else { return false }
            waiting += 1
            return true
        }
        guard hasRoom else {
            throw .unavailable(retryAfter: .seconds(1), message: "Too many requests about \(subject) wait: try again.")
        }
        return await withCheckedContinuation { continuation in
            pieces.withLock { $0.add({ continuation.resume(returning: work()) }, of: user) }
            thread.run { [self] in
                waitingCount.withLock { $0 -= 1 }
                pieces.withLock { $0.next() }?()
            }
        }
    }
}

/// The pieces of work that wait, by user.
private struct WaitingPieces: Sendable {
    typealias Piece = @Sendable () -> Void

    /// Each with at least one piece, the next one first.
    private var users: [UserID?] = []
    private var pieces: [UserID?: [Piece]] = [:]

    mutating func add(_ piece: @escaping Piece, of user: UserID?) {
        if pieces[user] == nil { users.append(user) }
        pieces[user, default: []].append(piece)
    }

    /// Takes the next piece of the user whose turn it is, who is the last one then.
    mutating func next() -> Piece? {
        guard !users.isEmpty else { return nil }
        let user = users.removeFirst()
        guard var own = pieces.removeValue(forKey: user), !own.isEmpty else { return nil }
        let piece = own.removeFirst()
        if !own.isEmpty {
            pieces[user] = own
            users.append(user)
        }
        return piece
    }
}

/// Runs the work of a ``WorkQueue`` in the order in which it comes.
package struct WorkThread: Sendable {
    /// Runs a piece of work after those before it, now or later.
    package let run: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// A thread that `run` stands for.
    package init(run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.run = run }

    /// Runs the work at once on the caller's thread; for simulations.
    package static let calling = WorkThread { $0() }

    /// A thread that exists whenever there is work, however busy the others are.
    ///
    /// - Parameter label: the name that debuggers show.
    static func own(_ label: String) -> WorkThread {
        // Without a target it shares no thread.
        let queue = DispatchQueue(label: label, qos: .userInitiated)
        return WorkThread { queue.async(execute: $0) }
    }
}
