import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@Suite("Resuming a subscription", .timeLimit(.minutes(2)))
struct ResumeConversationTests {
    private static let meetsAt = ServerWorld.start + .hours(2)

    private static func subscribe(
        _ person: Person,
        to promiseID: String,
        epoch: String?,
        after seq: UInt32
    ) async throws -> WireSubscribed {
        var request = WireSubscribe()
        request.promiseID = promiseID
        if let epoch { request.epoch = epoch }
        request.lastSeq = seq
        guard case .subscribed(let reply) = try await person.client.call(.subscribe(request)) else {
            throw ClientError.unexpectedReply
        }
        return reply
    }

    @Test(.proves("9.8", "subscribe"), arguments: WireCodec.allCases)
    func `sends exactly the events after the client's last one`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea", "Cid") { ada, bea, cid in
                let id = try await ada.promise(with: [bea, cid], at: Self.meetsAt).promiseID
                let first = try await ada.client.subscribe(promiseID: id)
                #expect(first.hasSnapshot)
                #expect(first.missed.isEmpty)
                // invited ×2, joined ×2
                #expect(first.seq == 4)
                for seq in UInt32(0)...4 {
                    let back = try await Self.subscribe(ada, to: id, epoch: first.epoch, after: seq)
                    #expect(!back.hasSnapshot)
                    #expect(back.missed.map(\.seq) == Array((seq + 1)..<5))
                    #expect(back.seq == 4)
                }
                #expect(await cid.refusal(.leavePromise(.of(id))) == nil)
                let back = try await Self.subscribe(ada, to: id, epoch: first.epoch, after: 4)
                #expect(back.missed.map { $0.what?.name } == ["left"])
                #expect(back.missed.first?.left.user.nickname == "Cid")
            }
        }
    }

    @Test(.proves("9.8")) func `another numbering or an unknown number gives a snapshot`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                let id = try await ada.promise(with: [], at: Self.meetsAt).promiseID
                let first = try await ada.client.subscribe(promiseID: id)
                #expect(try await Self.subscribe(ada, to: id, epoch: "another", after: 0).hasSnapshot)
                #expect(try await Self.subscribe(ada, to: id, epoch: nil, after: 0).hasSnapshot)
                #expect(try await Self.subscribe(ada, to: id, epoch: first.epoch, after: 99).hasSnapshot)
                #expect(try await !Self.subscribe(ada, to: id, epoch: first.epoch, after: 0).hasSnapshot)
            }
        }
    }
}

extension WireSubscribe {
    static func of(_ promiseID: String) -> WireSubscribe {
        WireSubscribe.with { $0.promiseID = promiseID }
    }
}
