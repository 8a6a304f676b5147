internal import Logging
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedWire

/// Processes single frames: decodes them, checks access, calls the handler, sends the reply.
struct FrameDispatcher: Sendable {
    let settings: ServerSettings
    let clock: any WallClock
    let sender: Sender
    let router: RequestRouter
    let metrics: RequestMetrics
    let log: Logger

    /// The remaining work of a frame that could not be answered immediately.
    enum Work: Sendable {
        /// Frames of the connection wait for their turn.
        case frames(of: Connection)
        /// A report has consequences to wait for.
        indirect case report(BegunReport)
    }

    /// A report that its session has received. It is always completed, even if its connection has ended, because its
    /// consequences concern other users.
    struct BegunReport: Sendable {
        let id: UInt32
        let received: ReceivedFrame
        let connection: Connection
        let session: PromiseSession
        let step: SessionStep
    }

    /// Processes a frame as far as possible without waiting: a report to the session that received the last one, if
    /// that session is on this lane.
    ///
    /// - Returns: the remaining work; nil if the frame is answered.
    func begin(_ frame: ReceivedFrame, of connection: Connection, in context: RequestContext) -> Work? {
        guard let session = context.session, session.isHere else { return later(frame, of: connection, context) }
        if let report = connection.codec.decodeReport(frame.bytes) {
            return begin(report, frame, of: connection, session, context)
        }
        guard let content = decode(frame, of: connection) else { return nil }
        guard !context.isStrict, let report = ReportFrame(content) else {
            return later(frame, of: connection, context, content)
        }
        return begin(report, frame, of: connection, session, context, content)
    }

    private func begin(
        _ report: ReportFrame,
        _ frame: ReceivedFrame,
        of connection: Connection,
        _ session: PromiseSession,
        _ context: RequestContext,
        _ content: WireClientFrame? = nil
    ) -> Work? {
        guard report.promiseID == session.id else { return later(frame, of: connection, context, content) }
        do throws(RequestError) {
            try admit(context, context.admission)
            guard let step = try router.begin(report, to: session, in: context, at: frame.instant) else {
                return later(frame, of: connection, context, content)
            }
            do throws(EngineError) {
                guard let receipt = try router.live.receipt(of: step) else {
                    return .report(
                        BegunReport(
                            id: report.id,
                            received: frame,
                            connection: connection,
                            session: session,
                            step: step
                        )
                    )
                }
                answer(report.id, of: connection, with: receipt, frame)
            } catch {
                throw RequestError(error)
            }
        } catch {
            refuse(.report, id: report.id, of: connection, with: error, frame)
        }
        return nil
    }

    private func later(
        _ frame: ReceivedFrame,
        of connection: Connection,
        _ context: RequestContext,
        _ content: WireClientFrame? = nil
    ) -> Work {
        var frame = frame
        (frame.content, frame.context) = (content, context)
        connection.putFirst(frame)
        return .frames(of: connection)
    }

    /// Waits for the consequences of a report, and replies.
    func complete(_ begun: BegunReport) async {
        do throws(EngineError) {
            let receipt = try await router.live.complete(begun.step, of: begun.session)
            answer(begun.id, of: begun.connection, with: receipt, begun.received)
        } catch {
            refuse(.report, id: begun.id, of: begun.connection, with: RequestError(error), begun.received)
        }
    }

    /// Processes any frame.
    func perform(_ received: ReceivedFrame, of connection: Connection, in context: RequestContext) async {
        guard let frame = received.content ?? decode(received, of: connection) else { return }
        do {
            try admit(context, frame.request, of: connection)
            guard let request = frame.request else {
                throw RequestError(context.party.isAdmitted ? .requestUnknown : .authRequired)
            }
            try requireSize(of: request, received)
            try requireKnownFields(of: request, received, connection, context)
            let answer = try await answer(to: request, of: connection, id: frame.id, in: context, received)
            self.answer(frame, of: connection, with: answer, received)
            if case .hello(let hello) = request, hello.strict { connection.becomeStrict() }
            if case .signOut = request { sender.close(connection, .sessionRevoked) }
        } catch {
            let (kind, refusal) = (RequestKind(frame.request), RequestError(error))
            if refusal.code == .serverInternal {
                let metadata: Logger.Metadata = ["request": "\(kind.rawValue)", "error": "\(error)"]
                log.error("A request failed", metadata: metadata)
            }
            refuse(kind, id: frame.id, of: connection, with: refusal, received)
        }
    }

    /// - Throws: `request.too-large`.
    private func requireSize(of request: WireRequest, _ received: ReceivedFrame) throws(RequestError) {
        let largest = request.largestFrame
        guard received.bytes.count > largest else { return }
        throw RequestError(.requestTooLarge, message: "A frame with this request can have at most \(largest) bytes.")
    }

