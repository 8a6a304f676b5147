import Testing

@testable import PromisedSettings

@Suite struct YAMLLinesTests {
    @Test func `finds the line of each key and section, not of comments and lists`() {
        let text = """
            # A comment: with a colon
            listen:
              host: 127.0.0.1   # here

              "port" : 8080
              trusted-proxies:
                - 10.0.0.1
            log: {level: debug}
            window.before: 5m
            listen:
              port: 1
            """
        let lines = [
            "listen": 2, "listen.host": 3, "listen.port": 5, "listen.trusted-proxies": 6, "log": 8, "window.before": 9,
        ]
        #expect(YAMLLines.lines(of: text) == lines)
        #expect(YAMLLines.lines(of: text.replacing("\n", with: "\r\n")) == lines)
        #expect(YAMLLines.lines(of: "").isEmpty)
    }
}
