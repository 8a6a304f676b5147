internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedTransport
internal import PromisedWire

extension WireAdminUser {
    /// An account without statistics.
    ///
    /// - Parameters:
    ///   - issuer: who vouches for it; empty for a local one.
    ///   - connections: how many are live.
    init(_ administered: AdministeredAccount, issuer: String, connections: Int) {
        self.init()
        let account = administered.account
        user = WireUserCard(account.card)
        email = account.email ?? ""
        createdAt = WireTimestamp(account.createdAt)
        if let disabledAt = account.disabledAt { self.disabledAt = WireTimestamp(disabledAt) }
        if let deletedAt = account.deletedAt ?? account.deletingAt { self.deletedAt = WireTimestamp(deletedAt) }
        self.issuer = issuer
        locale = account.locale
        timeZone = account.timeZone
        friends = UInt32(clamping: administered.friendCount)
        promises = UInt32(clamping: administered.promiseCount)
        self.connections = UInt32(clamping: connections)
    }
}

extension WireAdminSignIn {
    /// A sign-in as it is shown.
    init(_ signIn: OpenSignIn) {
        self.init()
        sessionID = signIn.id.wireText
        createdAt = WireTimestamp(signIn.createdAt)
        expiresAt = WireTimestamp(signIn.expiresAt)
    }
}

extension WireAdminConnection {
    /// A live connection as it is shown.
    init(_ connection: Connection) {
        self.init()
        let state = connection.state.withLock { ($0.client, $0.device, $0.subscriptions.count) }
        connectionID = connection.id.description
        address = connection.remoteAddress
        client = state.0
        // One that named no device has a name of the connection, which is nobody's business.
        deviceID = state.1.deviceID.hasPrefix("connection ") ? "" : state.1.deviceID
        connectedAt = WireTimestamp(connection.openedAt)
        codec = "\(connection.codec)"
        subscriptions = UInt32(clamping: state.2)
    }
}
