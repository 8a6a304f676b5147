import PromisedClient
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedSettings

/// Faults of phones' clocks and of networks move no arrival (domain §5, §6.3).
@Suite("Time over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct ClockRowTests {
    /// Runs `body` with Ada, who watches, and Bea, half a minute after the window of their promise opened.
    private static func with(
        codec: WireCodec = .json,
        configure: (inout ServerSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (ServerWorld, _ ada: Person, _ bea: Person, _ id: String) async throws -> Void
    ) async throws {
        try await ServerWorld.withShortLead(codec: codec, configure: configure) { world in
            try await world.with("Ada", "Bea") { people async throws in
                let id = try await people[0].openPromise(with: [people[1]], in: world)
                try await world.service.clock.sleep(until: world.now + .seconds(45))
                try await body(world, people[0], people[1], id)
            }
        }
    }

    /// Bea's arrival time, as seen by Ada.
    private static func credited(_ ada: Person, _ bea: Person, _ id: String) async throws -> Instant {
        let part = try #require(try await ada.part(of: bea, in: id))
        try #require(part.hasArrival)
        return try Instant(sent: part.arrival.creditedAt)
    }

    private static func isNear(_ one: Instant, _ other: Instant) -> Bool {
        abs((one - other).milliseconds) <= 2
    }

    @Test(.proves("5.7"), arguments: WireCodec.allCases)
    func `dates a report correctly that was delayed 20 s in the network`(codec: WireCodec) async throws {
        try await Self.with(codec: codec) { world, ada, bea, id in
            let phone = DatedPhone(boot: world.now - .hours(1))
            let zero = try await phone.sync(at: world.now) { try await bea.client.syncClock($0) }
            let sent = world.now - .seconds(20)
            #expect(try await bea.client.report(phone.report(id, sent: sent)).taken == [1, 2, 3, 4])
            let crossing = zero + .milliseconds(Int64(phone.uptime(at: sent))) - .milliseconds(12_500)
            #expect(Self.isNear(try await Self.credited(ada, bea, id), crossing))
        }
    }

    @Test(.proves("5.8"))
    func `moving the wall clock changes nothing if the phone sends its uptime`() async throws {
        try await Self.with { world, ada, bea, id in
            var phone = DatedPhone(boot: world.now - .hours(1), tellsWall: true)
            let zero = try await phone.sync(at: world.now) { try await bea.client.syncClock($0) }
            _ = try await bea.client.report(phone.report(id, sent: world.now - .seconds(20), [(0, 200)]))
            let sent = world.now - .seconds(1)
            phone.wallLead = -.hours(1)
            #expect(try await bea.client.report(phone.report(id, sent: sent, first: 2)).taken == [2, 3, 4, 5])
            let crossing = zero + .milliseconds(Int64(phone.uptime(at: sent))) - .milliseconds(12_500)
            #expect(Self.isNear(try await Self.credited(ada, bea, id), crossing))
        }
    }

    @Test(.proves("5.9"), arguments: [-600.0, 600])
    func `moving the wall clock between two reports changes no date`(seconds: Double) async throws {
        try await Self.with { world, ada, bea, id in
            var phone = DatedPhone(boot: world.now, tellsUptime: false, tellsWall: true)
            _ = try await bea.client.report(phone.report(id, sent: world.now, [(0, 200)]))
            // Then all later fixes are newer.
            try await world.service.clock.sleep(until: world.now + .seconds(20))
            phone.wallLead = .seconds(seconds)
            let before = world.now
            let reported = try await bea.client.report(phone.report(id, sent: before, first: 2))
            let after = world.now
            #expect(reported.taken == [2, 3, 4, 5])
            let credited = try await Self.credited(ada, bea, id)
            #expect(credited >= before - .milliseconds(12_502))
            #expect(credited <= after - .milliseconds(12_498))
            // Moved back again: the arrival is unchanged.
            phone.wallLead = .zero
            _ = try await bea.client.report(phone.report(id, sent: world.now, first: 6, [(0, 20)]))
            #expect(try await Self.credited(ada, bea, id) == credited)
        }
    }

    @Test(.proves("5.7")) func `a delayed pong changes no date`() async throws {
        let often: @Sendable (inout ServerSettings) -> Void = {
            $0.connection.ping = .milliseconds(100)
        }
        try await Self.with(configure: often) { world, ada, bea, id in
            let phone = DatedPhone(boot: world.now - .hours(1))
            let raw = try await RawPhone(world)
            _ = try await raw.call(.signIn(.sample(bea.email, bea.password)))
            let zero = try await phone.sync(at: world.now) { try await raw.sync($0) }
            let ping = try #require(await raw.nextPing())
            let sent = world.now - .seconds(1)
            _ = try await raw.call(.report(phone.report(id, sent: sent)))
            let crossing = zero + .milliseconds(Int64(phone.uptime(at: sent))) - .milliseconds(12_500)
            #expect(Self.isNear(try await Self.credited(ada, bea, id), crossing))
            // Late by the time for which the server waited.
            await raw.peer.write(RawPeer.frame(10, ping.payload))
            _ = try await raw.call(.report(phone.report(id, sent: sent, first: 5, [(-1, 20)])))
            #expect(Self.isNear(try await Self.credited(ada, bea, id), crossing))
        }
    }

    // MARK: - A reinstall

    @Test(.proves("5.6"))
    func `accepts a reinstalled app that counts from one again`() async throws {
        try await Self.with { world, ada, bea, id in
            let old = DatedPhone(boot: world.now - .hours(100))
            _ = try await bea.client.report(old.report(id, sent: world.now, first: 5_000, [(0, 200)]))
            try await world.devices { connect in
                let device = try await Self.reinstalled(by: bea, connect)
                let new = DatedPhone(boot: world.now - .seconds(30))
                let zero = try await new.sync(at: world.now) { try await device.sync($0) }
                let sent = world.now - .seconds(1)
                #expect(try await device.report(new.report(id, sent: sent)).taken == [1, 2, 3, 4])
                let crossing = zero + .milliseconds(Int64(new.uptime(at: sent))) - .milliseconds(12_500)
                #expect(Self.isNear(try await Self.credited(ada, bea, id), crossing))
            }
        }
    }

    @Test(.proves("5.6")) func `a reinstalled app does not change the previous one's arrival`() async throws {
        try await Self.with { world, ada, bea, id in
            let old = DatedPhone(boot: world.now - .hours(100))
            _ = try await bea.client.report(old.report(id, sent: world.now))
            let credited = try await Self.credited(ada, bea, id)
            try await world.devices { connect in
                let device = try await Self.reinstalled(by: bea, connect)
                let new = DatedPhone(boot: world.now - .seconds(30))
                // From far away to the place: it makes an arrival of its own, later than the first.
                try await world.service.clock.sleep(until: world.now + .seconds(20))
                #expect(try await device.report(new.report(id, sent: world.now)).taken == [1, 2, 3, 4])
                #expect(try await Self.credited(ada, bea, id) == credited)
            }
            let told = ada.durable(of: id).compactMap { $0.what?.name }
            #expect(told.filter { $0 == "arrived" }.count == 1)
            #expect(!told.contains("rankingRevised") && !told.contains("arrivalRetracted"))
        }
    }

    /// The same device with another `bootId`.
    private static func reinstalled(by person: Person, _ connect: DeviceMaker) async throws -> Device {
        let device = try await connect()
        let session = try await person.signIn(on: device)
        let hello = WireHello.sample(session.accessToken, device: "phone of \(person.name)", boot: "2")
        #expect(try await device.refusal(.hello(hello)) == nil)
        return device
    }
}

extension RawPhone {
    /// The next ping of the server, which is not answered; skips other frames.
    fileprivate func nextPing() async -> RawPeer.Frame? {
        while let frame = await peer.readFrame() {
            if frame.opcode == 9 { return frame }
        }
        return nil
    }

    fileprivate func sync(_ request: WireSyncClock) async throws -> WireClock {
        guard case .clock(let clock) = try await call(.syncClock(request)) else { throw RawPeer.Failure() }
        return clock
    }
}

extension Device {
    fileprivate func sync(_ request: WireSyncClock) async throws -> WireClock {
        guard case .clock(let clock) = try await call(.syncClock(request)) else { throw NoReply() }
        return clock
    }

    /// Sends a report that must not be refused.
    func report(_ report: WireReport) async throws -> WireReported {
        guard case .reported(let reported) = try await call(.report(report)) else { throw NoReply() }
        return reported
    }
}
