internal import PromisedProtocol

extension PromisedClient {
    /// Leaves what the server says for a reporter from now on.
    func attach(_ desk: ReportingDesk) {
        guard phase != .over else { return desk.end() }
        desks.append(desk)
        if phase == .online, isSignedIn { tellReady(desk) }
    }

    /// Tells a reporter that the connection is online and signed in.
    func tellReady(_ desk: ReportingDesk) {
        desk.ready(connection: connectionCount, userID: userID, interval: reportInterval)
    }

    /// Leaves nothing for a reporter any more.
    func detach(_ desk: ReportingDesk) { desks.removeAll { $0 === desk } }

    /// Names program and device on a connection that was signed in without that.
    func introduce(on connection: Int) async throws(ClientError) {
        guard !hasGreeted else { return }
        let hello = hello(token: nil)
        guard case .welcome = try await ask(on: connection, { .hello(hello) }) else { throw .unexpectedReply }
    }
}
