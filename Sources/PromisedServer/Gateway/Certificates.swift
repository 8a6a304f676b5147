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

/// The certificate of a server that speaks TLS: read at the start and again whenever the operator asks for it.
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

    /// Reads the certificate; nil when the server speaks plain TCP. Throws ``StartError`` when a file can't be used.
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

    /// Reads the certificate again and has new connections shown it; when it can't be used the old one stays. Returns
    /// whether new connections are shown what the files hold.
    @discardableResult
    func reload(into server: WebSocketServer) -> Bool {
        do throws(StartError) {
            guard let certificate = try load() else {
                log.notice("Asked to read again what may change, but without TLS nothing does")
                return true
            }
            server.present(certificate)
            reloads[true]?.increment()
            log.notice("Certificate read again", metadata: ["expires": "\(CertificateDate.text(certificate))"])
            return true
        } catch {
            reloads[false]?.increment()
            log.error("Certificate could not be read again; the old one stays", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Tells when it expires; one that has expired is used nevertheless, for it is better than none.
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

/// Closes connections whose token expired and was not renewed in time (docs/protocol.md#connecting).
struct TokenWatch: Sendable {
    let connections: Connections
    let sender: Sender
    let clock: any WallClock
    /// How long after its expiry a token may still be renewed, in real time.
    let grace: TimeSpan

    /// Looks from time to time until the task is cancelled: rarely, for it looks at every connection, but on a scaled clock
    /// each real second, which is long there.
    func run() async {
        let pause = Duration.seconds(clock.rate > 1 ? 1 : 5)
        // Sleeping fails only when the task is cancelled.
        while (try? await Task.sleep(for: pause, clock: .continuous)) != nil { closeExpired() }
    }

    func closeExpired() {
        let limit = clock.now - TimeSpan.seconds(grace.seconds * clock.rate)
        let administratorsLimit = RealTime.now - grace
        for connection in connections.everyConnection {
            let isExpired = connection.state.withLock { state in
                state.identity.map { $0.expiresAt <= limit }
                    ?? state.administrator?.expiresAt.map { $0 <= administratorsLimit }
                    ?? false
            }
            if isExpired { sender.close(connection, .tokenInvalid) }
        }
    }
}
