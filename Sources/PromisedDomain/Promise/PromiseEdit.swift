/// What an owner wants to be different about a promise; what is nil or empty stays (domain §4).
public struct PromiseEdit: Hashable, Sendable {
    /// The version that the change was made from.
    public var version: Int
    /// Another title, checked.
    public var title: String?
    /// Another note, checked; empty removes it.
    public var note: String?
    /// Another place, checked.
    public var place: Place?
    /// Another meeting time.
    public var meetsAt: Instant?
    /// Another radius in metres, within the limits.
    public var radiusMetres: Int?
    /// Another penalty; one of amount 0 removes it.
    public var penalty: Penalty?
    /// Friends to invite as well, without repeats.
    public var invite: [UserID]
    /// Participants to take out, without repeats.
    public var remove: [UserID]

    /// An edit made from a version, that changes nothing yet.
    public init(version: Int) {
        self.version = version
        invite = []
        remove = []
    }

    /// The first thing asked for, by its name on the wire, that is not possible once the window is open; nil when all is.
    var fieldClosedByOpening: String? {
        if place != nil { return "place" }
        if meetsAt != nil { return "meetsAt" }
        if radiusMetres != nil { return "radiusMetres" }
        if penalty != nil { return "penalty" }
        if !invite.isEmpty { return "invite" }
        return remove.isEmpty ? nil : "remove"
    }
}

extension Promise {
    /// Applies what an edit says about the promise itself; the version stays.
    ///
    /// - Returns: whether anything is different now.
    mutating func apply(_ edit: PromiseEdit) -> Bool {
        let before = self
        title = edit.title ?? title
        note = edit.note ?? note
        place = edit.place ?? place
        meetsAt = edit.meetsAt ?? meetsAt
        radiusMetres = edit.radiusMetres ?? radiusMetres
        if let asked = edit.penalty { penalty = asked.amount == 0 ? nil : asked }
        return self != before
    }
}
