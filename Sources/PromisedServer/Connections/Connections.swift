internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedStore
internal import PromisedTransport

/// The connections of this node, by number, by user and by administrator's token.
final class Connections: Sendable {
    private struct Table: Sendable {
        var all: [UInt64: Connection] = [:]
        /// Signed-in connections of a user, oldest first.
        var users: [UserID: [UInt64]] = [:]
        /// Signed-in connections of an administrator's token, oldest first.
        var tokens: [AdminTokenID: [UInt64]] = [:]
    }

    private let table = Guarded(Table())

    /// How many there are.
    var count: Int { table.withLock { $0.all.count } }

    /// How many have signed in and how many not, and of how many users.
    var census: (signedIn: Int, anonymous: Int, users: Int) {
        table.withLock { table in
            let signedIn = table.users.values.reduce(0) { $0 + $1.count }
            return (signedIn, table.all.count - signedIn, table.users.count { !$0.value.isEmpty })
        }
    }

    func insert(_ connection: Connection) {
        table.withLock { $0.all[connection.id.rawValue] = connection }
    }

    /// Forgets a connection. Returns it, unless it was not known.
    func remove(_ id: ConnectionID) -> Connection? {
        table.withLock { table in
            guard let connection = table.all.removeValue(forKey: id.rawValue) else { return nil }
            if let userID = connection.identity?.userID { table.users.remove(id.rawValue, of: userID) }
            if let token = connection.administrator?.tokenID { table.tokens.remove(id.rawValue, of: token) }
            return connection
        }
    }

    subscript(id: ConnectionID) -> Connection? { table.withLock { $0.all[id.rawValue] } }

    /// The connections with these numbers, as far as they are still there.
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
            let former = connection.state.withLock { state in
                defer { state.identity = identity }
                return state.identity
            }
            table.users.move(number, from: former?.userID, to: identity.userID)
            return table.users[identity.userID, default: []].dropLast(limit).compactMap { table.all[$0] }
        }
    }

    /// Has a connection speak for an administrator, perhaps one of another token than until now. Returns the token's
    /// oldest connections beyond `limit`, which must be closed.
    func signIn(_ connection: Connection, as administrator: Administrator, limit: Int) -> [Connection] {
        table.withLock { table in
            let number = connection.id.rawValue
            guard table.all[number] != nil else { return [] }
            let former = connection.state.withLock { state in
                defer { state.administrator = administrator }
                return state.administrator
            }
            table.tokens.move(number, from: former?.tokenID, to: administrator.tokenID)
            return table.tokens[administrator.tokenID, default: []].dropLast(limit).compactMap { table.all[$0] }
        }
    }
}

extension Dictionary where Value == [UInt64] {
    /// Forgets a number under a key, and the key with its last number.
    fileprivate mutating func remove(_ number: UInt64, of key: Key) {
        self[key]?.removeAll { $0 == number }
        if self[key]?.isEmpty == true { self[key] = nil }
    }

    /// Puts a number last under a key, unless it stands there already.
    fileprivate mutating func move(_ number: UInt64, from former: Key?, to key: Key) {
        guard former != key else { return }
        if let former { remove(number, of: former) }
        self[key, default: []].append(number)
    }
}

struct Administrator: Hashable, Sendable {
    var tokenID: AdminTokenID
    /// Its holder or purpose.
    var name: String
    /// The first instant, in real time, at which it is invalid; nil: never.
    var expiresAt: Instant?

    init(_ token: AdminToken) {
        tokenID = token.id
        name = token.name
        expiresAt = token.expiresAt
    }
}

/// An accepted request, with its sender and connection.
struct Caller: Sendable {
    let connection: Connection
    let userID: UserID
    let signIn: SignInID
    /// When the request was received.
    let now: Instant
}

/// Texts that many connections have in common, each kept in memory once.
///
/// Bounded: once it holds ``limit`` texts it begins anew, and holders of the old ones keep theirs.
final class SharedTexts: Sendable {
    /// The most texts that are kept.
    static let limit = 256

    private let known = Guarded(Set<String>())

    /// How many are remembered.
    var count: Int { known.withLock { $0.count } }

    /// The same text, in the memory of the first who had it.
    func shared(_ text: String) -> String {
        known.withLock { known in
            if let index = known.firstIndex(of: text) { return known[index] }
            if known.count >= SharedTexts.limit { known.removeAll() }
            known.insert(text)
            return text
        }
    }
}
