internal import PromisedApplication
internal import PromisedConcurrency
package import PromisedDomain
package import PromisedEngine

/// The connections of this node, by number, by user and by administrator's token.
package final class Connections: FocusLeases {
    private struct Table: Sendable {
        var all: [UInt64: Connection] = [:]
        /// Signed-in connections of a user, oldest first.
        var users: [UserID: [UInt64]] = [:]
        /// Signed-in connections of an administrator's token, oldest first.
        var tokens: [AdminTokenID: [UInt64]] = [:]
    }

    private let table = Guarded(Table())

    init() {}

    package var count: Int { table.withLock { $0.all.count } }

    /// The numbers of connections with and without a sign-in, and of users.
    package var census: (signedIn: Int, anonymous: Int, users: Int) {
        table.withLock { table in
            let signedIn = table.users.values.reduce(0) { $0 + $1.count }
            return (signedIn, table.all.count - signedIn, table.users.count { !$0.value.isEmpty })
        }
    }

    func insert(_ connection: Connection) {
        table.withLock { $0.all[connection.id.rawValue] = connection }
    }

    /// Removes a connection.
    ///
    /// - Returns: the connection; nil if it is unknown.
    func remove(_ number: UInt64) -> Connection? {
        table.withLock { table in
            guard let connection = table.all.removeValue(forKey: number) else { return nil }
            if let userID = connection.identity?.userID { table.users.remove(number, of: userID) }
            if let token = connection.administrator?.tokenID { table.tokens.remove(number, of: token) }
            return connection
        }
    }

    subscript(number: UInt64) -> Connection? { table.withLock { $0.all[number] } }

    package func focusEnd(of connection: SubscriberID) -> Instant? { self[connection.rawValue]?.focusEnd }

    /// The connections with these numbers, except ended ones.
    func connections(_ ids: some Sequence<UInt64>) -> [Connection] {
        table.withLock { table in ids.compactMap { table.all[$0] } }
    }

    /// A user's signed-in connections, oldest first.
    func connections(of userID: UserID) -> [Connection] {
        table.withLock { table in (table.users[userID] ?? []).compactMap { table.all[$0] } }
    }

    var everyConnection: [Connection] { table.withLock { Array($0.all.values) } }

    /// Signs a connection in, or renews its identity. Returns the user's oldest connections beyond `limit`, which must
    /// be closed.
    func signIn(_ connection: Connection, as identity: Identity, limit: Int) -> [Connection] {
        table.withLock { table in
            let number = connection.id.rawValue
            guard table.all[number] != nil else { return [] }
            let former = connection.signIn(as: identity)
            table.users.move(number, from: former?.userID, to: identity.userID)
            return table.users[identity.userID, default: []].dropLast(limit).compactMap { table.all[$0] }
        }
    }

    /// Signs a connection in as an administrator, possibly with another token than before.
    ///
    /// - Returns: the token's oldest connections beyond `limit`, which must be closed.
    func signIn(_ connection: Connection, as administrator: Administrator, limit: Int) -> [Connection] {
        table.withLock { table in
            let number = connection.id.rawValue
            guard table.all[number] != nil else { return [] }
            let former = connection.signIn(as: administrator)
            table.tokens.move(number, from: former?.tokenID, to: administrator.tokenID)
            return table.tokens[administrator.tokenID, default: []].dropLast(limit).compactMap { table.all[$0] }
        }
    }
}

extension Dictionary where Value == [UInt64] {
    /// Removes a number under a key, and the key with its last number.
    fileprivate mutating func remove(_ number: UInt64, of key: Key) {
        self[key]?.removeAll { $0 == number }
        if self[key]?.isEmpty == true { self[key] = nil }
    }

    /// Adds a number under a key, unless it is already there, and removes it from the former key.
    fileprivate mutating func move(_ number: UInt64, from former: Key?, to key: Key) {
        guard former != key else { return }
        if let former { remove(number, of: former) }
        self[key, default: []].append(number)
    }
}

/// Texts shared by many connections, each stored once.
///
/// Bounded: beyond ``limit`` texts it starts again empty; existing holders keep their copies.
final class SharedTexts: Sendable {
    /// The largest number of texts.
    static let limit = 256

    private let known = Guarded(Set<String>())

    var count: Int { known.withLock { $0.count } }

    /// An equal text that shares the storage of the first one.
    func shared(_ text: String) -> String {
        known.withLock { known in
            if let index = known.firstIndex(of: text) { return known[index] }
            if known.count >= SharedTexts.limit { known.removeAll() }
            known.insert(text)
            return text
        }
    }
}
