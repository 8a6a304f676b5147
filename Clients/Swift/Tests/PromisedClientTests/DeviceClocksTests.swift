import PromisedConcurrency
import PromisedProtocol
import Testing

@_spi(VirtualTime) @testable import PromisedClient

@Suite struct DeviceClocksTests {
    @Test func `a simulation moves the clocks and receives each wait`() async throws {
        let uptime = Guarded(Duration.seconds(5))
        let waits = Guarded<[Duration]>([])
        let clocks = DeviceClocks {
            (uptime.withLock { $0 }, 1_000)
        } wait: { end in
            waits.withLock { $0.append(end) }
        }
        #expect(clocks.uptime == .seconds(5) && clocks.wallMs == 1_000 && clocks.boot == nil)
        uptime.withLock { $0 = .seconds(6) }
        #expect(clocks.uptime == .seconds(6))
        try await clocks.sleep(until: .seconds(9))
        #expect(waits.withLock { $0 } == [.seconds(9)])
    }
}
