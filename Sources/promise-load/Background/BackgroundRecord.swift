import PromisedClient
import PromisedConcurrency
import PromisedProtocol

/// Collects the counts of all background users.
final class BackgroundRecord: Sendable {
    private let tally = Guarded(BackgroundTally())
    private let measured: Range<LoadTime>

    /// A record of the work in the measured time.
    init(measured: Range<LoadTime>) { self.measured = measured }

    /// The counts so far.
    var counts: BackgroundTally { tally.withLock { $0 } }

    /// Counts work done now, if it is in the measured time.
    func note(at now: LoadTime = .now, _ change: @Sendable (inout BackgroundTally) -> Void) {
        guard measured.contains(now) else { return }
        tally.withLock { change(&$0) }
    }

    /// Records the complete export.
    func exported(in span: Duration, bytes: Int) {
        tally.withLock { ($0.exportSeconds, $0.exportBytes) = (span.inSeconds, bytes) }
    }

    /// Counts an error at any time.
    func fail(_ work: String, _ code: String) { tally.withLock { $0.count(error: code, of: work) } }

    /// Counts the error of a call, unless the run was aborted.
    func fail(_ work: String, _ error: ClientError) {
        switch error {
        case .refused(let reply): fail(work, reply.code)
        case .disconnected: fail(work, "disconnected")
        case .timedOut: fail(work, "timed-out")
        case .unexpectedReply: fail(work, "unexpected-reply")
        case .unencodable, .readTooSlowly, .corrupted: fail(work, "client")
        case .closed: fail(work, "closed")
        case .cancelled: break
        }
    }
}
