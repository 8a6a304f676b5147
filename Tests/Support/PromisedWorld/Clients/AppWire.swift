internal import PromisedClient
internal import PromisedConcurrency

/// The network of one device as the client library sees it: the world carries its frames.
final class AppWire: ClientTransport {
    /// An action of the library on a link.
    enum Output: Sendable {
        case opened(AppLink)
        case sent(AppLink, [UInt8])
        case closed(AppLink)
    }

    private let outputs = Guarded<[Output]>([])

    /// The library's outputs since the last call, in order.
    func takeOutputs() -> [Output] {
        outputs.withLock { outputs in
            guard !outputs.isEmpty else { return [] }
            defer { outputs = [] }
            return outputs
        }
    }

    func connect(_ request: LinkRequest) async throws -> AppLink {
        let link = AppLink { [outputs] output in outputs.withLock { $0.append(output) } }
        outputs.withLock { $0.append(.opened(link)) }
        return link
    }

    func shutDown() async {}
}

/// One connection of the library.
final class AppLink: ClientLink {
    let incoming: AsyncStream<LinkEvent>
    private let continuation: AsyncStream<LinkEvent>.Continuation
    private let put: @Sendable (AppWire.Output) -> Void

    init(put: @escaping @Sendable (AppWire.Output) -> Void) {
        self.put = put
        (incoming, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    func send(_ bytes: [UInt8]) { put(.sent(self, bytes)) }

    func close(code: UInt16) {
        put(.closed(self))
        receive(.closed(code: code))
    }

    /// Delivers an event to the library; ignored after the end of the link.
    func receive(_ event: LinkEvent) {
        continuation.yield(event)
        if case .closed = event { continuation.finish() }
    }
}
