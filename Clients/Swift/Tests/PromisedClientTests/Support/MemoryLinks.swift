import PromisedClient
import Synchronization

/// Connections in memory; a test plays the server at the other end of each.
final class MemoryLinks: ClientTransport {
    /// Why an attempt failed.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The client's steps, in order.
    enum Effect: Hashable, Sendable {
        case opened
        case failed
        case drew
    }

    /// The outcome of an attempt.
    enum Plan: Sendable {
        /// It fails at once.
        case fails(String)
        /// It hangs until it is cancelled.
        case hangs
    }

    /// The client's steps, in order.
    let journal = Mailbox<Effect>()
    /// Attempts that hang.
    let hanging = Mailbox<Void>()
    private let links = Mailbox<MemoryLink>()
    private let plans: Mutex<[Plan]>
    private let shutDowns = Mutex(0)

    /// The first attempts follow `plans`, all others succeed.
    init(_ plans: [Plan] = []) {
        self.plans = Mutex(plans)
    }

    /// How often the client has shut down its connections.
    var shutDownCount: Int { shutDowns.withLock { $0 } }

    /// The server's end of the next connection.
    func accept() async throws -> MemoryLink { try await links.next() }

    func connect(_ request: LinkRequest) async throws -> MemoryLink {
        let plan = plans.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        switch plan {
        case .fails(let text):
            journal.put(.failed)
            throw Failure(description: text)
        case .hangs:
            let (never, forever) = AsyncStream.makeStream(of: Never.self, bufferingPolicy: .bufferingOldest(1))
            hanging.put(())
            for await _ in never {}
            forever.finish()
            throw CancellationError()
        case nil:
            let link = MemoryLink()
            journal.put(.opened)
            links.put(link)
            return link
        }
    }

    func shutDown() async { shutDowns.withLock { $0 += 1 } }
}

/// Always draws the same number and records each draw, so a test sees every wait.
struct NotingGenerator: RandomNumberGenerator, Sendable {
    let journal: Mailbox<MemoryLinks.Effect>

    mutating func next() -> UInt64 {
        journal.put(.drew)
        return 1 << 63
    }
}
