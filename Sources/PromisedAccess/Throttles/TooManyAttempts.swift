/// Something was tried too often.
package struct TooManyAttempts: Error, Hashable, Sendable {
    /// How long until it may be tried again, on the real clock.
    package let retryAfter: Duration

    /// Too many; it may be tried again after this long.
    package init(retryAfter: Duration) {
        self.retryAfter = retryAfter
    }
}
