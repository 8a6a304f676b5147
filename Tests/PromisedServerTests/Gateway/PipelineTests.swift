import PromisedDomain
import PromisedProtocol
import PromisedServer
import Testing

@testable import PromisedSettings

/// Pipelined requests.
@Suite("Many requests at once", .timeLimit(.minutes(2)))
struct PipelineTests {
    /// More than are served concurrently.
    private static let connections = 140
    /// More than one connection may have served in a row.
    private static let requests: ClosedRange<UInt32> = 1...20

    @Test func `each connection gets all its replies in the order of its requests`() async throws {
        let generous: @Sendable (inout ServerSettings) -> Void = {
            $0.limits.requestBurst = 1_000_000
        }
        try await ServerWorld.with(configure: generous) { world in
            try await world.devices { connect in
                var devices: [Device] = []
                for number in 1...Self.connections {
                    let device = try await connect()
                    _ = try await device.signUp("user\(number)")
                    devices.append(device)
                }
                for device in devices {
                    for id in Self.requests { try device.send(.getMe(WireGetMe()), id: id) }
                }
                for device in devices {
                    var ids: [UInt32] = []
                    for _ in Self.requests {
                        let frame = try world.codec.decodeServerFrame(try await device.nextReply())
                        try frame.expect(\.me)
                        ids.append(frame.id)
                    }
                    #expect(ids == Array(Self.requests))
                }
            }
        }
    }
}
