internal import Dispatch
internal import PromisedConcurrency
package import PromisedDomain

/// Runs work of one kind serially, off the cooperative pool, so that it never delays a meetup.
///
/// Users take turns: before each of their pieces, a user waits for at most one piece of every other user. The pieces of
/// one user run in order of submission.
///
/// The bound counts waiting work, not the piece in progress. Cancelling the calling task does not cancel its work.
package final class WorkQueue: Sendable {
    /// The most waiting pieces of work.
    package static let limit = 256

    private let thread: WorkThread
    private let waitingCount = Guarded(0)
    private let pieces = Guarded(WaitingPieces())
    private let subject: String

    /// - Parameters:
    ///   - label: the name that debuggers show.
    ///   - subject: completes the sentence "Too many requests about … wait".
    ///   - thread: runs the work; nil for its own thread.
    package init(label: String, about subject: String, on thread: WorkThread? = nil) {
        self.thread = thread ?? .own(label)
        self.subject = subject
    }

    package var waiting: Int { waitingCount.withLock { $0 } }

    /// Runs `work` when its turn comes. Throws `unavailable` if the queue is full.
    ///
    /// - Parameter user: the user whose turn it uses; nil for the server and its operator, who take turns like one
    ///   user.
    package func run<Value: Sendable>(
        inTurnOf user: UserID? = nil,
        _ work: @escaping @Sendable () -> Value
    ) async throws(ApplicationError) -> Value {
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

/// The waiting pieces of work, by user.
private struct WaitingPieces: Sendable {
    typealias Piece = @Sendable () -> Void

    /// Users with at least one piece, in order of their turns.
    private var users: [UserID?] = []
    private var pieces: [UserID?: [Piece]] = [:]

    mutating func add(_ piece: @escaping Piece, of user: UserID?) {
        if pieces[user] == nil { users.append(user) }
        pieces[user, default: []].append(piece)
    }

    /// Removes the next piece of the user whose turn it is, and moves that user to the end.
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

/// Runs the work of a ``WorkQueue`` in order of submission.
package struct WorkThread: Sendable {
    /// Runs a piece of work after the earlier ones, now or later.
    package let run: @Sendable (@escaping @Sendable () -> Void) -> Void

    package init(run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.run = run }

    /// Runs the work at once on the caller's thread; for simulations.
    package static let calling = WorkThread { $0() }

    /// A dedicated thread, available however busy the other threads are.
    ///
    /// - Parameter label: the name that debuggers show.
    static func own(_ label: String) -> WorkThread {
        // A queue without a target shares its thread with no other.
        let queue = DispatchQueue(label: label, qos: .userInitiated)
        return WorkThread { queue.async(execute: $0) }
    }
}
