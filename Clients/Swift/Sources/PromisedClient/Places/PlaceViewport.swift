public import PromisedProtocol

/// Keeps the places of a map up to date while the user moves it.
///
/// Call ``show(_:)`` for each movement. The viewport asks the server once the map has rested for ``pause``, one request at a
/// time, and delivers the reply through ``answers``. A further movement ends the request in progress; its reply is dropped.
///
/// ```
///            show()              pause is over             reply, or failure
///  idle ───────────▶ resting ────────────────▶ asking ──────────────────────▶ idle
///                     ▲   │ show()               │ show()
///                     └───┴──────────────────────┘
/// ```
/// Nothing happens unless you run ``run()``. While the client is offline, a request waits for the connection up to the
/// client's timeout.
public actor PlaceViewport {
    /// The server's answer for the visible part of the map.
    public enum Answer: Hashable, Sendable {
        /// The places for a request.
        case view(WirePlaceView, to: WireViewPlaces)
        /// The request failed. The viewport asks again after the next movement.
        case failure(ClientError, to: WireViewPlaces)
    }

    /// How long the map rests before the viewport asks.
    public nonisolated let pause: Duration
    /// The answers for the visible part of the map, for one reader; only the latest waits to be read. Ends with
    /// ``run()``.
    public nonisolated let answers: AsyncStream<Answer>

    private let client: PromisedClient
    private let time: any ClientTime
    private let continuation: AsyncStream<Answer>.Continuation
    private let wakeSignal = WakeSignal()
    /// The next request to send, and when it is due on the clock of ``time``.
    private var next: (request: WireViewPlaces, due: Duration)?
    private var asking: Task<Result<WirePlaceView, ClientError>, Never>?

    /// Creates an empty viewport.
    ///
    /// - Parameters:
    ///   - client: a running client.
    ///   - pause: how long the map rests before the viewport asks.
    public init(client: PromisedClient, pause: Duration = .milliseconds(200)) {
        self.init(client: client, pause: pause, time: SystemTime())
    }

    init(client: PromisedClient, pause: Duration, time: any ClientTime) {
        self.client = client
        self.pause = pause
        self.time = time
        (answers, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Sets the visible part and the wanted places. Replies to earlier requests are dropped.
    public func show(_ request: WireViewPlaces) {
        next = (request, time.uptime + pause)
        asking?.cancel()
        wakeSignal.signal()
    }

    /// Sends requests and delivers answers until the task is cancelled. Call it once.
    public func run() async {
        while !Task.isCancelled {
            if let next, next.due <= time.uptime {
                self.next = nil
                await ask(next.request)
            } else {
                await wakeSignal.wait(until: next?.due, on: time)
            }
        }
        continuation.finish()
    }

    private func ask(_ request: WireViewPlaces) async {
        // Ended by its reply, by `show(_:)` or by the cancellation of `run()`; awaited right here.
        let asking = Task { [client] in await PlaceViewport.answer(to: request, from: client) }
        self.asking = asking
        let result = await withTaskCancellationHandler {
            await asking.value
        } onCancel: {
            asking.cancel()
        }
        self.asking = nil
        guard next == nil, !Task.isCancelled else { return }
        switch result {
        case .success(let view): continuation.yield(.view(view, to: request))
        case .failure(let error): continuation.yield(.failure(error, to: request))
        }
    }

    private static func answer(
        to request: WireViewPlaces,
        from client: PromisedClient
    ) async -> Result<WirePlaceView, ClientError> {
        do throws(ClientError) {
            guard case .placeView(let view) = try await client.call(.viewPlaces(request)) else {
                throw .unexpectedReply
            }
            return .success(view)
        } catch {
            return .failure(error)
        }
    }
}
