import PromisedProtocol
import Testing

@testable import PromisedClient

@Suite(.timeLimit(.minutes(3))) struct CutConnectionTests {
    /// A promise with a log of events, which cuts connections at random, loses events and sends some twice.
    private struct Server {
        static let last: UInt32 = 80
        let links: MemoryLinks
        var generator: SeededGenerator
        var logged: UInt32 = 0
        var isSignedIn = false

        init(links: MemoryLinks, seed: UInt64) {
            self.links = links
            generator = SeededGenerator(seed: seed)
        }

        mutating func serve() async throws {
            while true {
                let link = try await links.accept()
                if isSignedIn {
                    try await link.welcome()
                } else {
                    try await link.signIn(WireSession("1"))
                    isSignedIn = true
                }
                if try await serve(link) { return }
                link.end(code: chance(2) ? 1_006 : 4_001)
            }
        }

        /// Serves a connection until it is cut, or with `true` until all events are delivered.
        private mutating func serve(_ link: MemoryLink) async throws -> Bool {
            if logged > 0, chance(5) { return false }
            try await answer(link)
            while logged < Self.last {
                if chance(6) { return false }
                logged += 1
                if chance(8), logged < Self.last {
                    // Lost: the client requests it when the next event reveals the gap.
                    logged += 1
                    try link.events("p", logged)
                    if chance(4) { return false }
                    try await answer(link)
                } else {
                    try link.events("p", logged)
                }
                if chance(4) { try link.events("p", .random(in: 1...logged, using: &generator)) }
                if chance(4) { try link.events("p", 0) }
            }
            return true
        }

        private mutating func answer(_ link: MemoryLink) async throws {
            let (frame, request) = try await link.subscription()
            #expect(request.epoch == "e")
            #expect(request.lastSeq <= logged)
            // Events may overtake the reply.
            if chance(3), logged < Self.last {
                logged += 1
                try link.events("p", logged)
            }
            var reply = WireSubscribed(epoch: "e", seq: logged)
            if request.lastSeq < logged {
                reply.missed = (request.lastSeq + 1...logged).map { WireEvent("p", seq: $0) }
            }
            try link.reply(to: frame, .subscribed(reply))
        }

        private mutating func chance(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &generator) == 0 }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `a reader receives each durable event once and in order, wherever connections are cut`(
        _ seed: UInt64
    ) async throws {
        try await withClient { world in
            let feed = await world.client.follow("p", from: FeedMark(epoch: "e", seq: 0))
            async let served = serve(world.links, seed: seed)
            _ = try await world.client.signIn(email: "ann@meet.example", password: "correct horse")
            var seqs: [UInt32] = []
            for try await notice in feed {
                guard case .event(let event, _) = notice else {
                    Issue.record("a snapshot, seed \(seed)")
                    break
                }
                if event.seq > 0 { seqs.append(event.seq) }
                if event.seq == Server.last { break }
            }
            #expect(seqs == Array(1...Server.last), "seed \(seed)")
            try await served
        }
    }

    private func serve(_ links: MemoryLinks, seed: UInt64) async throws {
        var server = Server(links: links, seed: seed)
        try await server.serve()
    }
}
