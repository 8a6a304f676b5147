import Glibc
import Testing

@testable import PromisedTransport

@Suite(.timeLimit(.minutes(5))) struct ConnectProbeTests {
    @Test(
        arguments: [
            (ECONNREFUSED, "[::1]:9 refuses connections: no server listens there"),
            (ETIMEDOUT, "[::1]:9 does not answer"), (EHOSTUNREACH, "[::1]:9: No route to host"), (0, nil),
        ] as [(Int32, String?)]
    )
    func `distinguishes refused, silent and unreachable`(code: Int32, sentence: String?) {
        #expect(ConnectProbe.sentence(for: code, at: "::1", port: 9) == sentence)
    }

    @Test func `keeps a specific text of the library`() async {
        #expect(await ConnectProbe.reason(behind: "tls: no certificate", at: "127.0.0.1", port: 1) == nil)
    }
}
