import CWebSockets
import Logging

extension ConnectionLoop {
    /// The library has made OpenSSL's context for the server's connections: sets it up. Not 0 has the start fail.
    func setUpTLS(_ event: LibraryEvent) -> Int32 {
        guard case .server(let server) = end, let certificate = server.configuration.certificate, let tls = event.user
        else { return -1 }
        guard cws_tls_set_up(tls) == 1, certificate.use(in: tls) else {
            logger.error("TLS can't be set up.", metadata: ["complaint": "\(complaint)"])
            return -1
        }
        self.tls = tls
        return 0
    }

    /// Shows new connections another certificate; those that are there go on with the old one.
    func present(_ certificate: TLSCertificate) {
        guard let tls else { return }
        guard !certificate.use(in: tls) else { return }
        logger.error("The new certificate is refused, the old one stays.", metadata: ["complaint": "\(complaint)"])
    }

    private var complaint: String { cws_tls_complaint().map { String(cString: $0) } ?? "none" }
}
