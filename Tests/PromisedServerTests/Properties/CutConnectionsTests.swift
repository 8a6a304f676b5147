import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Followers of a promise receive durable events once and in order, whatever happens to their connections.
@Suite("Interrupted connections", .timeLimit(.minutes(3)), .serialized)
struct CutConnectionsTests {
    @Test(.proves("9.7", "9.8"), arguments: Seeds.of(1...5))
    func `delivers each durable event once and in order`(seed: UInt64) async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        defer {
            // The directory is a temporary one: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: directory)
        }
        let world = try CutWorld(codec: seed.isMultiple(of: 2) ? .json : .protobuf, seed: seed)
        try await world.connected {
            // Three servers in sequence: each asks its clients to reconnect when it stops.
            try await world.served(in: directory) { try await world.begin() }
            let followers = try await world.followers(seed: seed)
            async let stories = world.stories(of: followers)
            async let listening: Void = world.person("Ada").listen()
            try await world.served(in: directory) { try await Self.plan(in: world, seed: seed) }
            let told = FollowedEvents()
            try await world.served(in: directory) {
                try await Self.meet(in: world, seed: seed + 1_000)
                world.bad.heal()
                await world.untilStoriesAreTold()
                told.keep(try await world.allEvents())
            }
            for story in try await stories { told.check(story, seed: seed) }
            #expect(world.bad.cuts > 0, "PROMISED_SEED=\(seed)")
            for client in world.clients { await client.close() }
            try await listening
        }
    }

    /// Participants join and leave before the window opens.
    private static func plan(in world: CutWorld, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 1...25 { try await world.happen(using: &generator) }
    }

    /// The window opens, Bea arrives, and the promise ends.
    private static func meet(in world: CutWorld, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        _ = try await world.person("Ada").client.subscribe(promiseID: world.promiseID)
        try await world.wait(until: CutWorld.meetsAt - .minutes(30), for: "trackingStarted")
        for _ in 1...10 { try await world.happen(using: &generator) }
        try await world.beaArrives()
        for _ in 1...10 { try await world.happen(using: &generator) }
        try await world.wait(until: CutWorld.meetsAt + .minutes(1), for: "late")
        try await world.wait(until: CutWorld.meetsAt + .hours(3), for: "trackingEnded")
        try await world.wait(until: CutWorld.meetsAt + .hours(4), for: "resultFinal")
    }

    // MARK: - Without the client library

    @Test(.proves("9.8"), arguments: WireCodec.allCases)
    func `a subscription from any number gives exactly the later events`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let id = try await ada.promise(with: [bea], at: world.now + .hours(2)).promiseID
                let code = try await ada.client.createInvite(promiseID: id).code
                for _ in 1...8 {
                    _ = try await bea.client.leavePromise(id)
                    _ = try await bea.client.joinByCode(code)
                }
                try await world.devices { connect in
                    let device = try await connect()
                    try await ada.signIn(on: device)
                    let all = try await device.subscribe(to: id, from: nil)
                    #expect(all.hasSnapshot && all.missed.isEmpty)
                    #expect(all.seq == 18)
                    for seq in 0...all.seq {
                        let reply = try await device.subscribe(to: id, from: FeedMark(epoch: all.epoch, seq: seq))
                        #expect(!reply.hasSnapshot)
                        #expect(reply.missed.map(\.seq) == Array((seq + 1)..<19))
                        #expect(reply.seq == 18 && reply.epoch == all.epoch)
                    }
                    for mark in [
                        FeedMark(epoch: all.epoch, seq: 19), FeedMark(epoch: all.epoch, seq: .max),
                        FeedMark(epoch: all.epoch + "x", seq: 3), FeedMark(epoch: "", seq: 3),
                    ] {
                        let reply = try await device.subscribe(to: id, from: mark)
                        #expect(reply.hasSnapshot && reply.missed.isEmpty && reply.seq == 18, "\(mark)")
                    }
                }
            }
        }
    }
}

extension Device {
    /// Subscribes, also with an existing subscription.
    fileprivate func subscribe(to promiseID: String, from mark: FeedMark?) async throws -> WireSubscribed {
        var request = WireSubscribe.of(promiseID)
        if let mark {
            request.epoch = mark.epoch
            request.lastSeq = mark.seq
        }
        guard case .subscribed(let reply) = try await call(.subscribe(request)) else { throw NoReply() }
        return reply
    }
}