    /// - Throws: `request.invalid`, naming a field that the schema does not have, if the client requested this check.
    private func requireKnownFields(
        of request: WireRequest,
        _ received: ReceivedFrame,
        _ connection: Connection,
        _ context: RequestContext
    ) throws(RequestError) {
        var isStrict = context.isStrict
        if case .hello(let hello) = request { isStrict = isStrict || hello.strict }
        guard isStrict, let unknown = connection.codec.unknownField(in: received.bytes) else { return }
        let name = unknown.path.isEmpty ? "a field of this request" : unknown.path
        let message = "The server does not know \(name), and the connection is strict: check its name and place."
        throw RequestError(.requestInvalid, message: message, field: unknown.path)
    }

    /// The router's answer; `limit.rate` for a piece of a file or an import before enough of the last ones are answered.
    private func answer(
        to request: WireRequest,
        of connection: Connection,
        id: UInt32,
        in context: RequestContext,
        _ received: ReceivedFrame
    ) async throws -> Answer<WireContent> {
        guard let pieces = request.pieces else {
            return try await router.answer(to: request, of: connection, id: id, in: context)
        }
        let window = connection.window(of: pieces)
        guard window.admits(requestAt: received.instant) else {
            let message = "A connection can have at most \(window.most) unanswered requests of this kind."
            throw RequestError(.limitRate, message: message, retryAfter: .milliseconds(100))
        }
        defer { connection.answered(pieces) }
        return try await router.answer(to: request, of: connection, id: id, in: context)
    }

    /// The decoded frame; closes the connection and returns nil if decoding fails.
    private func decode(_ received: ReceivedFrame, of connection: Connection) -> WireClientFrame? {
        do {
            return try connection.codec.decodeClientFrame(received.bytes)
        } catch {
            let field = connection.codec.faultyField(of: received.bytes)
            metrics.malformedFrame()
            sender.close(connection, .malformedFrame, naming: field)
            return nil
        }
    }

    private func answer(
        _ frame: WireClientFrame,
        of connection: Connection,
        with answer: Answer<WireContent>,
        _ received: ReceivedFrame
    ) {
        metrics.answered(RequestKind(frame.request), with: answer, after: .now - received.instant)
        guard frame.wantsReply, case .reply(let reply) = answer else { return }
        sender.send(WireServerFrame(id: frame.id, content: reply), to: connection.id)
    }

    /// - Parameter id: the report's id; 0 for no reply.
    private func answer(
        _ id: UInt32,
        of connection: Connection,
        with receipt: ReportReceipt,
        _ received: ReceivedFrame
    ) {
        metrics.reported(receipt, after: .now - received.instant)
        guard id != 0 else { return }
        sender.send(WireServerFrame(id: id, content: .reported(WireReported(receipt))), to: connection.id)
    }

    private func refuse(
        _ kind: RequestKind,
        id: UInt32,
        of connection: Connection,
        with error: RequestError,
        _ received: ReceivedFrame
    ) {
        metrics.refused(kind, with: error.code, after: .now - received.instant)
        var error = error
        if error.wait > .zero { error.retryAfter = real(error.wait) }
        sender.send(WireServerFrame(id: id, error: error.reply(to: kind)), to: connection.id)
        if let code = error.closing { sender.close(connection, code) }
    }

    /// Checks the rate of a request; rows and pieces of an import don't count.
    private func admit(
        _ context: RequestContext,
        _ request: WireRequest?,
        of connection: Connection
    ) throws(RequestError) {
        var admission = context.admission
        if context.party.administrator != nil, request?.isOutsideRate != true {
            admission = connection.charge(at: context.receivedAt)
        }
        try admit(context, admission)
    }

    /// Checks the decision of the rate limit, and the number of requests before the sign-in.
    private func admit(_ context: RequestContext, _ admission: RequestBudget.Answer) throws(RequestError) {
        if context.requestsBeforeSignIn > settings.limits.requestsBeforeSignIn {
            var error = RequestError(.authRequired)
            error.closing = .noSignIn
            throw error
        }
        switch admission {
        case .allowed: return
        case .refused(let retryAfter): throw RequestError(.limitRate, retryAfter: real(retryAfter))
        case .exhausted(let retryAfter):
            var error = RequestError(.limitRate, retryAfter: real(retryAfter))
            error.closing = .rate
            throw error
        }
    }

    /// A span of the server's clock as real time.
    private func real(_ span: TimeSpan) -> Duration {
        .milliseconds(Int64((Double(span.milliseconds) / clock.rate).rounded(.up)))
    }
}

extension WireRequest {
    /// The window for pieces of files or imports; nil for all other requests.
    fileprivate var pieces: PieceWindows.Kind? {
        switch self {
        case .putChunk: .upload
        case .readFile: .download
        case .admin where isOutsideRate: .rows
        default: nil
        }
    }

    /// `true` for rows and pieces of an import, which only their window limits.
    fileprivate var isOutsideRate: Bool {
        guard case .admin(let request) = self else { return false }
        switch request.request {
        case .putPlaces, .importRecommendedCourse: return true
        default: return false
        }
    }
}
