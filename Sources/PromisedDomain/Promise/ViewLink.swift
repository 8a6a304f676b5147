/// A link by which people without an account view one promise (domain §4). A promise has at most one.
package struct ViewLink: Hashable, Sendable {
    /// The SHA-256 of the code: 32 bytes. The code itself is not stored.
    package var codeHash: [UInt8]
    /// When it was created.
    package var createdAt: Instant
    /// The first instant at which it is invalid; nil for the end of the window.
    package var expiresAt: Instant?

    package init(codeHash: [UInt8], createdAt: Instant, expiresAt: Instant? = nil) {
        self.codeHash = codeHash
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// The first instant at which the link is invalid: never after the window's end, even if the promise was moved
    /// after the link was created.
    package func end(in promise: Promise) -> Instant { min(expiresAt ?? promise.closesAt, promise.closesAt) }
}

/// A change of a promise's link in one step of its session.
package enum ViewLinkChange: Hashable, Sendable {
    /// This is the current link; it replaces the previous one.
    case made(ViewLink)
    /// The link is revoked.
    case revoked
}

package enum ViewLinkLimits {
    /// The most connections that view by one link at a time.
    package static let viewers = 100
    /// The minimum time between two announcements of their number.
    package static let countInterval = TimeSpan.seconds(1)
}

/// Why viewing by a link has ended, as a stable word.
package enum ViewLinkEnd: String, Hashable, Sendable, CaseIterable {
    /// The link or the window has expired.
    case expired = "link-expired"
    /// The owner revoked it.
    case revoked = "link-revoked"
    /// The owner replaced it.
    case replaced = "link-replaced"
    /// The promise was cancelled.
    case cancelled = "promise-cancelled"
}
