public import Logging
public import PromisedProtocol
internal import PromisedTransport

/// One short visit to a server without an account: connect, ask something that needs one, hear the refusal, leave.
///
/// Shows that a server is reachable and speaks the protocol, and how fast it answers.
public struct ServerKnock: Sendable {
    /// What a visit found.
    public struct Finding: Hashable, Sendable {
        /// From the wish to connect to the end of the handshake.
        public var handshake: Duration
        /// From the request to its answer.
        public var answer: Duration

        /// A finding of these lengths.
        public init(handshake: Duration, answer: Duration) {
            self.handshake = handshake
            self.answer = answer
        }
    }

    /// Why a visit found no server; a sentence for people.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// What went wrong.
        public let description: String
    }

    private let client: WebSocketClient
    private let codec: WireCodec

    /// Visits in a codec that give up connecting after `patience`.
    ///
    /// - Parameter authoritiesFile: certificate authorities in PEM, instead of the system's.
    public init(
        codec: WireCodec,
        patience: Duration = .seconds(5),
        authoritiesFile: String? = nil,
        log: Logger
    ) {
        var configuration = ClientConfiguration()
        configuration.timing.handshake = patience
        configuration.authoritiesFile = authoritiesFile
        client = WebSocketClient(configuration: configuration, logger: log)
        self.codec = codec
    }

    /// Visits a server; may be called any number of times, also at once.
    public func visit(_ address: ServerAddress) async throws(Failure) -> Finding {
        let start = ContinuousClock.now
        let connection: ClientConnection
        do throws(TransportError) {
            connection = try await client.connect(
                ClientRequest(
                    host: address.host,
                    port: address.port,
                    path: address.path,
                    usesTLS: address.usesTLS,
                    subprotocols: [codec.subprotocol]
                )
            )
        } catch {
            throw Failure(description: "\(error)")
        }
        defer { connection.close() }
        let opened = ContinuousClock.now
        try ask(on: connection)
        for await event in connection.incoming {
            guard case .message(let bytes, _) = event else { break }
            guard isRefusal(bytes) else {
                throw Failure(description: "The peer answers, but not as a promised server.")
            }
            return Finding(handshake: opened - start, answer: .now - opened)
        }
        throw Failure(description: "The connection ended before an answer came.")
    }

    /// Ends all connections and waits for that.
    public func end() async { await client.shutdown() }

    private func ask(on connection: ClientConnection) throws(Failure) {
        do throws(WireError) {
            let frame = WireClientFrame(id: 1, request: .syncClock(WireSyncClock()))
            connection.send(try codec.encode(frame), isText: codec.isText)
        } catch {
            throw Failure(description: "\(error)")
        }
    }

    private func isRefusal(_ bytes: [UInt8]) -> Bool {
        do throws(WireError) {
            guard case .error(let error) = try codec.decodeServerFrame(bytes).content else { return false }
            return error.knownCode == .authRequired
        } catch {
            return false
        }
    }
}
