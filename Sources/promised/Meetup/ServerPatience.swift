import PromisedClient
import PromisedProtocol

/// Repeats requests that the server refuses temporarily, for example above the rate limit of a connection.
struct ServerPatience: Sendable {
    /// Added to the server's waiting time, which would hit the same limit again if a clock is slightly fast.
    private static let margin = Duration.milliseconds(10)

    /// How long one request is repeated, in real time.
    let longest: Duration

    /// The result of `request`, repeated after each refusal with a waiting time.
    ///
    /// - Throws: other errors of `request`, or its last error once the next attempt would be too late;
    ///   `CancellationError`.
    func repeating<Value>(_ request: () async throws -> Value) async throws -> Value {
        let end = ContinuousClock.now + longest
        while true {
            do {
                return try await request()
            } catch ClientError.refused(let reply) where reply.retryAfterMs > 0 {
                let wait = Duration.milliseconds(Int64(reply.retryAfterMs)) + Self.margin
                guard ContinuousClock.now + wait <= end else { throw ClientError.refused(reply) }
                try await Task.sleep(for: wait, clock: .continuous)
            }
        }
    }
}
