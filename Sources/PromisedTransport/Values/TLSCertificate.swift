import CWebSockets

/// A server's certificate with its key, read from files and validated; immutable.
package final class TLSCertificate: @unchecked Sendable {
    // Safe to share: written only by the initialiser, and OpenSSL counts references to its contents atomically.
    private let parts: UnsafeMutablePointer<cws_certificate>

    /// When the certificate expires, in seconds since 1970; 0 if unknown.
    package let expiresAt: Int64

    /// Reads a certificate with its chain, and its private key; both in PEM, the key without a password. Blocks for
    /// file access.
    /// - Throws: ``TransportError/badCertificate(path:text:)`` with the unusable file.
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

    /// Stores this certificate in `shown`; `false`, without any change, if memory is exhausted.
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
    /// `true` for the same instance.
    package static func == (left: TLSCertificate, right: TLSCertificate) -> Bool { left === right }

    /// Hashes the identity.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The certificate for a server's handshakes; none before ``setUp(_:showing:)``. It must outlive the OpenSSL context
/// that uses it.
struct ShownCertificate: ~Copyable {
    private var shown: UnsafeMutablePointer<cws_certificate>?

    deinit {
        guard let shown else { return }
        cws_certificate_free(shown)
        shown.deallocate()
    }

    /// Makes an OpenSSL context use a certificate; `false` if that fails.
    mutating func setUp(_ tls: UnsafeMutableRawPointer, showing certificate: TLSCertificate) -> Bool {
        let shown = shown ?? .allocate(capacity: 1)
        if self.shown == nil { shown.initialize(to: cws_certificate()) }
        self.shown = shown
        return certificate.replace(shown) && cws_tls_set_up(tls, shown) == 1
    }

    /// Replaces the certificate; `false`, without any change, if memory is exhausted.
    func replace(by certificate: TLSCertificate) -> Bool { shown.map { certificate.replace($0) } ?? true }
}
