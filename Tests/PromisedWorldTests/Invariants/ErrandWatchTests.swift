import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedProtocol
import PromisedTestMarks
import PromisedTestSupport
import SwiftProtobuf
import Testing

@testable import PromisedWorld

@Suite struct ErrandWatchTests {
    private static let key = RequestKey(connection: 1, number: 1)
    private static let visit = VisitID(high: 1, low: 1)
    private static let course = CourseID(high: 1, low: 2)
    private static let picture = FileID(high: 1, low: 3)
    private static let recording = RecordingID(high: 1, low: 4)
    private static let place = PlaceID(high: 1, low: 5)

    /// User 1 has a visit with a picture and a course, for audiences; user 2 is a friend and a companion.
    private static func committed(visit audience: String = "private", course: String = "private") -> CommittedRows {
        var committed = CommittedRows()
        committed.owned.visits[visit] = .init(userID: .user(1), audience: audience, companions: [.user(2)])
        committed.owned.courses[Self.course] = .init(
            userID: .user(1),
            source: "file",
            audience: course,
            people: [.user(2)]
        )
        committed.owned.files[picture] = .init(userID: .user(1), kind: "photo", bytes: 1, visitID: visit)
        committed.owned.friends = [UserPair(.user(1), .user(2)), UserPair(.user(1), .user(3))]
        return committed
    }

    private static func visible(in committed: CommittedRows, to user: UInt64) -> Set<Sight> {
        let sights: [Sight] = [.visit(visit), .course(course), .file(picture)]
        return Set(sights.filter { committed.owned.isVisible($0, to: .user(user), in: committed) })
    }

    @Test func `shows a user's own data, and to others that of their audience`() {
        let all: Set<Sight> = [.visit(Self.visit), .course(Self.course), .file(Self.picture)]
        #expect(Self.visible(in: Self.committed(), to: 1) == all)
        #expect(Self.visible(in: Self.committed(), to: 2) == [])
        let shared = Self.committed(visit: "companions", course: "people")
        #expect(Self.visible(in: shared, to: 2) == all)
        #expect(Self.visible(in: shared, to: 3) == [])
        let open = Self.committed(visit: "friends", course: "friends")
        #expect(Self.visible(in: open, to: 3) == all)
        #expect(Self.visible(in: open, to: 4) == [])
    }

    @Test func `a block hides everything, the end of a friendship the data for friends`() {
        var committed = Self.committed(visit: "companions", course: "people")
        committed.owned.friends = []
        #expect(Self.visible(in: committed, to: 2) == [])
        committed.owned.friends = [UserPair(.user(1), .user(2))]
        committed.blocks = [UserPair(.user(1), .user(2))]
        #expect(Self.visible(in: committed, to: 2) == [])
    }

    @Test func `shows a course to the participants of its promise`() {
        var committed = Self.committed()
        let id = Promise.sample().id
        var promise = CommittedRows.PromiseRow(
            ownerID: .user(1),
            opensAt: .meeting,
            closesAt: .meeting,
            isCancelled: false,
            isFinal: false,
            lastSeq: 0
        )
        promise.courseID = Self.course
        committed.promises[id] = promise
        for (user, membership) in [(UInt64(2), "accepted"), (3, "left")] {
            committed.parts[id, default: [:]][.user(user)] = .init(
                membership: membership,
                wasAccepted: true,
                isExcused: false
            )
        }
        #expect(Self.visible(in: committed, to: 2) == [.course(Self.course)])
        #expect(Self.visible(in: committed, to: 3) == [])
    }

    // MARK: - Reading others' data

    private static let getVisit = WireRequest.getVisit(.with { $0.visitID = visit.description })

    /// User 2 requests the visit; the rows change meanwhile, and then the reply is received.
    private static func peek(_ states: CommittedRows..., isSeen: Bool) throws {
        var watch = ErrandWatch()
        watch.noteArrival(getVisit, key, of: .user(2), device: "", in: states[0])
        for (before, after) in zip(states, states.dropFirst()) { try watch.noteCommit(before, after, at: .meeting) }
        let reply: WireContent = isSeen ? .visit(WireVisit()) : .error(WireErrorReply(.visitNotFound))
        try watch.noteAnswer(reply, to: getVisit, key, of: .user(2), in: states[states.count - 1])
    }

    @Test(.proves("18.16")) func `finds data shown to a user outside its audience`() throws {
        let (hidden, shown) = (Self.committed(), Self.committed(visit: "friends"))
        #expect(throws: Violation.self) { try Self.peek(hidden, isSeen: true) }
        #expect(throws: Violation.self) { try Self.peek(shown, isSeen: false) }
        try Self.peek(hidden, isSeen: false)
        try Self.peek(shown, isSeen: true)
        // While it changes, both are right.
        for isSeen in [false, true] {
            try Self.peek(hidden, shown, isSeen: isSeen)
            try Self.peek(shown, hidden, isSeen: isSeen)
        }
    }

    @Test func `a request that may succeed later says nothing about an audience`() throws {
        var watch = ErrandWatch()
        let shown = Self.committed(visit: "friends")
        watch.noteArrival(Self.getVisit, Self.key, of: .user(2), device: "", in: shown)
        let reply = WireContent.error(WireErrorReply(.serverUnavailable))
        try watch.noteAnswer(reply, to: Self.getVisit, Self.key, of: .user(2), in: shown)
    }

