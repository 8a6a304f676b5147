import PromisedClient
import PromisedCommandLine
import PromisedProtocol

/// A reply that is divided into pages.
protocol Page: Sendable {
    /// The cursor of the next page; empty on the last.
    var cursor: String { get set }
    var count: Int { get }
    mutating func append(_ next: Self)
}

extension Administration {
    /// All pages combined, without a cursor.
    ///
    /// - Parameters:
    ///   - limit: the most items; nil for all.
    ///   - size: the most items per page.
    ///   - form: creates the request for the page after a cursor, with at most this many items.
    func pages<Reply: Page>(
        upTo limit: Int?,
        size: Int = 50,
        _ form: (_ cursor: String?, _ limit: Int32) -> AdminForm<Reply>
    ) async throws(Failure) -> Reply {
        func next(_ count: Int) -> Int32 { Int32(clamping: min(size, (limit ?? .max) - count)) }
        var whole = try await ask(form(nil, next(0)))
        while !whole.cursor.isEmpty, next(whole.count) > 0 {
            let page = try await ask(form(whole.cursor, next(whole.count)))
            whole.append(page)
            whole.cursor = page.cursor
        }
        whole.cursor = ""
        return whole
    }
}

extension WireAdminUsers: Page {
    var count: Int { users.count }
    mutating func append(_ next: WireAdminUsers) { users += next.users }
}

extension WireFriends: Page {
    var count: Int { users.count }
    mutating func append(_ next: WireFriends) { users += next.users }
}

extension WireFriendRequests: Page {
    var count: Int { incoming.count + outgoing.count }
    mutating func append(_ next: WireFriendRequests) {
        incoming += next.incoming
        outgoing += next.outgoing
    }
}

extension WirePromises: Page {
    var count: Int { promises.count }
    mutating func append(_ next: WirePromises) { promises += next.promises }
}

extension WireExplanation: Page {
    var count: Int { fixes.count }
    mutating func append(_ next: WireExplanation) {
        revisions += next.revisions
        fixes += next.fixes
        // The first pages may contain only changes.
        if next.hasNoArrival { noArrival = next.noArrival }
        if next.hasHold { hold = next.hold }
    }
}

extension WireAdminSessions: Page {
    var count: Int { sessions.count }
    mutating func append(_ next: WireAdminSessions) { sessions += next.sessions }
}

extension WirePlaces: Page {
    var count: Int { cards.count }
    mutating func append(_ next: WirePlaces) {
        cards += next.cards
        // Each page has the sources of its own places.
        let known = Set(sources.map(\.name))
        sources += next.sources.filter { !known.contains($0.name) }
        sources.sort { $0.name < $1.name }
    }
}

extension WireAdminCourses: Page {
    var count: Int { courses.count }
    mutating func append(_ next: WireAdminCourses) { courses += next.courses }
}

extension WireAdminAudit: Page {
    var count: Int { entries.count }
    mutating func append(_ next: WireAdminAudit) { entries += next.entries }
}

extension Administration {
    /// The single user with this id, nickname or e-mail address. Throws `refused` with suggestions if there is none,
    /// with the ids if there are several.
    func user(named name: String) async throws(Failure) -> WireAdminUser {
        let found = try await ask(.findUsers(named: name))
        guard let user = found.users.first else {
            throw .refused("no user has the id, nickname or e-mail \(name.printable)\(Self.hint(found.suggestions))")
        }
        guard found.users.count == 1 else {
            let ids = found.users.map { "\($0.user.userID) (\($0.user.nickname.printable))" }
            throw .refused("\(name.printable) is ambiguous; use an id: \(ids.joined(separator: ", "))")
        }
        return user
    }

    /// The ids of users by their names, in the same order.
    func userIDs(named names: [String]) async throws(Failure) -> [String] {
        var ids: [String] = []
        for name in names { ids.append(try await user(named: name).user.userID) }
        return ids
    }

    private static func hint(_ suggestions: [String]) -> String {
        suggestions.isEmpty ? "" : "; did you mean \(suggestions.map(\.printable).joined(separator: ", "))?"
    }
}
