/// Where a promise stands (domain §4).
///
/// ```
///             opensAt            closesAt            settlesAt
/// scheduled ───────────▶ tracking ─────────▶ settling ─────────▶ final
///     └──────────────────────┴───────────────────┴──▶ cancelled
/// ```
public enum PromiseStatus: String, Hashable, Sendable, Codable, CaseIterable {
    /// Before the window.
    case scheduled
    /// Inside the half-open window: positions flow.
    case tracking
    /// After the window: late uploads are still taken, nothing is shown live.
    case settling
    /// Decided.
    case final
    /// Called off by its owner; has no result.
    case cancelled
}
