import Foundation

/// A self-signed certificate for `localhost` and its key, created by the openssl command in a folder that is removed
/// with it.
final class TestCertificate: Sendable {
    /// `true` if the openssl command is installed.
    static let canBeMade = FileManager.default.isExecutableFile(atPath: openssl)
    private static let openssl = "/usr/bin/openssl"

    struct Failure: Error {
        let command: [String]
    }

    private let folder: URL
    /// The certificate's file.
    let certificate: String
    /// The key's file.
    let key: String

    /// Creates one; its key is on P-256, or has 2048 bits of RSA.
    init(rsa: Bool = false) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("promised-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        certificate = folder.appendingPathComponent("certificate.pem").path
        key = folder.appendingPathComponent("key.pem").path
        let kind = rsa ? ["-newkey", "rsa:2048"] : ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        _ = try Self.run(
            ["req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate]
                + ["-addext", "subjectAltName=DNS:localhost"] + kind
        )
    }

    deinit {
        // A temporary folder: the system removes it if this fails.
        try? FileManager.default.removeItem(at: folder)
    }

    /// A further file in the folder.
    func file(_ name: String, holding text: String) throws -> String {
        let file = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// The key's file, its content behind a password.
    func lockedKey() throws -> String {
        let locked = folder.appendingPathComponent("locked.pem").path
        _ = try Self.run(["pkcs8", "-topk8", "-in", key, "-out", locked, "-passout", "pass:secret"])
        return locked
    }

    /// Runs the openssl command to its end; blocks.
    /// - Returns: its standard output.
    /// - Throws: ``Failure`` unless it exits with 0.
    static func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: openssl)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(command: arguments) }
        return String(decoding: data, as: UTF8.self)
    }
}
