import Foundation
import Testing

@testable import PromisedServer
@testable import PromisedSettings

@Suite struct ExposedFileTests {
    private static let secrets: [(key: String, path: any WritableKeyPath<ServerSettings, String?> & Sendable)] = [
        ("tls.key", \.tls.key), ("metrics.token", \.metrics.token), ("auth.issuer.hs256", \.auth.issuer.hs256),
    ]

    @Test(arguments: [(0o600, false), (0o640, false), (0o660, false), (0o644, true), (0o602, true), (0o604, true)])
    func `reports a secret as exposed if all users can read or write it`(mode: Int, isExposed: Bool) throws {
        let path = NSTemporaryDirectory() + "promised-secret-" + UUID().uuidString
        defer {
            // A temporary file: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: path)
        }
        #expect(FileManager.default.createFile(atPath: path, contents: Data("secret".utf8)))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        for secret in Self.secrets {
            var configuration = ServerSettings()
            configuration[keyPath: secret.path] = path
            let exposed = ConfigurationCheck.exposedFiles(of: configuration)
            #expect(exposed.map(\.key) == (isExposed ? [secret.key] : []))
            for file in exposed { #expect("\(file)".hasPrefix("\(path) (\(secret.key)) can be read")) }
        }
    }

    @Test func `does not report a missing file as exposed`() {
        var configuration = ServerSettings()
        configuration.tls.key = "/nowhere/key.pem"
        #expect(ConfigurationCheck.exposedFiles(of: configuration).isEmpty)
    }
}
