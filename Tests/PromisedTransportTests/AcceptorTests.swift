import CWebSockets
import Glibc
import PromisedTestSupport
import Testing

@testable import PromisedTransport

/// The connections that the acceptor accepts, from a listening socket without a server.
struct AcceptorTests {
    private var acceptor = Acceptor<FakeSocket>()
    private let info = HandshakeInfo(remoteAddress: "::1", host: "test")

    @Test mutating func `accepts pending connections with their peer`() async throws {
        let listening = try ListeningSocket(host: "127.0.0.1", port: 0, isShared: false)
        let address = listening.address
        let listener = FakeSocket(descriptor: listening.release())
        defer { close(listener.descriptor) }
        #expect(acceptor.next() == nil)
        acceptor.listen(on: listener)
        #expect(acceptor.isListening(on: listener) && !acceptor.isListening(on: FakeSocket()))
        #expect(acceptor.next() == nil)
        let peer = try RawPeer(address)
        // The kernel hands out a connection when its request is there.
        #expect(await peer.write("GET / HTTP/1.1\r\n"))
        var arrival: Acceptor<FakeSocket>.Arrival?
        while arrival == nil {
            arrival = acceptor.next()
            await Task.yield()
        }
        let accepted = try #require(arrival)
        #expect(accepted.peer == "127.0.0.1")
        #expect(fcntl(accepted.socket, F_GETFD) == FD_CLOEXEC)
        close(accepted.socket)
        #expect(listener.takeEvents() == [] && !acceptor.isPaused)
        acceptor.close()
        #expect(listener.takeEvents() == [.killed])
        #expect(!acceptor.isListening(on: listener) && acceptor.next() == nil)
    }

    @Test mutating func `an invalid listening socket accepts nothing and does not pause`() {
        let listener = FakeSocket()
        acceptor.listen(on: listener)
        #expect(acceptor.next() == nil && !acceptor.isPaused)
        acceptor.resume()
        #expect(listener.takeEvents() == [])
    }

    @Test mutating func `opens only the last confirmed handshake, once`() {
        #expect(acceptor.opened(connectionID(1)) == nil)
        acceptor.confirm(connectionID(1), info)
        #expect(acceptor.hasConfirmed(connectionID(1)) && !acceptor.hasConfirmed(connectionID(2)))
        #expect(acceptor.opened(connectionID(2)) == nil)
        #expect(acceptor.opened(connectionID(1)) == info)
        #expect(acceptor.opened(connectionID(1)) == nil && !acceptor.hasConfirmed(connectionID(1)))
        acceptor.confirm(connectionID(1), info)
        acceptor.confirm(connectionID(2), info)
        #expect(acceptor.opened(connectionID(1)) == nil)
        #expect(acceptor.opened(connectionID(2)) == info)
    }
}
