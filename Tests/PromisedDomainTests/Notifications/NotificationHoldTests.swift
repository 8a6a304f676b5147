import PromisedDomain
import Testing

@Suite struct NotificationHoldTests {
    private let start = Sample.noon
    private let writing = NotificationFocus(.writing)
    private let first = Sample.notification(1, .resultFinal(Sample.promise), at: Sample.noon)

    /// A machine with a writing user and the held notification ``first``.
    private func heldMachine(settings: NotificationSettings = NotificationSettings()) -> NotificationMachine {
        var machine = NotificationMachine(settings: settings)
        _ = machine.receive(.focus(Sample.phone, writing), at: start)
        let effects = machine.receive(.raised(first), at: start)
        #expect(effects.decisions == [.held(NotificationHold(.writing, until: start + .minutes(10)))])
        #expect(effects.wakes == [start + .minutes(2)])
        return machine
    }

    @Test(
        arguments: [
            .focus(Sample.phone, NotificationFocus(.home)),
            .focus(Sample.phone, NotificationFocus(.writing, isActive: false)),
            .disconnected(Sample.phone),
        ] as [NotificationEvent]
    )
    func `releases a held notification when writing ends`(_ event: NotificationEvent) {
        var machine = heldMachine()
        #expect(machine.receive(event, at: start + .seconds(30)).told == [first])
        #expect(machine.receive(.wake, at: start + .minutes(20)).told.isEmpty)
        #expect(machine.nextWake(at: start + .minutes(20)) == nil)
    }

    @Test func `writing on one of two connections holds until both have ended`() {
        var machine = heldMachine()
        _ = machine.receive(.focus(Sample.tablet, writing), at: start + .seconds(10))
        #expect(machine.receive(.disconnected(Sample.phone), at: start + .seconds(20)).told.isEmpty)
        #expect(machine.receive(.disconnected(Sample.tablet), at: start + .seconds(30)).told == [first])
    }

    @Test func `two minutes without a frame end writing`() {
        var machine = heldMachine()
        let frame = start + .seconds(119)
        #expect(machine.receive(.lasts(Sample.phone, until: frame + .minutes(2)), at: start + .minutes(2)).isEmpty)
        #expect(machine.receive(.wake, at: start + .minutes(2)).wakes == [frame + .minutes(2)])
        #expect(machine.receive(.wake, at: frame + .minutes(2) - .milliseconds(1)).told.isEmpty)
        let effects = machine.receive(.wake, at: frame + .minutes(2))
        #expect(effects.told == [first])
        // The connection is no longer active, so the phone is notified.
        #expect(effects.pushed == [first])
        // The lease has ended, and with it the focus.
        _ = machine.receive(.lasts(Sample.phone, until: frame + .minutes(9)), at: frame + .minutes(3))
        let second = Sample.notification(2, .exportReady, at: frame + .minutes(3))
        #expect(machine.receive(.raised(second), at: frame + .minutes(3)).decisions == [.told(.reached)])
    }

    @Test(arguments: [(-1, true), (0, false), (1, false)] as [(Int64, Bool)])
    func `a frame extends a focus that has not ended`(_ lead: Int64, _ isKept: Bool) {
        var machine = NotificationMachine()
        var lease = FocusLease()
        lease.noteFrame(at: start - .minutes(1))
        #expect(lease.endsAt == nil)
        lease.begin(at: start)
        _ = machine.receive(.focus(Sample.phone, NotificationFocus(.home)), at: start)
        let frame = start + .minutes(2) + .milliseconds(lead)
        lease.noteFrame(at: frame)
        #expect(lease.endsAt == (isKept ? frame + .minutes(2) : nil))
        #expect(machine.receive(.lasts(Sample.phone, until: lease.endsAt), at: frame + .seconds(90)).isEmpty)
        let expected = NotificationDecision.told(isKept ? .unneeded : .reached)
        let last = Sample.notification(1, .exportReady, at: frame + .minutes(2) - .milliseconds(1))
        #expect(machine.receive(.raised(last), at: last.at).decisions == [expected])
    }

