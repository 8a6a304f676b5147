import PromisedDomain
import PromisedSimulation
import Testing

/// Random days of one user, by seed, compared with a model that stores everything.
@Suite struct NotificationPropertyTests {
    @Test(arguments: 1...30)
    func `delivers each notification once, loses none and bounds the inbox`(seed: Int) {
        var run = NotificationRun(seed: UInt64(seed))
        for _ in 0..<500 where run.model.breaches.isEmpty { run.step() }
        run.finish()
        #expect(run.model.breaches.isEmpty, "seed \(seed), step \(run.steps)")
        #expect(run.outcomes.count >= 4, "seed \(seed)")
    }

    @Test func `the random days include every outcome and a full inbox`() {
        var outcomes: Set<String> = []
        var most = 0
        for seed in 1...6 as ClosedRange<UInt64> {
            var run = NotificationRun(seed: seed)
            for _ in 0..<800 { run.step() }
            outcomes.formUnion(run.outcomes)
            most = max(most, run.model.most)
        }
        #expect(outcomes == ["off", "seen", "writing", "quiet", "told", "phone", "limited"])
        #expect(most == NotificationInbox.most)
    }
}

/// The machine under random events.
private struct NotificationRun {
    /// The outcomes that occurred.
    private(set) var outcomes: Set<String> = []
    private(set) var model = NotificationModel()
    private(set) var steps = 0

    private let longestPause: Double
    private var random: SeededGenerator
    private var machine: NotificationMachine
    private var number: UInt64 = 0
    private var wakes: Set<Instant> = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        // Busy days spend the phone's allowance and fill the inbox.
        longestPause = [600, 90, 15][Int(seed % 3)]
        let ahead = model.ahead
        machine = NotificationMachine(settings: model.settings, clock: UserClock { _ in ahead })
    }

    mutating func step() {
        steps += 1
        let isLong = random.chance(2 / longestPause)
        advance(by: .seconds(random.uniform(0...(isLong ? 14_400 : longestPause))))
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<20: arise()
        case 20..<30: focus()
        case 30..<34: feedFrame()
        case 34: disconnect()
        case 35: read()
        case 36: changeSettings()
        case 37: travel()
        default: restart()
        }
        model.check(machine.inbox)
    }

    /// A day without events delivers all held notifications.
    mutating func finish() {
        for connection in [Sample.phone, Sample.tablet] { disconnect(connection) }
        advance(by: .days(1))
        if !machine.inbox.held.isEmpty { model.report("held for a day") }
        model.checkNothingIsLost()
    }

    /// Advances time with the requested wakes.
    private mutating func advance(by span: TimeSpan) {
        let end = model.now + span
        while let wake = wakes.min(), wake <= end {
            wakes.remove(wake)
            model.now = max(model.now, wake)
            feed(.wake)
            model.check(machine.inbox)
        }
        model.now = end
    }

    @discardableResult
    private mutating func feed(_ event: NotificationEvent) -> [NotificationEffect] {
        let effects = machine.receive(event, at: model.now)
        model.hear(effects)
        wakes.formUnion(effects.wakes)
        return effects
    }

    // MARK: - Events

    private mutating func arise() {
        number += 1
        let sooner = NotificationTopic.invited(Sample.promise, meetsAt: model.now + .hours(3))
        let topics = Sample.topics + [.resultFinal(Sample.otherPromise), sooner]
        let topic = topics.randomElement(using: &random) ?? sooner
        let notification = Sample.notification(number, topic, at: model.now)
        model.arisen.append(notification)
        let expected = model.expectation(of: topic)
        let outcome = feed(.raised(notification)).decisions.last.map(word)
        if outcome != expected { model.report("\(outcome ?? "nothing") instead of \(expected) for \(topic.kind)") }
        outcomes.insert(expected)
    }

    private func word(_ decision: NotificationDecision) -> String {
        switch decision {
        case .off: "off"
        case .seen: "seen"
        case .held(let hold): hold.reason == .writing ? "writing" : "quiet"
        case .told(.unneeded): "told"
        case .told(.reached): "phone"
        case .told(.limited): "limited"
        }
    }

    private mutating func focus() {
        let screens = FocusScreen.allCases + [.writing, .writing, .meetup, .meetup]
        let focus = NotificationFocus(
            screens.randomElement(using: &random) ?? .home,
            promiseID: [nil, Sample.promise, Sample.otherPromise].randomElement(using: &random) ?? nil,
            isActive: random.chance(0.7)
        )
        let connection = randomConnection()
        model.focuses[connection] = (focus, model.now)
        feed(.focus(connection, focus))
    }

    private mutating func feedFrame() {
        let connection = randomConnection()
        if let known = model.focuses[connection] {
            model.focuses[connection] = model.now - known.frameAt < .minutes(2) ? (known.focus, model.now) : nil
        }
        feed(.lasts(connection, until: model.focuses[connection].map { $0.frameAt + .minutes(2) }))
    }

    private mutating func disconnect(_ connection: FocusTable.Connection? = nil) {
        let connection = connection ?? randomConnection()
        model.focuses[connection] = nil
        feed(.disconnected(connection))
    }

    private mutating func read() {
        let ids = random.chance(0.2) ? [] : model.arisen.suffix(5).map(\.id)
        for entry in machine.inbox.entries where ids.isEmpty || ids.contains(entry.notification.id) {
            model.readByUser.insert(entry.notification.id)
        }
        feed(.read(ids))
    }

    private mutating func changeSettings() {
        let hours = [nil, Sample.night, Sample.hours("12:00", "18:00"), Sample.hours("03:00", "02:00")]
        let off = NotificationKind.allCases.filter { _ in random.chance(0.1) }
        model.settings = NotificationSettings(off: Set(off), quietHours: hours.randomElement(using: &random) ?? nil)
        feed(.settings(model.settings))
    }

    private mutating func travel() {
        let ahead = Int.random(in: -12...14, using: &random) * 3_600
        model.ahead = ahead
        feed(.clock(UserClock { _ in ahead }))
    }

    /// Restarts the server with the contents of its store and without connections.
    private mutating func restart() {
        let (now, ahead) = (model.now, model.ahead)
        machine = NotificationMachine(
            entries: model.stored.values,
            settings: model.settings,
            clock: UserClock { _ in ahead },
            pushedAt: model.pushed.filter { now - $0 < .hours(1) }
        )
        model.focuses = [:]
        wakes = []
        feed(.wake)
    }

    private mutating func randomConnection() -> FocusTable.Connection {
        random.chance(0.5) ? Sample.phone : Sample.tablet
    }
}
