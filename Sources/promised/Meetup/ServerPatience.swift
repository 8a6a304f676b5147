import PromisedClient
import PromisedProtocol

/// Repeats requests that the server refuses for the moment, such as those above the rate of a connection.
struct ServerPatience: Sendable {
    /// Waiting exactly as long as the server says would meet the same limit again if a clock is a little fast.
    private static let margin = Duration.milliseconds(10)

    /// The longest time that one request is repeated, in real time.
    let longest: Duration

    /// The result of `request`, made again after each refusal that says when to try again.
    ///
    /// - Throws: what `request` throws otherwise, or once the next try would come too late; `CancellationError`.
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
