/// Whether a refused request may succeed later.
public enum Retry: String, Hashable, Sendable, CaseIterable {
    /// Not as it stands.
    case never = "NEVER"
    /// After a while; `retryAfterMs` says how long where that is known.
    case later = "LATER"
    /// After connecting, signing in or subscribing again.
    case afterRejoin = "AFTER_REJOIN"
}
