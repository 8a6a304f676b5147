internal import CoreMetrics
internal import Foundation
internal import Logging
internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedTransport

/// The certificate of a server with TLS: loaded at start and reloaded on request.
struct Certificates: Sendable {
    private let files: ServerSettings.TLS
    private let log: Logger
    private let expiry: Gauge
    private let reloads: [Bool: Counter]

    init(_ files: ServerSettings.TLS, metrics: any MetricsFactory, log: Logger) {
        self.files = files
        self.log = log
        expiry = Gauge(label: "promised_tls_certificate_expiry_timestamp_seconds", factory: metrics)
        func reloads(_ outcome: String) -> Counter {
            Counter(label: "promised_tls_reloads_total", dimensions: [("outcome", outcome)], factory: metrics)
        }
        self.reloads = [true: reloads("done"), false: reloads("failed")]
    }

    /// Reads the certificate; nil without TLS.
    ///
    /// - Throws: ``StartError`` when a file can't be used.
    func load() throws(StartError) -> TLSCertificate? {
        guard let path = files.certificate, let key = files.key else { return nil }
        do throws(TransportError) {
            let certificate = try TLSCertificate(certificate: path, key: key)
            note(certificate)
            return certificate
        } catch {
            throw StartError("\(error)")
        }
    }

    /// Reloads the certificate for new connections; if it can't be used, the old one stays.
    ///
    /// - Parameter isWithKeys: `true` if the signal also reloaded keys, so that it had an effect even without TLS.
    /// - Returns: `true` if new connections use the files' certificate.
    @discardableResult
    func reload(into server: WebSocketServer, isWithKeys: Bool = false) -> Bool {
        do throws(StartError) {
            guard let certificate = try load() else {
                if !isWithKeys { log.notice("SIGHUP has no effect without TLS or weather.key-file") }
                return true
            }
            server.present(certificate)
            reloads[true]?.increment()
            log.notice("Certificate reloaded", metadata: ["expires": "\(CertificateDate.text(certificate))"])
            return true
        } catch {
            reloads[false]?.increment()
            log.error("Certificate could not be reloaded; the old one stays in use", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Logs the expiry. The server uses an expired certificate nevertheless: without one it could not serve TLS at all.
    private func note(_ certificate: TLSCertificate) {
        expiry.record(certificate.expiresAt)
        guard Double(certificate.expiresAt) <= Date().timeIntervalSince1970 else { return }
        log.warning("The certificate has expired", metadata: ["expires": "\(CertificateDate.text(certificate))"])
    }
}

/// The expiry of certificates in logs.
private enum CertificateDate {
    static func text(_ certificate: TLSCertificate) -> String {
        Date(timeIntervalSince1970: Double(certificate.expiresAt)).formatted(.iso8601)
    }
}
