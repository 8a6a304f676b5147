import Logging
import PromisedTransport

/// The code of the module's article, word for word; a test compares the two.
struct TransportArticle {
    let handler: any ConnectionHandler
    let logger: Logger

    func serve() async throws -> (WebSocketServer, ListeningAddress) {
        var configuration = WebSocketServerConfiguration(subprotocols: [Subprotocol(name: "chat", isText: true)])
        configuration.port = 8080
        let server = WebSocketServer(configuration: configuration, logger: logger)
        let address = try await server.start(serving: handler)
        return (server, address)
    }

    func connect(show: (ClientEvent) -> Void) async throws {
        let client = WebSocketClient(logger: logger)
        let connection = try await client.connect(ClientRequest(host: "example.org", port: 443, usesTLS: true))
        for await event in connection.incoming { show(event) }
    }

    func secure(_ configuration: inout WebSocketServerConfiguration) throws {
        configuration.certificate = try TLSCertificate(
            certificate: "/etc/promised/tls.pem",
            key: "/etc/promised/tls.key"
        )
    }

    func renew(_ server: WebSocketServer) throws {
        server.present(try TLSCertificate(certificate: "/etc/promised/tls.pem", key: "/etc/promised/tls.key"))
    }
}