    @Test func `finds an opening that no state of the place has`() throws {
        let request = WireRequest.getPlace(.with { $0.placeID = Self.place.description })
        let states: [(String, WireOpening.Value)] = [("24/7", .open), ("Mo-Su 00:00-24:00; Sa off", .closed)]
        for (hours, opening) in states {
            var committed = CommittedRows()
            committed.owned.places[Self.place] = .init(hours: hours, isRemoved: false)
            for told in WireOpening.Value.allCases {
                var watch = ErrandWatch()
                watch.noteArrival(request, Self.key, of: .user(1), device: "", in: committed)
                let reply = WireContent.placeDetails(.with { $0.card.opening = told })
                let isTrue = (try? watch.noteAnswer(reply, to: request, Self.key, of: .user(1), in: committed)) != nil
                #expect(isTrue == (told == opening))
            }
        }
    }

    // MARK: - Recordings

    private static func recorded(_ points: Int) -> CommittedRows {
        var committed = CommittedRows()
        committed.owned.recordings[recording] = .init(userID: .user(1), points: points, kept: points)
        return committed
    }

    @Test func `finds fewer points than acknowledged and more than sent`() throws {
        var watch = ErrandWatch()
        let request = WireRequest.appendRecording(
            .with {
                $0.recordingID = Self.recording.description
                $0.points = (1...4).map { seq in .with { $0.seq = seq } }
            }
        )
        watch.noteArrival(request, Self.key, of: .user(1), device: "phone", in: Self.recorded(0))
        try watch.noteCommit(Self.recorded(0), Self.recorded(4), at: .meeting)
        #expect(throws: Violation.self) { try watch.noteCommit(Self.recorded(4), Self.recorded(5), at: .meeting) }
        let reply = WireContent.recorded(.with { $0.taken = [1, 2, 3, 4] })
        var early = watch
        #expect(throws: Violation.self) {
            try early.noteAnswer(reply, to: request, Self.key, of: .user(1), in: Self.recorded(3))
        }
        try watch.noteAnswer(reply, to: request, Self.key, of: .user(1), in: Self.recorded(4))
        #expect(watch.acknowledged[Self.recording]?.count == 4)
        #expect(watch.acknowledged[Self.recording]?.first?.deviceID == "phone")
        #expect(throws: Violation.self) { try watch.noteCommit(Self.recorded(4), Self.recorded(3), at: .meeting) }
    }

    private static func reply(_ course: CourseID) -> WireContent {
        .course(.with { ($0.courseID, $0.version) = (course.description, 1) })
    }

    @Test func `finds two courses of a recording`() throws {
        var watch = ErrandWatch()
        var committed = Self.committed()
        let other = CourseID(high: 9, low: 9)
        committed.owned.courses[other] = committed.owned.courses[Self.course]
        let request = WireRequest.finishRecording(.with { $0.recordingID = Self.recording.description })
        for course in [Self.course, Self.course] {
            try watch.noteAnswer(Self.reply(course), to: request, Self.key, of: .user(1), in: committed)
        }
        #expect(throws: Violation.self) {
            try watch.noteAnswer(Self.reply(other), to: request, Self.key, of: .user(1), in: committed)
        }
    }

    // MARK: - Acknowledgements

    @Test func `finds an acknowledged errand without a trace`() throws {
        let replies: [(WireRequest, WireContent)] = [
            (.updateVisit(WireUpdateVisit()), .visit(.with { ($0.visitID, $0.version) = (Self.visit.description, 2) })),
            (.saveCourse(WireSaveCourse()), Self.reply(Self.course)),
            (.addFavourite(WireAddFavourite()), .favourite(.with { $0.favouriteID = Self.visit.description })),
            (
                .startRecording(WireStartRecording()),
                .recording(.with { $0.recordingID = Self.recording.description })
            ),
            (.putChunk(WirePutChunk()), .upload(.with { $0.file.fileID = Self.picture.description })),
        ]
        for (request, reply) in replies {
            var watch = ErrandWatch()
            #expect(throws: Violation.self) {
                try watch.noteAnswer(reply, to: request, Self.key, of: .user(1), in: CommittedRows())
            }
            var committed = CommittedRows()
            committed.deleted = [.user(1)]
            try watch.noteAnswer(reply, to: request, Self.key, of: .user(1), in: committed)
        }
    }

    @Test func `finds an acknowledged deletion that left data`() throws {
        let requests: [WireRequest] = [
            .deleteVisit(.with { $0.visitID = Self.visit.description }),
            .deleteCourse(.with { $0.courseID = Self.course.description }),
        ]
        let (done, unavailable) = (WireContent.done(WireDone()), WireContent.error(WireErrorReply(.serverUnavailable)))
        for request in requests {
            var watch = ErrandWatch()
            #expect(throws: Violation.self) {
                try watch.noteAnswer(done, to: request, Self.key, of: .user(1), in: Self.committed())
            }
            try watch.noteAnswer(done, to: request, Self.key, of: .user(1), in: CommittedRows())
            try watch.noteAnswer(unavailable, to: request, Self.key, of: .user(1), in: Self.committed())
        }
    }
}
