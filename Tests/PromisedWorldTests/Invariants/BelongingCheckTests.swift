import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedWorld

@Suite struct BelongingCheckTests {
    private static let visit = VisitID(high: 1, low: 1)
    private static let course = CourseID(high: 1, low: 2)
    private static let recording = RecordingID(high: 1, low: 3)
    private static let favourite = FavouriteID(high: 1, low: 4)
    private static let file = FileID(high: 1, low: 5)

    /// User 1 has one of each; the picture belongs to the visit, the course to the recording.
    private static var committed: CommittedRows {
        var committed = CommittedRows()
        committed.owned.visits[visit] = OwnedRows.VisitRow(userID: .user(1), audience: "private", version: 2)
        committed.owned.courses[course] = .init(userID: .user(1), source: "recording", audience: "private")
        committed.owned.recordings[recording] = .init(userID: .user(1), points: 8, kept: 0, courseID: course)
        committed.owned.favourites[favourite] = .user(1)
        committed.owned.files[file] = .init(userID: .user(1), kind: "photo", bytes: 700, visitID: visit)
        return committed
    }

    /// The ways to lose one thing, with the request that allows it.
    private static let losses: [(wanted: Belonging, lose: @Sendable (inout OwnedRows) -> Void)] = [
        (.visit(visit), { $0.visits[visit] = nil }),
        (.course(course), { $0.courses[course] = nil }),
        (.recording(recording), { $0.recordings[recording] = nil }),
        (.course(course), { $0.recordings[recording] = nil }),
        (.favourite(favourite), { $0.favourites[favourite] = nil }),
        (.visit(visit), { $0.files[file] = nil }),
    ]

    @Test(.proves("18.15")) func `finds an unrequested deletion`() throws {
        let before = Self.committed
        for (wanted, lose) in Self.losses {
            var after = before
            lose(&after.owned)
            #expect(throws: Violation.self) { try BelongingCheck.compare(before, with: after, wanted: []) }
            try BelongingCheck.compare(before, with: after, wanted: [wanted])
            after.deleted = [.user(1)]
            try BelongingCheck.compare(before, with: after, wanted: [])
        }
    }

    @Test func `finds an older version of a visit`() throws {
        var after = Self.committed
        after.owned.visits[Self.visit]?.version = 1
        #expect(throws: Violation.self) { try BelongingCheck.compare(Self.committed, with: after, wanted: []) }
    }

    @Test func `only an edit changes a promise's place`() throws {
        let id = Promise.sample().id
        func committed(_ place: String, _ events: PromiseEvent...) -> CommittedRows {
            var committed = CommittedRows()
            var promise = CommittedRows.PromiseRow(
                ownerID: .user(1),
                opensAt: .meeting,
                closesAt: .meeting,
                isCancelled: false,
                isFinal: false,
                lastSeq: events.count
            )
            promise.placeName = place
            committed.promises[id] = promise
            committed.events[id] = events.enumerated().map {
                NumberedEvent(seq: $0.offset + 1, at: .meeting, event: $0.element)
            }
            return committed
        }
        let before = committed("Here", .edited)
        try BelongingCheck.compare(before, with: committed("There", .edited, .edited), wanted: [])
        for after in [committed("There", .edited), committed("There", .edited, .meetingTime)] {
            #expect(throws: Violation.self) { try BelongingCheck.compare(before, with: after, wanted: []) }
        }
    }

    @Test(.proves("18.20")) func `finds a second course of a recording or of a way`() throws {
        try BelongingCheck.check(Self.committed, quota: 700, at: .meeting)
        var second = Self.committed
        second.owned.courses[CourseID(high: 2, low: 1)] = second.owned.courses[Self.course]
        #expect(throws: Violation.self) { try BelongingCheck.check(second, quota: 700, at: .meeting) }
        var ways = Self.committed
        for number in UInt64(1)...2 {
            let way = OwnedRows.CourseRow(
                userID: .user(1),
                source: "promise",
                promiseID: Promise.sample().id,
                audience: "private"
            )
            ways.owned.courses[CourseID(high: 3, low: number)] = way
            #expect((try? BelongingCheck.check(ways, quota: 700, at: .meeting)) != nil || number == 2)
        }
        #expect(throws: Violation.self) { try BelongingCheck.check(ways, quota: 700, at: .meeting) }
    }

    @Test func `finds points of an open recording without their chunks`() throws {
        var committed = CommittedRows()
        committed.owned.recordings[Self.recording] = .init(userID: .user(1), points: 8, kept: 8)
        try BelongingCheck.check(committed, quota: 0, at: .meeting)
        committed.owned.recordings[Self.recording]?.kept = 4
        #expect(throws: Violation.self) { try BelongingCheck.check(committed, quota: 0, at: .meeting) }
    }

    @Test(.proves("18.19")) func `finds more bytes than the quota`() throws {
        var committed = Self.committed
        try BelongingCheck.check(committed, quota: 700, at: .meeting)
        #expect(throws: Violation.self) { try BelongingCheck.check(committed, quota: 699, at: .meeting) }
        // An upload counts until it is forgotten, an export never.
        committed.owned.files[FileID(high: 2, low: 1)] = .init(userID: .user(1), kind: "export", bytes: 900)
        committed.owned.uploads[UploadID(high: 2, low: 2)] = .init(
            userID: .user(1),
            bytes: 100,
            touchedAt: .meeting - .minutes(59)
        )
        #expect(throws: Violation.self) { try BelongingCheck.check(committed, quota: 700, at: .meeting) }
        try BelongingCheck.check(committed, quota: 700, at: .meeting + .minutes(1))
    }
}
