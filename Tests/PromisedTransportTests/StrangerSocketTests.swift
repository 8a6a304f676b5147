import PromisedTestMarks
import PromisedTestSupport
import PromisedTransport
import Testing

/// Sockets without a sign-in, over real connections. A header names the source, as behind a proxy.
@Suite(.timeLimit(.minutes(5)))
struct StrangerSocketTests {
    private typealias Stranger = (connection: ClientConnection, id: ConnectionID)

    /// Connects as a source; `index` connections opened before.
    private func connect(_ running: RunningServer, _ index: Int, as source: String) async throws -> Stranger {
        var request = running.request()
        request.headers = [HTTPHeader("X-Forwarded-For", source)]
        let connection = try await running.client.connect(request)
        return (connection, try await running.handler.opened(index))
    }

    /// Lets the server admit these, and returns afterwards.
    private func admit(_ strangers: [Stranger], by server: WebSocketServer) async {
        for stranger in strangers { server.admit(stranger.id) }
        // The server handles requests in order: once the greeting has arrived, they are admitted.
        server.send(Payload("welcome"), to: strangers.map(\.id))
        for stranger in strangers { #expect(await stranger.connection.nextMessage() == Array("welcome".utf8)) }
    }

    @Test(.proves("10.8"))
    func `rejects a surplus socket of a source until one is admitted or ended`() async throws {
        try await withServer(testConfiguration { $0.unadmittedPerSource = 2 }) { running in
            let refused = TransportError.handshakeRefused(status: 429)
            let first = try await connect(running, 0, as: "a")
            let second = try await connect(running, 1, as: "a")
            await #expect(throws: refused) { try await connect(running, 2, as: "a") }
            _ = try await connect(running, 2, as: "b")
            await admit([first], by: running.server)
            _ = try await connect(running, 3, as: "a")
            await #expect(throws: refused) { try await connect(running, 4, as: "a") }
            second.connection.close()
            await running.handler.events.wait { $0.closedIDs == [second.id] }
            _ = try await connect(running, 4, as: "a")
        }
    }

    @Test(.proves("10.8"), .defends("idle-connections"))
    func `counts sockets without a complete request by the peer's address`() async throws {
        let handler = RecordingHandler(sourceOfPeer: { Array($0.utf8) })
        try await withServer(testConfiguration { $0.unadmittedPerSource = 2 }, handler: handler) { running in
            let start = Array("GET ".utf8)
            func half() async throws -> RawPeer {
                let peer = try RawPeer(running.address)
                await peer.write(start)
                return peer
            }
            let (first, second) = (try await half(), try await half())
            // The third is closed without a message.
            let third = try await half()
            #expect(await third.readToEnd() == [])
            // One of them continues for another source, so there is room for one more.
            await first.write(Array(RawPeer.handshake(more: ["X-Forwarded-For: a"]).utf8.dropFirst(start.count)))
            #expect(await first.readHead().hasPrefix("HTTP/1.1 101"))
            let fourth = try RawPeer(running.address)
            await fourth.write(Array(RawPeer.handshake(more: ["X-Forwarded-For: b"]).utf8))
            #expect(await fourth.readHead().hasPrefix("HTTP/1.1 101"))
            withExtendedLifetime(second) {}
        }
    }

    @Test(.proves("10.8"))
    func `closes the oldest unauthenticated socket of the largest source at the limit`() async throws {
        try await withServer(testConfiguration { $0.maximumConnections = 4 }) { running in
            let friend = try await connect(running, 0, as: "c")
            await admit([friend], by: running.server)
            let alone = try await connect(running, 1, as: "b")
            let oldest = try await connect(running, 2, as: "c")
            let next = try await connect(running, 3, as: "c")
            let newcomer = try await connect(running, 4, as: "d")
            #expect(await oldest.connection.end() == .byPeer(code: 4004, text: ""))
            #expect(try await running.handler.cause(of: oldest.id) == .byThisEnd(code: 4004))
            #expect(running.server.connectionCount == 4)
            // There is no room while all are admitted.
            await admit([alone, next, newcomer], by: running.server)
            await #expect(throws: TransportError.handshakeRefused(status: 503)) {
                try await connect(running, 5, as: "e")
            }
            #expect(running.handler.events.all.closedIDs == [oldest.id])
        }
    }
}
