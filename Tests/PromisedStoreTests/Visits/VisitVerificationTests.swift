import GRDB
import PromisedDomain
import PromisedJournal
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct VisitVerificationTests {
    /// A fault to insert past the checks of the schema, and the checks that must find it. The store has two visits with
    /// photos, a visit from an arrival and the mark of another.
    @Test(arguments: [
        // The rows of a photo and two companions, and the row of a photo.
        ("DELETE FROM visit WHERE memo = 'one'", ["references", "references", "references"]),
        ("DELETE FROM file WHERE bytes = 101", ["references"]),
        ("UPDATE file SET user_id = x'00' WHERE item_id IS NULL", ["references", "totals-in-step"]),
        ("UPDATE visit SET user_id = zeroblob(16) WHERE promise_id IS NOT NULL", ["references"]),
        ("UPDATE visit SET place_id = zeroblob(16) WHERE promise_id IS NOT NULL", ["references"]),
        ("UPDATE file SET item_kind = NULL, item_id = NULL WHERE bytes = 101", ["file-of-item"]),
        ("UPDATE file SET item_id = randomblob(16) WHERE bytes = 101", ["file-of-item", "file-of-item"]),
        ("UPDATE file SET kind = 'track' WHERE bytes = 101", ["file-of-item", "totals-in-step", "totals-in-step"]),
        ("UPDATE file SET user_id = (SELECT max(id) FROM user) WHERE bytes = 101", ["file-of-item", "totals-in-step"]),
        ("DELETE FROM visit_photo WHERE position = 10", ["file-of-item"]),
        ("DELETE FROM visit_photo WHERE position = 1", ["file-of-item", "file-of-item", "photos-in-order"]),
        ("UPDATE visit_photo SET position = 11 WHERE position = 10", ["photos-in-order"]),
        (
            """
            INSERT INTO file SELECT randomblob(16), user_id, kind, content_type, 1, sha256, 1, 1, 1,
                item_kind, item_id, 1, 1 FROM file WHERE bytes = 100 AND item_id IS NOT NULL LIMIT 1;
            INSERT INTO visit_photo SELECT item_id, 11, id, '' FROM file WHERE bytes = 1
            """,
            ["photos-bounded"]
        ),
        ("DELETE FROM companion WHERE position = 1", ["companions-in-order"]),
        ("UPDATE visit SET is_together = 1 WHERE promise_id IS NOT NULL", ["together-noted"]),
        ("UPDATE visit SET is_together = 1 WHERE memo = 'one'", ["together-noted"]),
        (
            "INSERT INTO companion SELECT id, 1, NULL, 'Ada' FROM visit WHERE promise_id IS NOT NULL",
            ["together-noted"]
        ),
        (
            "INSERT INTO visit_mark SELECT user_id, promise_id, id FROM visit WHERE promise_id IS NOT NULL",
            ["visit-or-mark"]
        ),
        ("UPDATE visit SET latitude = 90.1 WHERE memo = 'one'", ["coordinates-in-range"]),
        ("UPDATE visit SET weather = '{}' WHERE memo = 'one'", ["visits-readable"]),
        ("UPDATE visit SET audience = 'people' WHERE memo = 'one'", ["visits-readable"]),
        ("UPDATE visit SET kind = 'ode' WHERE memo = 'one'", ["visits-readable"]),
    ])
    func `each check finds its violation`(sql: String, checks: [String]) async throws {
        let directory = try await filled()
        var lax = Configuration()
        lax.foreignKeysEnabled = false
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite", configuration: lax)
        try await database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try db.execute(sql: sql)
        }
        try database.close()
        let store = try await Store.open(directory: directory.path)
        let violations = try await store.upkeep.verify()
        #expect(violations.map(\.check) == checks, "\(violations)")
        try await store.close()
    }

    @Test(arguments: ["visit", "visit_mark", "visit_badge", "file", "upload", "export"])
    func `finds a tombstone with remaining data`(table: String) async throws {
        let directory = try await filled()
        let store = try await Store.open(directory: directory.path)
        try await store.deletions.makeTombstone(of: .user(2), at: .meeting, subjectKey: { _ in [] })
        #expect(try await store.upkeep.verify() == [])
        try await store.write { db in
            try db.run("UPDATE \(table) SET user_id = ?", [UserID.user(2)])
        }
        #expect(try await store.upkeep.verify().map(\.check).contains("tombstone-empty"))
        try await store.close()
    }

    private func filled() async throws -> TemporaryDirectory {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...2)
        try await store.add((1...10).map { .sample($0) } + [.sample(11, bytes: 101), .sample(12)])
        try await store.createVisit(1, photos: [11]) { draft in
            draft.notes.memo = "one"
            draft.companions = [.named("Ada"), .named("Bea")]
        }
        try await store.createVisit(2, photos: Array(1...10)) { $0.companions = [] }
        let arrivals = try await store.arrive(1...2)
        _ = try await store.visits.deleteVisit(arrivals[1].id, of: .user(1))
        let upload = try await store.files.beginUpload(
            .sample(),
            of: .user(1),
            space: FileSpace(),
            free: nil,
            id: .upload(50),
            at: .meeting
        )
        _ = try upload.get()
        _ = try await store.files.requestExport(of: .user(1), at: .meeting)
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
        return directory
    }
}