    @Test func `a block withdraws held notifications of the other user, even when they are due`() {
        var machine = heldMachine()
        let mine = Sample.notification(2, .friendRequested(Sample.friend), at: start + .seconds(1))
        let other = UserNotification(id: NotificationID(high: 9, low: 3), at: start + .seconds(1), topic: .exportReady)
        for notification in [mine, other] { _ = machine.receive(.raised(notification), at: start + .seconds(1)) }
        let effects = machine.receive(.blockCreated(with: Sample.friend), at: start + .minutes(20))
        #expect(effects.first == .remove([mine.id, first.id]))
        #expect(effects.told == [other])
        #expect(machine.inbox.entries.map(\.notification) == [other])
        #expect(machine.receive(.blockCreated(with: Sample.friend), at: start + .minutes(20)).isEmpty)
    }

    @Test func `writing holds ten minutes at most`() {
        var machine = heldMachine()
        for second in stride(from: 60, through: 660, by: 60) {
            let now = start + .seconds(Double(second))
            _ = machine.receive(.lasts(Sample.phone, until: now + .minutes(2)), at: now)
            if second == 540 {
                #expect(machine.receive(.wake, at: start + .minutes(10) - .milliseconds(1)).told.isEmpty)
                #expect(machine.receive(.wake, at: start + .minutes(10)).decisions == [.told(.unneeded)])
            }
        }
        #expect(machine.inbox[first.id] == NotificationEntry(first))
    }

    @Test func `replaces held notifications by the latest of their kind and subject, without extending the hold`() {
        var machine = heldMachine()
        var told: [UserNotification] = []
        var latest = first
        for minute in 1...9 as ClosedRange<Int64> {
            let now = start + .minutes(minute)
            told += machine.receive(.lasts(Sample.phone, until: now + .minutes(2)), at: now).told
            let next = Sample.notification(UInt64(minute) + 1, first.topic, at: now)
            let effects = machine.receive(.raised(next), at: now)
            #expect(effects.first == .remove([latest.id]))
            told += effects.told
            latest = next
        }
        // Other kinds and subjects stay apart.
        let others = [
            Sample.notification(20, .resultFinal(Sample.otherPromise), at: start + .minutes(9)),
            Sample.notification(21, .weatherTurned(Sample.promise), at: start + .minutes(9)),
        ]
        for other in others { told += machine.receive(.raised(other), at: start + .minutes(9)).told }
        #expect(told.isEmpty)
        #expect(machine.inbox.held.map(\.notification) == [latest] + others)
        #expect(machine.receive(.wake, at: start + .minutes(10)).told == [latest])
        #expect(machine.receive(.disconnected(Sample.phone), at: start + .minutes(10)).told == others)
    }

    @Test func `a newer delivered notification replaces a held one`() {
        let settings = NotificationSettings(quietHours: Sample.hours("11:00", "13:00"))
        var machine = NotificationMachine(settings: settings)
        let later = Sample.notification(1, .invited(Sample.promise, meetsAt: start + .hours(5)), at: start)
        let sooner = Sample.notification(
            2,
            .invited(Sample.promise, meetsAt: start + .minutes(30)),
            at: start + .minutes(1)
        )
        #expect(machine.receive(.raised(later), at: start).told.isEmpty)
        #expect(machine.receive(.raised(sooner), at: start + .minutes(1)).told == [sooner])
        #expect(machine.inbox.entries == [NotificationEntry(sooner)])
        // The older one is repeated after a crash of its sender.
        _ = machine.receive(.wake, at: start + .hours(1))
        #expect(machine.inbox.entries == [NotificationEntry(sooner)])
    }

    @Test func `ignores known notifications and older ones than the held one`() {
        var machine = heldMachine()
        let older = Sample.notification(2, first.topic, at: start - .milliseconds(1))
        #expect(machine.receive(.raised(older), at: start + .seconds(1)).isEmpty)
        #expect(machine.receive(.raised(first), at: start + .seconds(1)).isEmpty)
        _ = machine.receive(.disconnected(Sample.phone), at: start + .seconds(2))
        #expect(machine.receive(.raised(first), at: start + .seconds(3)).isEmpty)
        #expect(machine.inbox.entries.map(\.notification) == [first])
    }

