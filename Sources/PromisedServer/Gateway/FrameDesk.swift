internal import PromisedDomain
internal import PromisedEngine
internal import PromisedTransport
internal import PromisedWire

/// Deals with single frames: what they say, whether they may, who answers, what goes back.
struct FrameDesk: Sendable {
    let settings: ServerConfiguration
    let clock: any WallClock
    let sender: Sender
    let router: RequestRouter
    let metrics: RequestMetrics

    /// A report that its session has, and of which something must be waited for. It is finished in any case: what follows
    /// from it concerns others too, even when its connection has ended.
    struct BegunReport: Sendable {
        let received: ReceivedFrame
        let frame: WireClientFrame
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
        guard let frame = decode(received, of: connection) else { return .done }
        received.content = frame
        guard case .report(let report) = frame.request, let session = connection.sessionHere(for: report) else {
            return .later
        }
        do throws(RequestError) {
            try admit(frame, of: connection, at: received.receivedAt)
            switch try router.report(report, of: connection, to: session, at: received.receivedAt) {
            case .done(let reply): answer(frame, of: connection, with: try router.live.content(of: reply), received)
            case .pending(let pending):
                return .begun(BegunReport(received: received, frame: frame, session: session, pending: pending))
            }
        } catch {
            refuse(frame, of: connection, with: error, received)
        }
        return .done
    }

    func finish(_ report: BegunReport, of connection: Connection) async {
        do throws(RequestError) {
            let reply = try await router.live.finish(report.pending, of: report.session)
            answer(report.frame, of: connection, with: reply, report.received)
        } catch {
            refuse(report.frame, of: connection, with: error, report.received)
        }
    }

    func deal(with received: ReceivedFrame, of connection: Connection) async {
        guard let frame = received.content ?? decode(received, of: connection) else { return }
        let receivedAt = received.receivedAt
        do throws(RequestError) {
            try admit(frame, of: connection, at: receivedAt)
            guard let request = frame.request else {
                throw RequestError(connection.isAdmitted ? .requestUnknown : .authRequired)
            }
            let reply = try await router.reply(to: request, of: connection, id: frame.id, at: receivedAt)
            answer(frame, of: connection, with: reply, received)
            if case .signOut = request { sender.close(connection, .sessionRevoked) }
        } catch {
            refuse(frame, of: connection, with: error, received)
        }
    }

    /// What a frame says; nil when it is none, and the connection is closed.
    private func decode(_ received: ReceivedFrame, of connection: Connection) -> WireClientFrame? {
        do {
            return try connection.codec.decodeClientFrame(received.bytes)
        } catch {
            metrics.malformedFrame()
            sender.close(connection, .malformedFrame)
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

    private func refuse(
        _ frame: WireClientFrame,
        of connection: Connection,
        with error: RequestError,
        _ received: ReceivedFrame
    ) {
        metrics.refused(RequestKind(frame.request), with: error.code, after: .now - received.instant)
        sender.send(WireServerFrame(id: frame.id, error: error.reply), to: connection)
        if let code = error.closing { sender.close(connection, code) }
    }

    /// How often, and how much before the sign-in.
    private func admit(_ frame: WireClientFrame, of connection: Connection, at now: Instant) throws(RequestError) {
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
