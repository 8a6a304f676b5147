import PromisedClient
import PromisedProtocol

/// A client that stays within the server's request rate per connection (`limits.request-rate`).
struct PacedCaller: Sendable {
    /// The time between two requests: 20 a second, the server's default.
    static let spacing = Duration.milliseconds(50)

    private let client: PromisedClient
    private var next = LoadTime.now

    init(_ client: PromisedClient) { self.client = client }

    /// Sends a request when the rate allows it, and waits for its reply.
    ///
    /// - Throws: ``ClientError``.
    mutating func call(_ request: WireRequest) async throws(ClientError) -> WireContent {
        try await Self.pause(until: next)
        next = max(next, .now) + Self.spacing
        return try await client.call(request)
    }

    /// Waits.
    ///
    /// - Throws: `cancelled`.
    static func pause(until moment: LoadTime) async throws(ClientError) {
        do {
            try await LoadTime.sleep(until: moment)
        } catch {
            throw .cancelled
        }
    }
}