    @Test func `quiet hours hold notifications until their end`() {
        let settings = NotificationSettings(quietHours: Sample.hours("12:00", "12:30"))
        var machine = NotificationMachine(settings: settings)
        let effects = machine.receive(.raised(first), at: start)
        #expect(effects.decisions == [.held(NotificationHold(.quietHours, until: start + .minutes(30)))])
        #expect(effects.wakes == [start + .minutes(30)])
        #expect(machine.receive(.wake, at: start + .minutes(30) - .milliseconds(1)).told.isEmpty)
        #expect(machine.receive(.wake, at: start + .minutes(30)).pushed == [first])
    }

    @Test func `after a hold the other reason applies, or the focus on the subject`() {
        // Writing begins before the quiet hours and ends in them.
        let settings = NotificationSettings(quietHours: Sample.hours("12:01", "12:30"))
        var machine = heldMachine(settings: settings)
        let ended = machine.receive(.disconnected(Sample.phone), at: start + .minutes(2))
        #expect(ended.decisions == [.held(NotificationHold(.quietHours, until: start + .minutes(30)))])
        // The user writes when the quiet hours end.
        _ = machine.receive(.focus(Sample.phone, writing), at: start + .minutes(29))
        let after = machine.receive(.wake, at: start + .minutes(30))
        #expect(after.decisions == [.held(NotificationHold(.writing, until: start + .minutes(40)))])
        // Then the user opens the promise.
        let look = NotificationFocus(.meetup, promiseID: Sample.promise)
        #expect(machine.receive(.focus(Sample.phone, look), at: start + .seconds(1_830)).decisions == [.seen])
        #expect(machine.inbox.entries == [NotificationEntry(first, isRead: true)])
    }

    @Test func `applies new settings and time zones to notifications held by quiet hours`() throws {
        let night = NotificationSettings(quietHours: Sample.hours("11:00", "13:00"))
        func machine() -> NotificationMachine {
            var machine = NotificationMachine(settings: night)
            #expect(machine.receive(.raised(first), at: start).told.isEmpty)
            return machine
        }
        let now = start + .minutes(1)
        var ended = machine()
        #expect(ended.receive(.settings(NotificationSettings()), at: now).told == [first])
        var off = machine()
        let kindOff = try night.edited(off: [.resultFinal])
        #expect(off.receive(.settings(kindOff), at: now).decisions == [.off])
        var longer = machine()
        let moved = try night.edited(off: [], quietTo: "14:00")
        #expect(
            longer.receive(.settings(moved), at: now).decisions == [
                .held(NotificationHold(.quietHours, until: start + .hours(2)))
            ]
        )
        #expect(longer.receive(.wake, at: start + .hours(1)).told.isEmpty)
        #expect(longer.receive(.wake, at: start + .hours(2)).told == [first])
        var travelled = machine()
        #expect(travelled.receive(.clock(UserClock { _ in 9 * 3_600 }), at: now).told == [first])
        // The end of the quiet hours moves nearer.
        var nearer = machine()
        let effects = nearer.receive(.clock(UserClock { _ in 1_800 }), at: now)
        #expect(effects.wakes == [start + .minutes(30)])
    }

    @Test func `does not deliver a held notification that was read`() {
        var machine = heldMachine()
        #expect(machine.inbox.unread == 1)
        #expect(
            machine.receive(.read([first.id]), at: start + .seconds(1)) == [
                .store(NotificationEntry(first, isRead: true))
            ]
        )
        #expect(machine.inbox.unread == 0)
        #expect(machine.receive(.disconnected(Sample.phone), at: start + .seconds(2)).told.isEmpty)
    }

    @Test func `held notifications survive a restart`() {
        let settings = NotificationSettings(quietHours: Sample.hours("11:00", "13:00"))
        var machine = NotificationMachine(settings: settings)
        _ = machine.receive(.raised(first), at: start)
        var restored = NotificationMachine(entries: machine.inbox.entries, settings: settings)
        #expect(restored.receive(.wake, at: start + .minutes(1)) == [.wake(at: start + .hours(1))])
        #expect(restored.receive(.wake, at: start + .hours(1)).told == [first])
        // A hold that ended while the server was down is delivered at once.
        var late = NotificationMachine(entries: machine.inbox.entries, settings: settings)
        #expect(late.receive(.wake, at: start + .hours(9)).told == [first])
    }
}
