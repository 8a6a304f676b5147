import CWebSockets

/// A server's certificate with its key, read from files and checked; immutable.
package final class TLSCertificate: @unchecked Sendable {
    // Safe to share: written by the initialiser only, and OpenSSL counts references to what it holds atomically.
    private let parts: UnsafeMutablePointer<cws_certificate>

    /// When the certificate expires, in seconds since 1970; 0 if it does not say.
    package let expiresAt: Int64

    /// Reads a certificate with its chain, and its private key; both in PEM, the key without a password. It blocks
    /// while it reads.
    /// - Throws: ``TransportError/badCertificate(path:text:)`` with the file that can't be used.
    package init(certificate: String, key: String) throws(TransportError) {
        let parts = UnsafeMutablePointer<cws_certificate>.allocate(capacity: 1)
        parts.initialize(to: cws_certificate())
        let fault = cws_certificate_read(certificate, key, parts)
        guard fault == cws_certificate_fine else {
            let complaint = cws_tls_complaint().map { String(cString: $0) }
            parts.deallocate()
            throw TLSCertificate.error(fault, complaint, certificate: certificate, key: key)
        }
        self.parts = parts
        expiresAt = cws_certificate_expiry(parts)
    }

    deinit {
        cws_certificate_free(parts)
        parts.deallocate()
    }

    /// Makes `shown` hold this certificate; false if memory is out, and then nothing has changed.
    func replace(_ shown: UnsafeMutablePointer<cws_certificate>) -> Bool { cws_certificate_replace(shown, parts) == 1 }

    private static func error(
        _ fault: cws_certificate_fault,
        _ complaint: String?,
        certificate: String,
        key: String
    ) -> TransportError {
        if fault == cws_certificate_unusable {
            return .badCertificate(path: certificate, text: complaint ?? "not a server certificate")
        }
        if fault == cws_certificate_unreadable {
            return .badCertificate(path: certificate, text: complaint ?? "no certificate in PEM")
        }
        if fault == cws_key_foreign { return .badCertificate(path: key, text: "not the certificate's key") }
        return .badCertificate(path: key, text: complaint ?? "no key in PEM")
    }
}

extension TLSCertificate: Hashable {
    /// The same instance.
    package static func == (left: TLSCertificate, right: TLSCertificate) -> Bool { left === right }

    /// By identity.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The certificate that a server's handshakes show; none before ``setUp(_:showing:)``. It must outlive the context of
/// OpenSSL that reads it.
struct ShownCertificate: ~Copyable {
    private var shown: UnsafeMutablePointer<cws_certificate>?

    deinit {
        guard let shown else { return }
        cws_certificate_free(shown)
        shown.deallocate()
    }

    /// Makes a context of OpenSSL show a certificate; false if it can't.
    mutating func setUp(_ tls: UnsafeMutableRawPointer, showing certificate: TLSCertificate) -> Bool {
        let shown = shown ?? .allocate(capacity: 1)
        if self.shown == nil { shown.initialize(to: cws_certificate()) }
        self.shown = shown
        return certificate.replace(shown) && cws_tls_set_up(tls, shown) == 1
    }

    /// Replaces the certificate that is shown; false if memory is out, and then nothing has changed.
    func replace(by certificate: TLSCertificate) -> Bool { shown.map { certificate.replace($0) } ?? true }
}
