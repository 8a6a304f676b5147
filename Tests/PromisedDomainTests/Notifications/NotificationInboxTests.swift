import PromisedDomain
import Testing

@Suite struct NotificationInboxTests {
    private let start = Sample.noon

    private func friendRequest(_ number: UInt64, at instant: Instant) -> UserNotification {
        Sample.notification(number, .friendRequested(UserID(high: 2, low: number)), at: instant)
    }

    @Test func `stores the newest 200`() {
        var machine = NotificationMachine()
        for number in 1...200 as ClosedRange<UInt64> {
            let now = start + .seconds(Double(number))
            #expect(machine.receive(.raised(friendRequest(number, at: now)), at: now).told.count == 1)
        }
        #expect(machine.inbox.entries.count == 200)
        #expect(machine.inbox.unread == 200)
        let now = start + .seconds(201)
        let effects = machine.receive(.raised(friendRequest(201, at: now)), at: now)
        #expect(effects.contains(.remove([NotificationID(high: 9, low: 1)])))
        #expect(machine.inbox.entries.map(\.notification.id.low) == (2...201).reversed())
        // A notification older than all of them is neither delivered nor stored.
        #expect(machine.receive(.raised(friendRequest(202, at: start)), at: now).isEmpty)
    }

    @Test func `stores a notification for 30 days`() {
        var machine = NotificationMachine()
        _ = machine.receive(.raised(friendRequest(1, at: start)), at: start)
        #expect(machine.receive(.wake, at: start + .days(30) - .milliseconds(1)).isEmpty)
        #expect(machine.inbox.unread == 1)
        #expect(machine.receive(.wake, at: start + .days(30)) == [.remove([NotificationID(high: 9, low: 1)])])
        #expect(machine.inbox.entries.isEmpty)
        #expect(machine.receive(.raised(friendRequest(1, at: start)), at: start + .days(30)).isEmpty)
    }

    @Test func `sorts entries by time, then by id`() {
        let notifications = [(3, 0), (1, 0), (2, 5), (4, -5)].map { number, second in
            NotificationEntry(friendRequest(UInt64(number), at: start + .seconds(Double(second))))
        }
        let restored = NotificationInbox(notifications)
        #expect(restored.entries.map(\.notification.id.low) == [2, 3, 1, 4])
        var machine = NotificationMachine()
        for entry in notifications { _ = machine.receive(.raised(entry.notification), at: start + .seconds(5)) }
        #expect(machine.inbox == restored)
    }

    @Test func `reading some or all changes the unread count once`() {
        var machine = NotificationMachine()
        let notifications = (1...5 as ClosedRange<UInt64>).map { friendRequest($0, at: start) }
        for notification in notifications { _ = machine.receive(.raised(notification), at: start) }
        let some = [notifications[0].id, notifications[3].id, NotificationID(high: 0, low: 0)]
        #expect(machine.receive(.read(some), at: start).count == 2)
        #expect(machine.inbox.unread == 3)
        #expect(machine.receive(.read(some), at: start).isEmpty)
        #expect(machine.receive(.read([]), at: start).count == 3)
        #expect(machine.inbox.unread == 0)
        #expect(machine.receive(.read([]), at: start).isEmpty)
    }

    @Test func `pushes at most thirty in any hour`() {
        var machine = NotificationMachine()
        var reached = 0
        for number in 0..<40 as Range<UInt64> {
            let now = start + .minutes(Int64(number))
            let effects = machine.receive(.raised(friendRequest(number, at: now)), at: now)
            #expect(effects.told.count == 1)
            #expect(effects.decisions == [.told(number < 30 ? .reached : .limited)])
            reached += effects.pushed.count
        }
        #expect(reached == 30)
        // The first was at 0 min: a place is free 60 min later, and no earlier.
        let early = start + .hours(1) - .milliseconds(1)
        #expect(machine.receive(.raised(friendRequest(50, at: early)), at: early).pushed.isEmpty)
        let free = start + .hours(1)
        #expect(machine.receive(.raised(friendRequest(51, at: free)), at: free).pushed.count == 1)
        #expect(machine.receive(.raised(friendRequest(52, at: free)), at: free).pushed.isEmpty)
        // An active connection needs no allowance.
        _ = machine.receive(.focus(Sample.phone, NotificationFocus(.home)), at: free)
        #expect(machine.receive(.raised(friendRequest(53, at: free)), at: free).decisions == [.told(.unneeded)])
    }

    @Test func `the allowance survives a restart`() {
        let used = (0..<30 as Range<Int64>).map { start + .minutes($0) }
        var machine = NotificationMachine(pushedAt: used.shuffled())
        let early = start + .minutes(59)
        #expect(machine.receive(.raised(friendRequest(1, at: early)), at: early).pushed.isEmpty)
        let free = start + .minutes(60)
        #expect(machine.receive(.raised(friendRequest(2, at: free)), at: free).pushed.count == 1)
        #expect(machine.receive(.raised(friendRequest(3, at: free)), at: free).pushed.isEmpty)
    }

    @Test func `evicts a held notification only after two hundred newer ones`() {
        let settings = NotificationSettings(quietHours: Sample.hours("11:00", "13:00"))
        var machine = NotificationMachine(settings: settings)
        for number in 1...201 as ClosedRange<UInt64> {
            let now = start + .seconds(Double(number))
            #expect(machine.receive(.raised(friendRequest(number, at: now)), at: now).told.isEmpty)
        }
        let told = machine.receive(.wake, at: start + .hours(1)).told
        #expect(told.map(\.id.low) == Array(2...201))
    }
}
