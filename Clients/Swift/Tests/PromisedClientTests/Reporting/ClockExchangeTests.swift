import PromisedProtocol
import Testing

@testable import PromisedClient

@Suite(.timeLimit(.minutes(1))) struct ClockExchangeTests {
    @Test func `both clocks are told on each connection and each five minutes`() async throws {
        try await withReporter { world, link in
            for round in 1...3 {
                await world.time.pass(.seconds(300))
                let request = try await link.exchangeClocks()
                #expect(request.uptimeMs == 1_000_000 + Double(round) * 300_000)
                #expect(request.clientTimeMs == world.time.wallMs)
            }
            let next = try await world.comeBack(from: link)
            await world.time.pass(.seconds(300))
            try await next.exchangeClocks()
        }
    }

    @Test func `the device is named before anything else where nobody did`() async throws {
        let time = TestTime()
        var settings = ClientSettings.test
        let fixes = FixStore(limit: 9, time: time, generator: SeededGenerator(seed: 1))
        settings.identify(as: fixes)
        let (device, boot) = (fixes.deviceID, fixes.bootID)
        let links = MemoryLinks()
        let client = makeClient(settings, links: links, time: time)
        let reporter = PositionReporter(client: client, fixes: fixes)
        async let running: Void = client.run()
        async let reporting: Void = reporter.run()
        let link = try await ClientWorld(client: client, links: links).signedIn()
        let hello = try await link.welcome()
        #expect(hello.deviceID == device && hello.bootID == boot)
        #expect(device.count == 32 && boot.count == 32 && device != boot)
        try await link.exchangeClocks()
        await client.close()
        await running
        await reporting
    }

    @Test func `an app's own name of the device stays`() {
        var settings = ClientSettings.test
        settings.deviceID = "phone"
        settings.identify(as: FixStore())
        #expect(settings.deviceID == "phone")
        #expect(settings.bootID != nil)
    }

    @Test func `an exchange that is refused is made again soon`() async throws {
        try await withReporter { world, link in
            await world.time.pass(.seconds(300))
            try link.refuse(try await link.receive(), WireErrorReply(.limitRate))
            await world.time.pass(.seconds(5))
            try await link.exchangeClocks()
        }
    }

    @Test func `a connection that refuses the first exchange is not pressed, nor reported to`() async throws {
        try await withReporter { world, link in
            link.end(code: 1_006)
            let next = try await world.world.links.accept()
            await world.record()
            try await next.welcome()
            for _ in 1...2 {
                try next.refuse(try await next.receive(), WireErrorReply(.limitRate))
                await world.time.pass(.seconds(5))
            }
            try await next.exchangeClocks()
            try await next.report(asks: true, [1])
        }
    }

    @Test func `the system's clocks run, and its run has a name`() async throws {
        let time = SystemTime()
        let before = time.uptime
        #expect(before > .zero)
        try await time.sleep(until: before)
        #expect(time.uptime >= before)
        // Later than the day this was written, and earlier than the year 2200.
        #expect((1_790_000_000_000...7_258_000_000_000).contains(time.wallMs))
        #expect(time.boot == SystemTime().boot)
        #expect(FixStore().bootID != FixStore().bootID)
    }
}
