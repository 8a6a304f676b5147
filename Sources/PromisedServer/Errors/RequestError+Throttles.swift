internal import PromisedAccess
internal import PromisedProtocol
internal import PromisedWire

extension RequestError {
    /// Counts an attempt; too many are refused with `code`.
    static func limited<Value>(
        _ code: ErrorCode = .limitAttempts,
        _ count: () throws(TooManyAttempts) -> Value
    ) throws(RequestError) -> Value {
        do throws(TooManyAttempts) {
            return try count()
        } catch {
            throw RequestError(code, retryAfter: error.retryAfter)
        }
    }
}

extension WrongCodeCounting {
    /// Runs `body`, which tries a code; only a wrong one counts.
    ///
    /// - Throws: `limit.attempts`, and what `body` throws.
    func trying<Value: Sendable>(
        by key: Key,
        _ body: () async throws(RequestError) -> Value
    ) async throws(RequestError) -> Value {
        let instant = try RequestError.limited { () throws(TooManyAttempts) in try attempt(by: key) }
        do throws(RequestError) {
            let value = try await body()
            giveBack(key, instant)
            return value
        } catch {
            if error.code != .codeInvalid { giveBack(key, instant) }
            throw error
        }
    }
}
