import PromisedServer
import Testing

@testable import PromisedSettings
@testable import promised

@Suite struct ServeGreetingTests {
    private func text(_ address: String, _ change: (inout ServerSettings) -> Void = { _ in }) -> String {
        var configuration = ServerSettings()
        configuration.dataDirectory = "./data"
        change(&configuration)
        return ServeGreeting(address: address, configuration: configuration).lines.joined(separator: "\n")
    }

    @Test func `gives the page's address and the command for the first account`() {
        let expected = """
            The page: http://127.0.0.1:8080/ (sign up there)
            To create the first account, run in another terminal:
              promisectl user create --nickname NAME --email ADDRESS --password-stdin \\
                --url ws://127.0.0.1:8080/ws --token-file ./data/admin.token
            Ctrl-C stops the server.
            """
        #expect(text("127.0.0.1:8080") == expected)
    }

    @Test(arguments: [
        ("/srv/my data", "'/srv/my data/admin.token'"), ("/srv/$HOME;ls", "'/srv/$HOME;ls/admin.token'"),
        ("/srv/ada's", #"'/srv/ada'\''s/admin.token'"#), ("/srv/café-1.0", "/srv/café-1.0/admin.token"),
        ("/srv/'\u{301}", "'/srv/'\\''\u{301}/admin.token'"),
    ])
    func `quotes the command for any folder name`(folder: String, word: String) {
        #expect(text("127.0.0.1:80") { $0.dataDirectory = folder }.contains("--token-file \(word)\n"))
    }

    @Test func `names the existing data`() {
        #expect(text("0.0.0.0:80").contains("http://127.0.0.1:80/"))
        #expect(text("[::]:80").contains("http://[::1]:80/"))
        let secure = text("[::1]:443") { $0.tls.certificate = "a.pem" }
        #expect(secure.contains("https://[::1]:443/") && secure.contains("wss://[::1]:443/ws"))
        #expect(!text("127.0.0.1:80") { $0.web.isEnabled = false }.contains("page"))
        let outside = text("127.0.0.1:80") { $0.auth.accounts = .issuer }
        #expect(outside == "The page: http://127.0.0.1:80/\nCtrl-C stops the server.")
    }
}
