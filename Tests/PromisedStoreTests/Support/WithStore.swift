import PromisedDomain
import PromisedJournal
import PromisedTestSupport
import Testing

@testable import PromisedStore

/// Runs a test on a store in a temporary directory, checks that all invariants hold in the end, and closes it.
func withStore(
    users: ClosedRange<UInt64>? = nil,
    _ body: (Store, TemporaryDirectory) async throws -> Void
) async throws {
    let directory = TemporaryDirectory()
    let store = try await Store.open(directory: directory.path)
    // The drafts of tests use the same secret.
    try await store.write { db in try EndsSecretRecord.replace(by: .sample, in: db) }
    if let users { try await store.signUp(users) }
    try await body(store, directory)
    #expect(try await store.upkeep.verify() == [])
    try await store.close()
}

/// The same without access to the directory.
func withStore(users: ClosedRange<UInt64>? = nil, _ body: (Store) async throws -> Void) async throws {
    try await withStore(users: users) { store, _ in try await body(store) }
}

extension Store {
    /// Signs up users by their numbers.
    func signUp(_ numbers: ClosedRange<UInt64>) async throws {
        for number in numbers { try #require(try await accounts.createUser(.sample(number)) == .created) }
    }

    /// Limits the growth of the database to this number of pages, like an almost full disk.
    func limitPages(toMoreBy count: Int) async throws {
        try await write { db in
            let used = try db.number("PRAGMA page_count")
            try db.script("PRAGMA max_page_count = \(used + count)")
        }
    }

    /// Creates a promise of its owner with these others, and activates it.
    ///
    /// - Returns: the owner epoch.
    @discardableResult
    func open(_ promise: Promise, with others: [Participant] = [], key: String? = nil) async throws -> Int {
        let creation = try await promises.createPromise(
            promise,
            participants: [.accepted(promise.ownerID)] + others,
            events: [],
            key: key ?? "\(promise.id)",
            contentHash: [1],
            now: promise.createdAt
        )
        try #require(creation == .created)
        return try await sessions.activate(promise.id)
    }
}

extension NewAccount {
    /// The account of the user with that number.
    static func sample(_ number: UInt64) -> NewAccount {
        NewAccount(
            id: .user(number),
            email: "User\(number)@Example.org",
            emailKey: "user\(number)@example.org",
            nickname: "User_\(number)",
            nicknameKey: "user_\(number)",
            passwordHash: "hash \(number)",
            locale: "ko-KR",
            timeZone: "Asia/Seoul",
            createdAt: .meeting - .days(1)
        )
    }
}

extension ArchivedFix {
    /// A fix of a user's device.
    static func sample(_ fix: SettledFix, of user: UserID = .user(1), device: String = "phone") -> ArchivedFix {
        ArchivedFix(userID: user, device: DeviceKey(deviceID: device, bootID: "boot"), fix: fix)
    }
}
