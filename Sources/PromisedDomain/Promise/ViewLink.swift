/// A link by which people without an account watch one promise (domain §4). A promise has one or none.
public struct ViewLink: Hashable, Sendable {
    /// The SHA-256 of the code: 32 bytes. The code itself is known only to whom the owner gave it.
    public var codeHash: [UInt8]
    /// When it was made.
    public var createdAt: Instant
    /// The first instant at which it is good no more; nil for the end of the window.
    public var expiresAt: Instant?

    /// A link with all its fields.
    public init(codeHash: [UInt8], createdAt: Instant, expiresAt: Instant? = nil) {
        self.codeHash = codeHash
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// The first instant at which nobody watches by it any more: never after the window's end, also when the promise
    /// was moved since the link was made.
    public func end(in promise: Promise) -> Instant {
        min(expiresAt ?? promise.closesAt, promise.closesAt)
    }
}

/// What becomes of a promise's link in one step of its session.
public enum ViewLinkChange: Hashable, Sendable {
    /// This is the link now; one before it is good no more.
    case made(ViewLink)
    /// There is none any more.
    case revoked
}

/// Numbers of view links.
public enum ViewLinkLimits {
    /// At most so many connections watch by one link at a time.
    public static let viewers = 100
    /// The least time between two announcements of their number.
    public static let countInterval = TimeSpan.seconds(1)
}

/// Why those who watch by a link may watch no longer, as a stable word.
public enum ViewLinkEnd: String, Hashable, Sendable, CaseIterable {
    /// Its time is up, or the window's.
    case expired = "link-expired"
    /// The owner made it invalid.
    case revoked = "link-revoked"
    /// The owner made another one.
    case replaced = "link-replaced"
    /// The promise was called off.
    case cancelled = "promise-cancelled"
}
