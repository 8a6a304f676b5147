/// A user's role in a promise, which decides what they may do with it (domain §3 and §4).
///
/// | | knows of it | participates | owns it | sees the result |
/// |---|---|---|---|---|
/// | stranger | no | no | no | no |
/// | invited | yes | no | no | no |
/// | accepted | yes | yes | no | yes |
/// | owner | yes | yes | yes | yes |
/// | out | of their own way out | no | no | with a row |
package struct Standing: Hashable, Sendable {
    /// The role of a user.
    package enum Part: Hashable, Sendable {
        /// No role, now or ever.
        case stranger
        /// Invited, not answered.
        case invited
        /// Participates.
        case accepted
        /// Participates, and owns the promise.
        case owner
        /// Declined, left or was removed; a user who participated in the window still has a row in the result.
        case out(hasRow: Bool)
    }

    package let part: Part
    /// The users with a block in either direction: neither side sees the other's live data.
    package let hidden: Set<UserID>

    package init(_ part: Part, hidden: Set<UserID> = []) {
        self.part = part
        self.hidden = hidden
    }

    /// The standing of a participant in a promise. `participant` is nil for a stranger.
    package init(of participant: Participant?, in promise: Promise, hidden: Set<UserID> = []) {
        let part: Part =
            switch participant?.membership {
            case nil: .stranger
            case .invited: .invited
            case .accepted: participant?.userID == promise.ownerID ? .owner : .accepted
            case .declined, .left, .removed: .out(hasRow: participant?.tookPart(from: promise.opensAt) ?? false)
            }
        self.init(part, hidden: hidden)
    }

    /// `true` if the user participates: reports, sees and is seen.
    package var isAccepted: Bool { part == .accepted || part == .owner }

    /// `true` if the promise is shown to the user: they are in it, or have a row in the result.
    package var mayRead: Bool {
        switch part {
        case .invited, .accepted, .owner, .out(hasRow: true): true
        case .stranger, .out(hasRow: false): false
        }
    }

    /// - Throws: `promiseNotFound` if the promise is not shown to the user.
    package func requireReading() throws(Refusal) {
        guard mayRead else { throw .promiseNotFound }
    }

    /// - Throws: `promiseNotFound` unless invited or accepted.
    package func requireIn() throws(Refusal) {
        switch part {
        case .invited, .accepted, .owner: return
        case .stranger, .out: throw .promiseNotFound
        }
    }

    /// - Throws: `promiseNotFound` for a stranger, `promiseNotAccepted` for invited and former participants.
    package func requireAccepted() throws(Refusal) {
        switch part {
        case .accepted, .owner: return
        case .invited, .out: throw .promiseNotAccepted
        case .stranger: throw .promiseNotFound
        }
    }

    /// Checks that a user owns the promise. Invited users know of the promise, so they get `promiseNotOwner`. Throws
    /// `promiseNotFound` unless invited or accepted, `promiseNotOwner`.
    package func requireOwner() throws(Refusal) {
        try requireIn()
        guard part == .owner else { throw .promiseNotOwner }
    }

    /// - Throws: `promiseNotFound` without a row in the result.
    package func requireRow() throws(Refusal) {
        switch part {
        case .accepted, .owner, .out(hasRow: true): return
        case .stranger, .invited, .out(hasRow: false): throw .promiseNotFound
        }
    }
}
