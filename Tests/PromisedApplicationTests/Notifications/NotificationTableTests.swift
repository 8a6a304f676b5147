import PromisedDomain
import PromisedEngine
import PromisedJournal
import PromisedPlaces
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

/// Focus × kind × quiet hours × writing, from the request to the stored entry and the events.
@Suite(.timeLimit(.minutes(5))) struct NotificationTableTests {
    enum Outcome: Hashable, Sendable { case seen, writing, quiet, told, phone }

    /// The outcome by day and by night for three groups of kinds: urgent ones of the promise, other ones of the
    /// promise, and those about other things.
    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        /// Of the user's connections, in order of their numbers.
        var focuses: [NotificationFocus]
        var day: [Outcome]
        var night: [Outcome]
        var testDescription: String { name }
    }

    private static let promise = PromiseID.sample(1)
    private static let home = NotificationFocus(.home)
    private static let meetup = NotificationFocus(.meetup, promiseID: promise)
    private static let writing = NotificationFocus(.writing)
    private static let away = NotificationFocus(.meetup, promiseID: promise, isActive: false)
    private static let held = [Outcome.writing, .writing, .writing]

    private static let rows = [
        Row(name: "no connection", focuses: [], day: [.phone, .phone, .phone], night: [.phone, .quiet, .quiet]),
        Row(name: "home", focuses: [home], day: [.told, .told, .told], night: [.told, .quiet, .quiet]),
        Row(name: "the promise", focuses: [meetup], day: [.seen, .seen, .told], night: [.seen, .seen, .quiet]),
        Row(
            name: "the promise in the background",
            focuses: [away],
            day: [.phone, .phone, .phone],
            night: [.phone, .quiet, .quiet]
        ),
        Row(
            name: "another promise",
            focuses: [NotificationFocus(.meetup, promiseID: .sample(2))],
            day: [.told, .told, .told],
            night: [.told, .quiet, .quiet]
        ),
        Row(name: "writing", focuses: [writing], day: held, night: held),
        // Two connections of one user.
        Row(name: "home and writing", focuses: [home, writing], day: held, night: held),
        Row(
            name: "the promise and writing",
            focuses: [meetup, writing],
            day: [.seen, .seen, .writing],
            night: [.seen, .seen, .writing]
        ),
        Row(name: "the promise in the background and writing", focuses: [away, writing], day: held, night: held),
        Row(
            name: "the promise and home",
            focuses: [meetup, home],
            day: [.seen, .seen, .told],
            night: [.seen, .seen, .quiet]
        ),
        Row(
            name: "the promise in the background and home",
            focuses: [away, home],
            day: [.told, .told, .told],
            night: [.told, .quiet, .quiet]
        ),
    ]

    private static let groups: [[NotificationTopic]] = [
        [.trackingStarted(promise), .nudged(promise)],
        [.invited(promise, meetsAt: .meeting + .days(3)), .resultFinal(promise), .weatherTurned(promise)],
        [
            .friendRequested(.user(11)), .visitMade(VisitID(high: 3, low: 1)),
            .recordingInterrupted(RecordingID(high: 4, low: 1)), .courseShared(.shared), .exportReady,
        ],
    ]

    /// Each topic is raised for a separate user, at 21:00 by the user's clock.
    @Test(.proves("14.1"), arguments: rows, [false, true])
    private func `the first rule that applies decides`(_ row: Row, isNight: Bool) async throws {
        try await NotificationWorld.with(users: 12) { world in
            var number: UInt64 = 0
            for (group, topics) in Self.groups.enumerated() {
                for topic in topics {
                    number += 1
                    let user = UserID.user(number)
                    try await world.quiet(isNight ? "20:00" : "22:30", "07:00", for: user)
                    for (index, focus) in row.focuses.enumerated() {
                        try await world.focus(number * 100 + UInt64(index), focus, of: user)
                    }
                    try await world.begin(topic, for: user)
                    try await world.arise(topic, for: user)
                    let expected = (isNight ? row.night : row.day)[group]
                    #expect(try await outcome(for: user, in: world) == expected, "\(topic.kind)")
                }
            }
        }
    }

    @Test(.proves("14.1"), arguments: rows)
    private func `stores a disabled kind as read, whatever else applies`(_ row: Row) async throws {
        try await NotificationWorld.with(users: 12) { world in
            for (index, focus) in row.focuses.enumerated() { try await world.focus(UInt64(index), focus) }
            for topic in Self.groups.joined() {
                _ = try await world.notifications.updateSettings(
                    of: .user(1),
                    off: [topic.kind],
                    quietFrom: "20:00",
                    quietTo: "07:00"
                )
                try await world.begin(topic, for: .user(1))
                try await world.arise(topic)
                let entry = try await world.entries().first { $0.notification.topic == topic }
                #expect(entry?.isRead == true && entry?.hold == nil)
            }
            #expect(world.told() == [] && world.pushed() == [])
        }
    }

    /// The outcome of a user's only notification, by the stored entry, the events and the pushes.
    private func outcome(for user: UserID, in world: NotificationWorld) async throws -> Outcome? {
        let entries = try await world.entries(of: user)
        let entry = try #require(entries.count == 1 ? entries[0] : nil)
        let topic = entry.notification.topic
        switch (entry.isRead, entry.hold?.reason, world.told(user), world.pushed(user)) {
        case (true, nil, [], []): return .seen
        case (false, .writing?, [], []): return .writing
        case (false, .quietHours?, [], []): return .quiet
        case (false, nil, [topic], []): return .told
        case (false, nil, [topic], [topic]): return .phone
        default: return nil
        }
    }
}

extension CourseID {
    /// The course of user 12 that is shared with friends.
    fileprivate static let shared = CourseID(high: 0x7000, low: 1 << 63 | 1)
}

extension NotificationWorld {
    /// Begins the cause of a topic that another user causes.
    fileprivate func begin(_ topic: NotificationTopic, for user: UserID) async throws {
        let now = clock.now
        switch topic {
        case .friendRequested(let other):
            let outcome = try await store.friendships.changeFriendship(between: other, and: user, at: now) {
                pair,
                counts throws(Refusal) in try pair.request(by: other, counts: counts, at: now)
            }
            _ = try outcome.get()
        case .courseShared(let course):
            let owner = UserID.user(12)
            _ = try await store.friendships.changeFriendship(between: owner, and: user, at: now) { pair, _ in
                pair.state = .friends
            }
            try await keepCourse(course, of: owner)
            _ = try await store.courses.shareCourse(course, of: owner, with: .friends, at: now).get()
        default: break
        }
    }

    private func keepCourse(_ id: CourseID, of owner: UserID) async throws {
        let start = clock.now - .hours(1)
        let points = (0..<60).map { number in
            TrackPoint(
                Coordinate(latitude: 37.5 + Double(number) / 1_000, longitude: 127),
                time: start + .seconds(Double(number) * 30)
            )
        }
        let draft = CourseDraft(
            source: .file,
            notes: CourseNotes(title: "Tour", memo: "", activity: .ride, photos: []),
            raw: Track(points),
            secret: try await store.courses.endsSecret(of: owner),
            names: DirectoryNames(state: nil, language: .english),
            at: clock.now
        )
        _ = try await store.courses.createCourse(
            NewCourse(draft, id: id),
            in: FolderChoice(newID: FolderID(high: 0x7005, low: 1 << 63 | 12), language: .english),
            of: owner,
            key: "tour",
            contentHash: [1],
            at: clock.now
        ).get()
    }
}
