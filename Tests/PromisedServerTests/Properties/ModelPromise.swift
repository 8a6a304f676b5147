import PromisedProtocol

/// One promise as domain §4 describes it. Instants are milliseconds. Plain and slow.
struct ModelPromise: Hashable, Sendable {
    struct Member: Hashable, Sendable {
        var user: Int
        var membership: WireMembership.Value
        var acceptedAt: Int64?
        var endedAt: Int64?
    }

    static let before: Int64 = 30 * 60_000
    static let after: Int64 = 3 * 3_600_000
    static let settle: Int64 = 15 * 60_000
    static let furthest: Int64 = 366 * 24 * 3_600_000
    static let tolerance: Int64 = 2_000

    let number: Int
    var title: String
    var meetsAt: Int64
    var owner: Int
    var version = 1
    var isCancelled = false
    private(set) var members: [Member]

    init(_ specification: PromiseSpecification, by owner: Int, at now: Int64) {
        number = specification.number
        title = specification.title
        meetsAt = specification.meetsAt
        self.owner = owner
        members = [Member(user: owner, membership: .accepted, acceptedAt: now)]
        for user in specification.invitees { members.append(Member(user: user, membership: .invited)) }
    }

    // MARK: - The clock

    var opensAt: Int64 { meetsAt - ModelPromise.before }
    var closesAt: Int64 { meetsAt + ModelPromise.after }
    var settlesAt: Int64 { closesAt + ModelPromise.settle }

    func status(at now: Int64) -> WirePromiseStatus.Value {
        if isCancelled { return .cancelled }
        if now < opensAt { return .scheduled }
        if now < closesAt { return .tracking }
        return now < settlesAt ? .settling : .final
    }

    func isOver(at now: Int64) -> Bool { isCancelled || now >= settlesAt }

    /// `true` if answers and joining are rejected.
    func isClosed(at now: Int64) -> Bool { isCancelled || now >= closesAt }

    static func requireTime(_ meetsAt: Int64, at now: Int64) throws(No) {
        if meetsAt < now + before - tolerance { throw No(.promiseTooSoon) }
        if meetsAt > now + furthest { throw No(.promiseTooFar) }
    }

    // MARK: - The people

    func membership(of user: Int) -> WireMembership.Value? { members.first { $0.user == user }?.membership }

    func isIn(_ user: Int) -> Bool { membership(of: user) == .invited || membership(of: user) == .accepted }

    /// `true` if a user has a row in the result, and so sees the promise even after leaving (domain §8).
    func tookPart(_ user: Int) -> Bool {
        guard let member = members.first(where: { $0.user == user }) else { return false }
        switch member.membership {
        case .accepted: return true
        case .left, .removed: return member.acceptedAt != nil && (member.endedAt ?? 0) >= opensAt
        case .invited, .declined, .unspecified, .UNRECOGNIZED: return false
        }
    }

    func isVisible(to user: Int) -> Bool { isIn(user) || tookPart(user) }

    mutating func invite(_ user: Int) {
        members.removeAll { $0.user == user }
        members.append(Member(user: user, membership: .invited))
    }

    mutating func accept(_ user: Int, at now: Int64) {
        members.removeAll { $0.user == user }
        members.append(Member(user: user, membership: .accepted, acceptedAt: now))
    }

    mutating func end(_ user: Int, as membership: WireMembership.Value, at now: Int64) {
        guard let index = members.firstIndex(where: { $0.user == user }) else { return }
        members[index].membership = membership
        members[index].endedAt = now
    }

    /// Deletes a user's account (domain §2).
    ///
    /// - Parameter order: breaks a tie between two who accepted at the same instant: the smaller first.
    mutating func part(_ user: Int, at now: Int64, order: [Int]) {
        guard !isOver(at: now) else { return }
        if membership(of: user) == .invited { return end(user, as: .declined, at: now) }
        guard membership(of: user) == .accepted else { return }
        if owner == user {
            let heirs = members.filter { $0.membership == .accepted && $0.user != user }
            let heir = heirs.min { ($0.acceptedAt ?? 0, order[$0.user]) < ($1.acceptedAt ?? 0, order[$1.user]) }
            guard let heir else {
                isCancelled = true
                return
            }
            owner = heir.user
            version += 1
        }
        end(user, as: .left, at: now)
    }
}
