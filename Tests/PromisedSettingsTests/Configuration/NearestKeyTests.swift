import Testing

@testable import PromisedSettings

@Suite struct NearestKeyTests {
    @Test(
        arguments: [
            ("listen.prot", "listen.port"), ("window.befor", "window.before"), ("log.levle", "log.level"),
            ("server.port", "listen.port"), ("enviroment", "environment"), ("frobnicate", nil), ("x", nil), ("", nil),
        ] as [(String, String?)]
    )
    func `suggests a similar key`(key: String, suggestion: String?) {
        #expect(NearestKey.suggestion(for: key) == suggestion)
    }
}
