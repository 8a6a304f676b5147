import PromisedDomain
import PromisedTestMarks
import PromisedTransport
import Testing

@testable import PromisedServer
@testable import PromisedSettings

@Suite struct StrictTransportTests {
    @Test(.defends("eavesdropping")) func `a server with TLS requires browsers to use TLS for a year`() {
        var tls = ServerSettings.TLS()
        tls.certificate = "certificate.pem"
        #expect(tls.strictTransport == HTTPHeader("Strict-Transport-Security", "max-age=31536000"))
        var configuration = ServerSettings()
        configuration.tls = tls
        let answerHeaders = PromisedService.transport(configuration, nil).answerHeaders
        #expect(answerHeaders == [HTTPHeader("Strict-Transport-Security", "max-age=31536000")])
        tls.hsts = .seconds(1)
        #expect(tls.strictTransport == HTTPHeader("Strict-Transport-Security", "max-age=1"))
    }

    @Test func `sends no requirement without TLS or when disabled`() {
        var tls = ServerSettings.TLS()
        #expect(tls.strictTransport == nil)
        #expect(PromisedService.transport(ServerSettings(), nil).answerHeaders.isEmpty)
        tls.certificate = "certificate.pem"
        tls.hsts = .zero
        #expect(tls.strictTransport == nil)
    }
}
