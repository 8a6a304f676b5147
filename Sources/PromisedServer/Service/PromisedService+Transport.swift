internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedTransport

/// The transport as the configuration has it.
extension PromisedService {
    /// Over how long so many clients are told to come back: 5,000 a second, for all of them will sign in elsewhere.
    static func spread(_ connections: Int, within limit: Duration) -> Duration {
        min(limit, .microseconds(200 * connections))
    }

    static func transport(
        _ configuration: ServerSettings,
        _ certificate: TLSCertificate?
    ) -> PromisedTransport.ServerConfiguration {
        let offered = WireCodec.allCases.map { Subprotocol(name: $0.subprotocol, isText: $0.isText) }
        var transport = PromisedTransport.ServerConfiguration(subprotocols: offered)
        transport.host = configuration.listen.host
        transport.port = UInt16(configuration.listen.port)
        transport.certificate = certificate
        if let strictTransport = configuration.tls.strictTransport { transport.answerHeaders = [strictTransport] }
        transport.path = ProtocolVersion.path
        transport.maximumConnections = configuration.limits.connections
        transport.unadmittedPerSource = configuration.limits.connectionsBeforeSignIn
        transport.limits.messageBytesBeforeAdmission = configuration.limits.frameBeforeSignIn
        transport.limits.messageBytes = configuration.limits.frame
        transport.limits.outboxBytes = configuration.limits.outboxBytes
        transport.limits.allOutboxBytes = configuration.limits.allOutboxBytes
        transport.limits.outboxFrames = configuration.limits.outboxFrames
        transport.timing.handshake = configuration.connection.handshake.duration
        transport.timing.admission = configuration.connection.signIn.duration
        transport.timing.ping = configuration.connection.ping.duration
        transport.timing.silence = configuration.connection.silence.duration
        return transport
    }
}
