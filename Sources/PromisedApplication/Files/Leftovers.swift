internal import PromisedDomain

/// Bytes that files may have left behind, for the sweep.
struct Leftovers: Sendable {
    /// Since when this server makes files: older bytes without a row were left by a crash, however young they are.
    let startedAt: Instant
    /// When the vault was compared with the store for the last time; nil before the first time.
    var comparedAt: Instant?
    /// The files whose bytes could not be deleted.
    var undeleted: Set<FileID> = []

    /// Nothing is known at the start.
    init(startedAt: Instant) { self.startedAt = startedAt }
}
