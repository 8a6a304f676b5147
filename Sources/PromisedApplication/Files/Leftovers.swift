internal import PromisedDomain
internal import PromisedJournal

/// The sweep's record of where files may have left bytes behind.
struct Leftovers: Sendable {
    /// Since when this server creates files: older bytes without a row were left by a crash, however young they are.
    let startedAt: Instant
    /// When the storage was last compared with the store; nil before the first comparison.
    var comparedAt: Instant?
    /// The files whose bytes could not be deleted.
    var undeleted: Set<FileID> = []

    init(startedAt: Instant) { self.startedAt = startedAt }
}
