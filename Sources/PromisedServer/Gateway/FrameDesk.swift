internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedTransport
internal import PromisedWire

/// Deals with single frames: what they say, whether they may, who answers, what goes back.
struct FrameDesk: Sendable {
    let settings: ServerSettings
    let clock: any WallClock
    let sender: Sender
    let router: RequestRouter
    let metrics: RequestMetrics

    /// A report that its session has, and of which something must be waited for. It is finished in any case: what follows
    /// from it concerns others too, even when its connection has ended.
    struct BegunReport: Sendable {
        let received: ReceivedFrame
        let frame: ReportFrame
        let session: PromiseSession
        let pending: PromiseSession.Pending
    }

    /// How far a frame was dealt with at once.
    enum Progress {
        case done
        case begun(BegunReport)
        case later
    }

    /// Deals with a frame at once as far as nothing must be waited for.
    func dealNow(with received: inout ReceivedFrame, of connection: Connection) -> Progress {
        guard let session = connection.sessionHere else { return .later }
        var report = connection.codec.decodeReport(received.bytes)
        if report == nil {
            guard let frame = decode(received, of: connection) else { return .done }
            received.content = frame
            report = ReportFrame(frame)
        }
        guard let report, report.promiseID == session.id else { return .later }
        do throws(RequestError) {
            try admit(connection, at: received.receivedAt)
            switch try router.report(report, of: connection, to: session, at: received.receivedAt) {
            case .done(let reply): answer(report, of: connection, with: try router.live.receipt(of: reply), received)
            case .notRunning:
                received.isCounted = true
                return .later
            case .pending(let pending):
                return .begun(BegunReport(received: received, frame: report, session: session, pending: pending))
            }
        } catch {
            refuse(.report, id: report.id, of: connection, with: error, received)
        }
        return .done
    }

    func finish(_ begun: BegunReport, of connection: Connection) async {
        do throws(RequestError) {
            let receipt = try await router.live.finish(begun.pending, of: begun.session)
            answer(begun.frame, of: connection, with: receipt, begun.received)
        } catch {
            refuse(.report, id: begun.frame.id, of: connection, with: error, begun.received)
        }
    }

    func deal(with received: ReceivedFrame, of connection: Connection) async {
        guard let frame = received.content ?? decode(received, of: connection) else { return }
        let receivedAt = received.receivedAt
        do throws(RequestError) {
            if !received.isCounted { try admit(connection, at: receivedAt) }
            guard let request = frame.request else {
                throw RequestError(connection.isAdmitted ? .requestUnknown : .authRequired)
            }
            try requireSize(of: request, received)
            let reply = try await router.reply(to: request, of: connection, id: frame.id, at: receivedAt)
            answer(frame, of: connection, with: reply, received)
            if case .signOut = request { sender.close(connection, .sessionRevoked) }
        } catch {
            refuse(RequestKind(frame.request), id: frame.id, of: connection, with: error, received)
        }
    }

    /// - Throws: `request.too-large`.
    private func requireSize(of request: WireRequest, _ received: ReceivedFrame) throws(RequestError) {
        let largest = request.largestFrame
        guard received.bytes.count > largest else { return }
        throw RequestError(.requestTooLarge, message: "A frame with this request has at most \(largest) bytes.")
    }

    /// What a frame says; nil when it is none, and the connection is closed.
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

    /// - Parameter reply: nil where it has been sent already.
    private func answer(
        _ frame: WireClientFrame,
        of connection: Connection,
        with reply: WireContent?,
        _ received: ReceivedFrame
    ) {
        metrics.answered(RequestKind(frame.request), with: reply, after: .now - received.instant)
        guard frame.wantsReply, let reply else { return }
        sender.send(WireServerFrame(id: frame.id, content: reply), to: connection)
    }

    private func answer(
        _ report: ReportFrame,
        of connection: Connection,
        with receipt: ReportReceipt,
        _ received: ReceivedFrame
    ) {
        metrics.reported(receipt, after: .now - received.instant)
        guard report.wantsReply else { return }
        sender.send(WireServerFrame(id: report.id, content: .reported(WireReported(receipt))), to: connection)
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
        sender.send(WireServerFrame(id: id, error: error.reply), to: connection)
        if let code = error.closing { sender.close(connection, code) }
    }

    /// How often, and how much before the sign-in.
    private func admit(_ connection: Connection, at now: Instant) throws(RequestError) {
        let (answer, isBeyondSignIn) = connection.state.withLock { state in
            if !state.isAdmitted { state.requestsBeforeSignIn += 1 }
            let isBeyond = !state.isAdmitted && state.requestsBeforeSignIn > settings.limits.requestsBeforeSignIn
            return (state.budget.request(at: now), isBeyond)
        }
        if isBeyondSignIn {
            var error = RequestError(.authRequired)
            error.closing = .noSignIn
            throw error
        }
        switch answer {
        case .allowed: return
        case .refused(let retryAfter): throw RequestError(.limitRate, retryAfter: real(retryAfter))
        case .exhausted:
            var error = RequestError(.limitRate)
            error.closing = .rate
            throw error
        }
    }

    /// A span of the server's clock as real time.
    private func real(_ span: TimeSpan) -> Duration {
        .milliseconds(Int64((Double(span.milliseconds) / clock.rate).rounded(.up)))
    }
}
