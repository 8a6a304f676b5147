import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedTestMarks
import PromisedTestSupport
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedGateway

/// Connections that end, do not read, or carry different codecs.
@Suite(.timeLimit(.minutes(1))) struct OutletTests {
    @Test(arguments: WireCodec.allCases)
    func `reports each frame as processed that was not processed at once`(codec: WireCodec) async throws {
        try await GatewayWorld.with { world in
            let (ada, _) = try await world.user("Ada", codec)
            let id = try await world.promise(of: ada)
            for seq in UInt32(1)...5 { _ = try await ada.call(.report(id, seq: seq)) }
            let request = try ada.send(.getMe(WireGetMe()))
            #expect(request.isProcessed == false)
            // The reply is sent before the frame counts as processed.
            await ada.deeds.wait { deeds in
                guard case .processed = deeds.last else { return false }
                return deeds.contains { if case .sent(let frame) = $0 { frame.id == request.id } else { false } }
            }
            let processed = ada.deeds.all.count { if case .processed = $0 { true } else { false } }
            // Sign-up, promise, five reports from another thread than the session's, and this request.
            #expect(processed == 8)
        }
    }

    @Test func `an event reaches each subscriber in the codec of its connection, in order`() async throws {
        try await GatewayWorld.with { world in
            let ada = try await world.user("Ada", .json)
            let ben = try await world.user("Ben", .protobuf)
            let id = try await world.promise(of: ada.0, with: [ben])
            for (connection, _) in [ada, ben] {
                guard case .subscribed = try await connection.call(.subscribe(to: id)) else { throw NoReply() }
            }
            for text in ["late", "later"] {
                var status = WireSetStatus()
                (status.promiseID, status.text) = (id, text)
                guard case .done = try await ada.0.call(.setStatus(status)) else { throw NoReply() }
            }
            for (connection, _) in [ada, ben] {
                _ = try await connection.event {
                    if case .statusChanged(let event) = $0, event.text == "later" { true } else { nil }
                }
                let texts = connection.events.compactMap {
                    if case .statusChanged(let event) = $0 { event.text } else { nil }
                }
                #expect(texts == ["late", "later"])
            }
        }
    }

    @Test(.proves("4002")) func `a connection that reads too slowly is closed, and its subscription ends`() async throws
    {
        try await GatewayWorld.with { world in
            let ada = try await world.user("Ada")
            let ben = try await world.user("Ben", room: 1)
            let id = try await world.promise(of: ada.0, with: [ben])
            guard case .subscribed = try await ben.0.call(.subscribe(to: id)) else { throw NoReply() }
            ben.0.stopReading()
            for text in ["late", "later"] {
                var status = WireSetStatus()
                (status.promiseID, status.text) = (id, text)
                guard case .done = try await ada.0.call(.setStatus(status)) else { throw NoReply() }
            }
            #expect(try await ben.0.closed() == .slowReader)
            // The others go on.
            #expect(try await ada.0.refusal(.getMe(WireGetMe())) == nil)
        }
    }

    @Test func `drops the frames of a connection that has ended`() async throws {
        try await GatewayWorld.with { world in
            let (ada, _) = try await world.user("Ada")
            let seen = ada.deeds.all.count
            ada.end()
            #expect(try ada.send(.getMe(WireGetMe())).isProcessed == false)
            #expect(try await world.administrator().refusal(.admin(.with { $0.getStats = WireAdminGetStats() })) == nil)
            #expect(ada.deeds.all.count == seen)
        }
    }

    @Test(.proves("4501")) func `signing out closes the connection after the reply`() async throws {
        try await GatewayWorld.with { world in
            let (ada, _) = try await world.user("Ada")
            guard case .done = try await ada.call(.signOut(WireSignOut())) else { throw NoReply() }
            #expect(try await ada.closed() == .sessionRevoked)
        }
    }

    @Test(.proves("4502"), arguments: WireCodec.allCases)
    func `closes a connection that sends a malformed frame`(codec: WireCodec) async throws {
        try await GatewayWorld.with { world async throws in
            let connection = world.outlet.open(codec)
            connection.send([0xFF, 0xFF])
            #expect(try await connection.closed() == .malformedFrame)
        }
    }

    @Test func `answers no frame once the requests are finished`() async throws {
        try await GatewayWorld.with { world in
            let (ada, _) = try await world.user("Ada")
            await world.gateway.finishRequests(within: .seconds(5))
            let seen = ada.deeds.all.count
            #expect(try ada.send(.getMe(WireGetMe())).isProcessed == false)
            #expect(ada.deeds.all.count == seen)
        }
    }

    @Test func `names a connection by service thread, slot and generation`() {
        let id = SubscriberID(number: 3 << 56 | 7 << 24 | 17, codec: .json)
        #expect(id.name == "3.17.7")
        #expect(id.codec == .json && SubscriberID(number: 1, codec: .protobuf).codec == .protobuf)
    }
}
