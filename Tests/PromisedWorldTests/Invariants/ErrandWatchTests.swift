import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
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
    private static func ledger(visit audience: String = "private", course: String = "private") -> Ledger {
        var ledger = Ledger()
        ledger.belongings.visits[visit] = .init(userID: .user(1), audience: audience, companions: [.user(2)])
        ledger.belongings.courses[Self.course] = .init(
            userID: .user(1),
            source: "file",
            audience: course,
            people: [.user(2)]
        )
        ledger.belongings.files[picture] = .init(userID: .user(1), kind: "photo", bytes: 1, visitID: visit)
        ledger.belongings.friends = [UserPair(.user(1), .user(2)), UserPair(.user(1), .user(3))]
        return ledger
    }

    private static func visible(in ledger: Ledger, to user: UInt64) -> Set<Sight> {
        let sights: [Sight] = [.visit(visit), .course(course), .file(picture)]
        return Set(sights.filter { ledger.belongings.isVisible($0, to: .user(user), in: ledger) })
    }

    @Test func `shows a user's own data, and to others that of their audience`() {
        let all: Set<Sight> = [.visit(Self.visit), .course(Self.course), .file(Self.picture)]
        #expect(Self.visible(in: Self.ledger(), to: 1) == all)
        #expect(Self.visible(in: Self.ledger(), to: 2) == [])
        let shared = Self.ledger(visit: "companions", course: "people")
        #expect(Self.visible(in: shared, to: 2) == all)
        #expect(Self.visible(in: shared, to: 3) == [])
        let open = Self.ledger(visit: "friends", course: "friends")
        #expect(Self.visible(in: open, to: 3) == all)
        #expect(Self.visible(in: open, to: 4) == [])
    }

    @Test func `a block hides everything, the end of a friendship the data for friends`() {
        var ledger = Self.ledger(visit: "companions", course: "people")
        ledger.belongings.friends = []
        #expect(Self.visible(in: ledger, to: 2) == [])
        ledger.belongings.friends = [UserPair(.user(1), .user(2))]
        ledger.blocks = [UserPair(.user(1), .user(2))]
        #expect(Self.visible(in: ledger, to: 2) == [])
    }

    @Test func `shows a course to the participants of its promise`() {
        var ledger = Self.ledger()
        let id = Promise.sample().id
        var promise = Ledger.PromiseRow(
            ownerID: .user(1),
            opensAt: .meeting,
            closesAt: .meeting,
            isCancelled: false,
            isFinal: false,
            lastSeq: 0
        )
        promise.courseID = Self.course
        ledger.promises[id] = promise
        for (user, membership) in [(UInt64(2), "accepted"), (3, "left")] {
            ledger.parts[id, default: [:]][.user(user)] = .init(
                membership: membership,
                wasAccepted: true,
                isExcused: false
            )
        }
        #expect(Self.visible(in: ledger, to: 2) == [.course(Self.course)])
        #expect(Self.visible(in: ledger, to: 3) == [])
    }

    // MARK: - Reading others' data

    /// User 2 requests the visit; the ledger changes meanwhile, and then the answer is received.
    private static func peek(_ ledgers: Ledger..., seen: [Sight]) throws {
        var watch = ErrandWatch()
        let ask = ErrandAsk.peek([.visit(visit)])
        watch.noteArrival(ask, key, of: .user(2), in: ledgers[0])
        for (before, after) in zip(ledgers, ledgers.dropFirst()) { try watch.noteCommit(before, after, at: .meeting) }
        try watch.noteAnswer(.errand(.seen(seen)), to: ask, key, of: .user(2), in: ledgers[ledgers.count - 1])
    }

    @Test(.proves("18.16")) func `finds data shown to a user outside its audience`() throws {
        let (hidden, shown) = (Self.ledger(), Self.ledger(visit: "friends"))
        #expect(throws: Breach.self) { try Self.peek(hidden, seen: [.visit(Self.visit)]) }
        #expect(throws: Breach.self) { try Self.peek(shown, seen: []) }
        try Self.peek(hidden, seen: [])
        try Self.peek(shown, seen: [.visit(Self.visit)])
        // While it changes, both are right.
        for seen in [[], [Sight.visit(Self.visit)]] {
            try Self.peek(hidden, shown, seen: seen)
            try Self.peek(shown, hidden, seen: seen)
        }
    }

    @Test func `finds an opening that no state of the place has`() throws {
        for (hours, opening) in [("24/7", OpeningState.open), ("Mo-Su 00:00-24:00; Sa off", .closed)] {
            var ledger = Ledger()
            ledger.belongings.places[Self.place] = .init(hours: hours, isRemoved: false)
            for told in OpeningState.allCases {
                var watch = ErrandWatch()
                let ask = ErrandAsk.lookUp(Self.place)
                watch.noteArrival(ask, Self.key, of: .user(1), in: ledger)
                let answer = Answer.errand(.place(told, isRemoved: false))
                let isTrue = (try? watch.noteAnswer(answer, to: ask, Self.key, of: .user(1), in: ledger)) != nil
                #expect(isTrue == (told == opening))
            }
        }
    }

    // MARK: - Recordings

    private static func recorded(_ points: Int) -> Ledger {
        var ledger = Ledger()
        ledger.belongings.recordings[recording] = .init(userID: .user(1), points: points, kept: points)
        return ledger
    }

    private static func batch(_ seqs: ClosedRange<UInt32>) -> RecordedBatch {
        RecordedBatch(
            device: DeviceKey(deviceID: "recorder", bootID: "1"),
            points: seqs.map { RecordedPoint(Fix(seq: $0, coordinate: .meetingPlace)) }
        )
    }

    @Test func `finds fewer points than acknowledged and more than sent`() throws {
        var watch = ErrandWatch()
        let ask = ErrandAsk.append(recording: 1, Self.recording, Self.batch(1...4))
        watch.noteArrival(ask, Self.key, of: .user(1), in: Self.recorded(0))
        try watch.noteCommit(Self.recorded(0), Self.recorded(4), at: .meeting)
        #expect(throws: Breach.self) { try watch.noteCommit(Self.recorded(4), Self.recorded(5), at: .meeting) }
        var receipt = RecordingReceipt()
        receipt.taken = [1, 2, 3, 4]
        let answer = Answer.errand(.recorded(1, receipt))
        var early = watch
        #expect(throws: Breach.self) {
            try early.noteAnswer(answer, to: ask, Self.key, of: .user(1), in: Self.recorded(3))
        }
        try watch.noteAnswer(answer, to: ask, Self.key, of: .user(1), in: Self.recorded(4))
        #expect(watch.acknowledged[Self.recording]?.count == 4)
        #expect(throws: Breach.self) { try watch.noteCommit(Self.recorded(4), Self.recorded(3), at: .meeting) }
    }

    @Test func `finds two courses of a recording`() throws {
        var watch = ErrandWatch()
        var ledger = Self.ledger()
        let other = CourseID(high: 9, low: 9)
        ledger.belongings.courses[other] = ledger.belongings.courses[Self.course]
        let answers = [Self.course, Self.course, other].map { Answer.errand(.course($0, version: 1)) }
        let ask = ErrandAsk.finish(Self.recording)
        for answer in answers.dropLast() {
            try watch.noteAnswer(answer, to: ask, Self.key, of: .user(1), in: ledger)
        }
        #expect(throws: Breach.self) {
            try watch.noteAnswer(answers[2], to: ask, Self.key, of: .user(1), in: ledger)
        }
    }

    // MARK: - Acknowledgements

    @Test func `finds an acknowledged errand without a trace`() throws {
        let answers: [ErrandAnswer] = [
            .visit(Self.visit, version: 2), .course(Self.course, version: 2), .favourite(FavouriteID(high: 8, low: 8)),
            .recording(1, Self.recording), .upload(file: 1, UploadID(high: 8, low: 9), offset: 0, made: Self.picture),
        ]
        for answer in answers {
            var watch = ErrandWatch()
            let ask = ErrandAsk.keepWay(Promise.sample().id, key: "way")
            #expect(throws: Breach.self) {
                try watch.noteAnswer(.errand(answer), to: ask, Self.key, of: .user(1), in: Ledger())
            }
            var ledger = Ledger()
            ledger.deleted = [.user(1)]
            try watch.noteAnswer(.errand(answer), to: ask, Self.key, of: .user(1), in: ledger)
        }
    }

    @Test func `finds an acknowledged deletion that left data`() throws {
        for ask in [ErrandAsk.discard(Self.visit), .delete(Self.course)] {
            var watch = ErrandWatch()
            #expect(throws: Breach.self) {
                try watch.noteAnswer(.done, to: ask, Self.key, of: .user(1), in: Self.ledger())
            }
            try watch.noteAnswer(.done, to: ask, Self.key, of: .user(1), in: Ledger())
            try watch.noteAnswer(.unavailable, to: ask, Self.key, of: .user(1), in: Self.ledger())
        }
    }
}
