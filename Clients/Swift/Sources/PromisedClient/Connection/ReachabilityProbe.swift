public import PromisedProtocol

/// One short visit to a server without an account: connects, sends a request that needs one, receives the refusal,
/// disconnects.
///
/// Shows that a server is reachable and speaks the protocol, and how fast it answers.
public struct ReachabilityProbe: Sendable {
    /// The result of a visit.
    public struct Finding: Hashable, Sendable {
        /// From the start of connecting to the end of the handshake.
        public var handshake: Duration
        /// From the request to its answer.
        public var answer: Duration

        /// A finding with these durations.
        public init(handshake: Duration, answer: Duration) {
            self.handshake = handshake
            self.answer = answer
        }
    }

    /// The reason that a visit failed; a sentence for people.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The reason.
        public let description: String
    }

    private let transport: any ClientTransport
    private let codec: WireCodec

    /// Visits in a codec; the transport limits how long it tries to connect.
    public init(transport: any ClientTransport, codec: WireCodec) {
        self.transport = transport
        self.codec = codec
    }

    /// Visits a server; may be called any number of times, also concurrently.
    public func visit(_ address: ServerAddress) async throws(Failure) -> Finding {
        try await visit(address, over: transport)
    }

    /// Ends all connections and waits for that.
    public func end() async { await transport.shutDown() }

    private func visit(_ address: ServerAddress, over transport: some ClientTransport) async throws(Failure) -> Finding
    {
        let start = ContinuousClock.now
        let link = try await connect(to: address, over: transport)
        defer { link.close(code: 1_000) }
        let opened = ContinuousClock.now
        link.send(try question())
        for await event in link.incoming {
            switch event {
            case .pong: continue
            case .closed: throw Failure(description: "The connection ended before the server answered.")
            case .message(let bytes):
                guard isRefusal(bytes) else {
                    throw Failure(description: "The peer answers, but is not a promised server.")
                }
                return Finding(handshake: opened - start, answer: .now - opened)
            }
        }
        throw Failure(description: "The connection ended before the server answered.")
    }

    private func connect<Transport: ClientTransport>(
        to address: ServerAddress,
        over transport: Transport
    ) async throws(Failure) -> Transport.Link {
        do {
            return try await transport.connect(LinkRequest(address: address, codec: codec))
        } catch {
            throw Failure(description: "\(error)")
        }
    }

    private func question() throws(Failure) -> [UInt8] {
        do throws(WireError) {
            return try codec.encode(WireClientFrame(id: 1, request: .syncClock(WireSyncClock())))
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
