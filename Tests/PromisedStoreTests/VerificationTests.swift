import Foundation
import GRDB
import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct VerificationTests {
    /// A fault to insert in a store with a final promise of users 1 and 2, and the check that must find it.
    @Test(
        .proves("2.14", "9.7"),
        arguments: [
            ("UPDATE promise_event SET seq = 3 WHERE seq = 2", ["events-gapless", "last-event-remembered"]),
            ("UPDATE promise SET last_seq = 1", ["last-event-remembered"]),
            ("DELETE FROM result_row; DELETE FROM result", ["result-when-final"]),
            ("UPDATE promise SET mark = 4", ["result-when-final"]),
            ("UPDATE promise SET cancelled_at = 1", ["no-result-when-cancelled"]),
            ("DELETE FROM result_row WHERE rank = 0", ["one-row-per-person"]),
            (
                "UPDATE participant SET membership = 'declined' WHERE user_id = (SELECT max(id) FROM user WHERE nickname_key < 'user_3')",
                ["one-row-per-person"]
            ),
            ("UPDATE participant SET meets_at = meets_at + 1", ["participant-in-step", "participant-in-step"]),
            ("UPDATE participant SET clock = 'cancelled'", ["participant-in-step", "participant-in-step"]),
            ("UPDATE promise SET owner_id = (SELECT id FROM user WHERE nickname_key = 'user_3')", ["owner-takes-part"]),
            (
                "UPDATE user SET nickname = NULL, nickname_key = NULL, email = NULL, email_key = NULL, deleted_at = 1 WHERE nickname_key = 'user_3'",
                ["tombstone-empty"]
            ),
            (
                """
                UPDATE participant SET emoji = '!' WHERE user_id = (SELECT id FROM user WHERE nickname_key = 'user_2');
                UPDATE user SET nickname = NULL, nickname_key = NULL, email = NULL, email_key = NULL, locale = '',
                    time_zone = '', deleted_at = 1 WHERE nickname_key = 'user_2';
                DELETE FROM credential WHERE user_id NOT IN (SELECT id FROM user WHERE deleted_at IS NULL)
                """,
                ["tombstone-empty"]
            ),
            ("UPDATE fix SET chunk = x'02'", ["positions-readable"]),
            ("UPDATE fix SET count = 7", ["positions-readable"]),
        ]
    )
    func `each check finds its violation`(sql: String, checks: [String]) async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...3)
        let epoch = try await store.open(SessionCommitTests.promise, with: [.invited(.user(2))])
        try await store.sessions.commit(SessionCommitTests.final(), ownerEpoch: epoch)
        #expect(try await store.upkeep.verify() == [])
        try await store.write { db in try db.script(sql) }
        #expect(try await store.upkeep.verify().map(\.check) == checks)
        try await store.close()
    }

    @Test(arguments: [
        ("DELETE FROM promise_event WHERE seq = 1", ["events-gapless"]),
        ("DELETE FROM promise_event WHERE seq = 2", ["last-event-remembered"]),
    ])
    func `only finished promises can lack events`(sql: String, checks: [String]) async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...2)
        let epoch = try await store.open(SessionCommitTests.promise, with: [.invited(.user(2))])
        var commit = SessionCommitTests.final()
        commit.mark = nil
        commit.result = nil
        try await store.sessions.commit(commit, ownerEpoch: epoch)
        #expect(try await store.upkeep.verify() == [])
        try await store.write { db in try db.script(sql) }
        #expect(try await store.upkeep.verify().map(\.check) == checks)
        try await store.close()
    }

    @Test func `reports a damaged page as permanent, and the rest stays readable`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...3)
        let (size, page) = try await store.read { db in
            let root = try db.number("SELECT rootpage FROM sqlite_schema WHERE name = 'favourite'")
            return (try db.number("PRAGMA page_size"), root)
        }
        try await store.close()
        let path = URL(filePath: directory.path).appending(path: "promised.sqlite")
        var content = try Data(contentsOf: path)
        content.replaceSubrange((page - 1) * size..<page * size, with: Data(repeating: 0x5a, count: size))
        try content.write(to: path)
        let damaged = try await Store.open(directory: directory.path)
        #expect(try await damaged.accounts.account(.user(1)) != nil)
        let error = await #expect(throws: StoreError.self) {
            try await damaged.read { db in try db.run("SELECT * FROM favourite") }
        }
        #expect(error == .unavailable(code: 11) && error?.isTransient == false)
        #expect(error?.description.contains("the file is damaged") == true)
        let violations = try await damaged.upkeep.verify()
        #expect(!violations.isEmpty && violations.allSatisfy { $0.check == "structure" })
        try await damaged.close()
    }

    @Test func `finds a row without its parent`() async throws {
        let directory = TemporaryDirectory()
        try await Store.open(directory: directory.path).close()
        var lax = Configuration()
        lax.foreignKeysEnabled = false
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite", configuration: lax)
        try await database.write { db in
            try db.execute(sql: "INSERT INTO fix (promise_id, count, chunk) VALUES (x'00', 1, x'0100')")
        }
        try database.close()
        let store = try await Store.open(directory: directory.path)
        #expect(try await store.upkeep.verify().contains { $0.check == "references" && $0.detail.contains("fix") })
        try await store.close()
    }
}
