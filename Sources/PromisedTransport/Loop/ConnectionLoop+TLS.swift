import CWebSockets
import Logging

extension ConnectionLoop {
    /// The library has made OpenSSL's context for the server's connections: sets it up. Not 0 has the start fail.
    func setUpTLS(_ event: LibraryEvent) -> Int32 {
        guard case .server(let server) = end, let certificate = server.configuration.certificate, let tls = event.user
        else { return -1 }
        let shown = shownCertificate ?? .allocate(capacity: 1)
        if shownCertificate == nil { shown.initialize(to: cws_certificate()) }
        shownCertificate = shown
        guard certificate.replace(shown), cws_tls_set_up(tls, shown) == 1 else {
            logger.error("TLS can't be set up.", metadata: ["complaint": "\(complaint)"])
            return -1
        }
        return 0
    }

    /// Has handshakes from now on show another certificate; the connections that are there go on with the old one.
    func present(_ certificate: TLSCertificate) {
        guard let shownCertificate else { return }
        guard !certificate.replace(shownCertificate) else { return }
        logger.error("The new certificate can't be taken over, the old one stays.")
    }

    /// Frees the certificate; the context that reads it is gone.
    func forgetCertificate() {
        guard let shownCertificate else { return }
        cws_certificate_free(shownCertificate)
        shownCertificate.deallocate()
        self.shownCertificate = nil
    }

    private var complaint: String { cws_tls_complaint().map { String(cString: $0) } ?? "none" }
}
