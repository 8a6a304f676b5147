import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedWorld

@Suite struct AppDeviceTests {
    private static func device() -> AppDevice {
        let quality = Story.Network(delayMs: 0, cutsOneIn: 0, patienceMs: 1_000, diskMs: 0)
        let app = FollowingApp(.user(1), clock: VirtualClock(EventQueue(at: .meeting)), seed: 1)
        return AppDevice(app, quality: quality, seed: 1)
    }

    private static func snapshot(_ seq: UInt32, epoch: String = "one") -> FollowingApp.Heard {
        FollowingApp.Heard(promise: "p", notice: .snapshot(WirePromise(), FeedMark(epoch: epoch, seq: seq)))
    }

    private static func event(_ seq: UInt32, mark: UInt32? = nil) -> FollowingApp.Heard {
        var event = WireEvent()
        event.seq = seq
        return FollowingApp.Heard(promise: "p", notice: .event(event, FeedMark(epoch: "one", seq: mark ?? seq)))
    }

    @Test func `a feed starts with a snapshot and continues with the next events`() throws {
        var device = Self.device()
        for heard in [Self.snapshot(3), Self.event(4), Self.event(0, mark: 4), Self.event(5), Self.snapshot(9)] {
            try device.note(heard)
        }
        try device.note(Self.snapshot(1, epoch: "two"))
        #expect(device.marks["p"] == FeedMark(epoch: "two", seq: 1))
    }

    @Test func `finds an event out of order`() throws {
        for wrong in [Self.event(3), Self.event(5), Self.event(4, mark: 5), Self.event(0, mark: 4), Self.snapshot(2)] {
            var device = Self.device()
            try device.note(Self.snapshot(3))
            #expect(throws: Violation.self) { try device.note(wrong) }
        }
        var device = Self.device()
        #expect(throws: Violation.self) { try device.note(Self.event(1)) }
    }

    @Test(.proves("18.23")) func `a connected app must know the state stored at the last check`() {
        var device = Self.device()
        let (one, other) = (PromiseID(high: 1, low: 1), PromiseID(high: 1, low: 2))
        #expect(device.look(at: [one: 3]).isEmpty)
        let connection = device.open(AppLink { _ in }, at: .meeting)
        #expect(device.look(at: [one: 3, other: 1]).isEmpty)
        // One that its user has left meanwhile is of no interest any more.
        #expect(device.look(at: [one: 5]) == [one: 3])
        device.forgetLook()
        #expect(device.look(at: [one: 6]).isEmpty)
        #expect(device.look(at: [one: 6]) == [one: 6])
        device.lose(connection)
        #expect(device.look(at: [one: 7]).isEmpty)
    }

    @Test func `a lost connection delivers nothing, and the library reports its end later`() async throws {
        var device = Self.device()
        let link = AppLink { _ in }
        let connection = device.open(link, at: .meeting)
        #expect(connection > AppDevice.firstConnection && device.connection(of: link) == connection)
        #expect(device.arrival(on: connection, isUp: true, at: .meeting) == .meeting)
        device.deliver([7], on: connection)
        device.lose(connection)
        #expect(device.arrival(on: connection, isUp: false, at: .meeting) == nil)
        #expect(device.isConnected)
        device.cut(connection)
        #expect(!device.isConnected && device.connection(of: link) == nil)
        var events: [LinkEvent] = []
        for await event in link.incoming { events.append(event) }
        #expect(events == [.message([7]), .closed(code: 1_006)])
    }
}
