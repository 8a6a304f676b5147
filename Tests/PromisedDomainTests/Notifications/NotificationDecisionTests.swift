import PromisedDomain
import Testing

/// Focus × kind × quiet hours × writing.
@Suite struct NotificationDecisionTests {
    enum Outcome: String, Sendable {
        case off, seen, writing, quiet, told, phone

        init(_ decision: NotificationDecision?) {
            switch decision {
            case .off: self = .off
            case .seen: self = .seen
            case .held(let hold): self = hold.reason == .writing ? .writing : .quiet
            case .told(.reached): self = .phone
            case .told, nil: self = .told
            }
        }
    }

    /// The outcome for kinds that differ: urgent ones of the promise, other ones of the promise, and those of other
    /// things.
    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var focuses: [NotificationFocus]
        var day: [Outcome]
        var night: [Outcome]
        var testDescription: String { name }

        init(_ name: String, _ focuses: [NotificationFocus], day: [Outcome], night: [Outcome]) {
            self.name = name
            self.focuses = focuses
            self.day = day
            self.night = night
        }
    }

    private static let home = NotificationFocus(.home)
    private static let meetup = NotificationFocus(.meetup, promiseID: Sample.promise)
    private static let writing = NotificationFocus(.writing)

    private static func inBackground(_ focus: NotificationFocus) -> NotificationFocus {
        NotificationFocus(focus.screen, promiseID: focus.promiseID, isActive: false)
    }

    // In each list: urgent of the promise, other of the promise, of other things.
    private static let rows = [
        // One connection, or none with a focus.
        Row("no focus", [], day: [.phone, .phone, .phone], night: [.phone, .quiet, .quiet]),
        Row("home", [home], day: [.told, .told, .told], night: [.told, .quiet, .quiet]),
        Row(
            "home in the background",
            [inBackground(home)],
            day: [.phone, .phone, .phone],
            night: [.phone, .quiet, .quiet]
        ),
        Row("the promise", [meetup], day: [.seen, .seen, .told], night: [.seen, .seen, .quiet]),
        Row(
            "the promise in the background",
            [inBackground(meetup)],
            day: [.phone, .phone, .phone],
            night: [.phone, .quiet, .quiet]
        ),
        Row(
            "another promise",
            [NotificationFocus(.meetup, promiseID: Sample.otherPromise)],
            day: [.told, .told, .told],
            night: [.told, .quiet, .quiet]
        ),
        Row(
            "a meetup without promise",
            [NotificationFocus(.meetup)],
            day: [.told, .told, .told],
            night: [.told, .quiet, .quiet]
        ),
        Row(
            "the promise's place, not its meetup",
            [NotificationFocus(.places, promiseID: Sample.promise)],
            day: [.told, .told, .told],
            night: [.told, .quiet, .quiet]
        ),
        Row("some course", [NotificationFocus(.course)], day: [.told, .told, .told], night: [.told, .quiet, .quiet]),
        Row(
            "some recording",
            [NotificationFocus(.recording)],
            day: [.told, .told, .told],
            night: [.told, .quiet, .quiet]
        ),
        Row(
            "another screen",
            [NotificationFocus(.other)],
            day: [.told, .told, .told],
            night: [.told, .quiet, .quiet]
        ),
        Row("writing", [writing], day: [.writing, .writing, .writing], night: [.writing, .writing, .writing]),
        Row(
            "writing about the promise",
            [NotificationFocus(.writing, promiseID: Sample.promise)],
            day: [.writing, .writing, .writing],
            night: [.writing, .writing, .writing]
        ),
        Row(
            "writing in the background",
            [inBackground(writing)],
            day: [.phone, .phone, .phone],
            night: [.phone, .quiet, .quiet]
        ),
        // Two connections.
        Row(
            "the promise here, writing there",
            [meetup, writing],
            day: [.seen, .seen, .writing],
            night: [.seen, .seen, .writing]
        ),
        Row(
            "the promise in the background here, writing there",
            [inBackground(meetup), writing],
            day: [.writing, .writing, .writing],
            night: [.writing, .writing, .writing]
        ),
        Row(
            "the promise here, writing in the background there",
            [meetup, inBackground(writing)],
            day: [.seen, .seen, .told],
            night: [.seen, .seen, .quiet]
        ),
        Row(
            "home here, writing there",
            [home, writing],
            day: [.writing, .writing, .writing],
            night: [.writing, .writing, .writing]
        ),
        Row(
            "home here, the promise there",
            [home, meetup],
            day: [.seen, .seen, .told],
            night: [.seen, .seen, .quiet]
        ),
        Row(
            "home here, another in the background there",
            [home, inBackground(meetup)],
            day: [.told, .told, .told],
            night: [.told, .quiet, .quiet]
        ),
        Row(
            "both in the background",
            [inBackground(home), inBackground(meetup)],
            day: [.phone, .phone, .phone],
            night: [.phone, .quiet, .quiet]
        ),
    ]

    private static func group(of topic: NotificationTopic) -> Int {
        switch topic {
        case .nudged, .trackingStarted: 0
        case .invited, .resultFinal, .weatherTurned: 1
        case .friendRequested, .visitMade, .recordingInterrupted, .courseShared, .exportReady: 2
        }
    }

    /// The outcome of one notification for a user whose connections show `focuses`.
    private func outcome(
        of topic: NotificationTopic,
        focuses: [NotificationFocus],
        settings: NotificationSettings,
        at now: Instant
    ) -> Outcome {
        var machine = NotificationMachine(settings: settings)
        for (index, focus) in focuses.enumerated() {
            _ = machine.receive(.focus(FocusTable.Connection(number: UInt64(index)), focus), at: now - .seconds(60))
        }
        let notification = Sample.notification(1, topic, at: now)
        let effects = machine.receive(.raised(notification), at: now)
        let outcome = Outcome(effects.decisions.first)
        let entry = machine.inbox[notification.id]
        #expect(effects.decisions.count == 1)
        #expect(effects.first == entry.map { .store($0) })
        #expect(entry?.isRead == (outcome == .off || outcome == .seen))
        #expect((entry?.hold != nil) == (outcome == .writing || outcome == .quiet))
        #expect(effects.told == (outcome == .told || outcome == .phone ? [notification] : []))
        #expect(effects.pushed == (outcome == .phone ? [notification] : []))
        return outcome
    }

    @Test(arguments: rows)
    private func `the first rule that applies decides`(_ row: Row) {
        // Quiet hours from 20 h to 13 h are on at noon, those of the night are not.
        let day = NotificationSettings(quietHours: Sample.night)
        let night = NotificationSettings(quietHours: Sample.hours("20:00", "13:00"))
        for topic in Sample.topics {
            let group = Self.group(of: topic)
            let noon = Sample.noon
            #expect(
                outcome(of: topic, focuses: row.focuses, settings: day, at: noon) == row.day[group],
                "\(topic.kind), day"
            )
            #expect(
                outcome(of: topic, focuses: row.focuses, settings: night, at: noon) == row.night[group],
                "\(topic.kind), night"
            )
            let never = NotificationSettings()
            #expect(
                outcome(of: topic, focuses: row.focuses, settings: never, at: noon) == row.day[group],
                "\(topic.kind)"
            )
        }
    }

    @Test(arguments: rows)
    private func `stores a disabled kind as read, whatever else applies`(_ row: Row) {
        for topic in Sample.topics {
            for hours in [nil, Sample.hours("20:00", "13:00")] {
                let settings = NotificationSettings(off: [topic.kind], quietHours: hours)
                #expect(outcome(of: topic, focuses: row.focuses, settings: settings, at: Sample.noon) == .off)
                let others = NotificationSettings(off: Set(NotificationKind.allCases).subtracting([topic.kind]))
                let group = Self.group(of: topic)
                #expect(outcome(of: topic, focuses: row.focuses, settings: others, at: Sample.noon) == row.day[group])
            }
        }
    }

    @Test(arguments: [(-60_000, Outcome.phone), (-1, .phone), (0, .quiet), (1, .quiet)] as [(Int64, Outcome)])
    func `an invitation is urgent if the promise begins before the quiet hours end`(_ lead: Int64, _ expected: Outcome)
    {
        let settings = NotificationSettings(quietHours: Sample.hours("20:00", "13:00"))
        let meetsAt = Sample.noon + .hours(1) + .milliseconds(lead)
        let topic = NotificationTopic.invited(Sample.promise, meetsAt: meetsAt)
        #expect(outcome(of: topic, focuses: [], settings: settings, at: Sample.noon) == expected)
    }

    @Test func `each topic has its own kind and a link to its subject`() {
        #expect(Sample.topics.map(\.kind) == NotificationKind.allCases)
        let routes = Sample.topics.map { NotificationRoute(to: $0) }
        #expect(
            routes.map(\.screen) == [
                .meetup, .meetup, .meetup, .home, .meetup, .meetup, .other, .recording, .course, .other,
            ]
        )
        for (topic, route) in zip(Sample.topics, routes) {
            #expect((route.promiseID == Sample.promise) == (topic.subject == .promise(Sample.promise)))
            #expect(route.visitID.map { .visit($0) } ?? topic.subject == topic.subject)
            #expect(route.courseID.map { .course($0) } ?? topic.subject == topic.subject)
            #expect(route.recordingID.map { .recording($0) } ?? topic.subject == topic.subject)
        }
        #expect(routes[6].visitID != nil && routes[7].recordingID != nil && routes[8].courseID != nil)
    }
}
