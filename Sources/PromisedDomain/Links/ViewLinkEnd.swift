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
