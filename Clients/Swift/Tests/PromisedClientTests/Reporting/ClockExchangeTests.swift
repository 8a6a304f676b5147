import PromisedProtocol
import Testing

@testable import PromisedClient

@Suite(.timeLimit(.minutes(1))) struct ClockExchangeTests {
    @Test func `sends both clocks on each connection and every five minutes`() async throws {
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

    @Test func `sends the device id first if the app has not`() async throws {
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

    @Test func `keeps the app's device id`() {
        var settings = ClientSettings.test
        settings.deviceID = "phone"
        settings.identify(as: FixStore())
        #expect(settings.deviceID == "phone")
        #expect(settings.bootID != nil)
    }

    @Test func `repeats a refused exchange soon`() async throws {
        try await withReporter { world, link in
            await world.time.pass(.seconds(300))
            try link.refuse(try await link.receive(), WireErrorReply(.limitRate))
            await world.time.pass(.seconds(5))
            try await link.exchangeClocks()
        }
    }

    @Test func `sends no more on a connection that refuses the first exchange`() async throws {
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

    @Test func `the system's clocks run, and the boot has an id`() async throws {
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
