import Foundation

/// A self-signed certificate and its key, created by the openssl command in a folder that is removed with it.
final class ServerCertificate: Sendable {
    /// `true` if the openssl command is installed.
    static let canBeMade = FileManager.default.isExecutableFile(atPath: openssl)
    private static let openssl = "/usr/bin/openssl"

    struct Failure: Error {
        let status: Int32
    }

    private let folder: URL
    /// The certificate's file.
    let certificate: String
    /// The key's file.
    let key: String

    /// Makes one for a host.
    init(host: String = "localhost") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("promised-out-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        certificate = folder.appendingPathComponent("certificate.pem").path
        key = folder.appendingPathComponent("key.pem").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.openssl)
        process.arguments = [
            "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=\(host)", "-keyout", key, "-out", certificate,
            "-addext", "subjectAltName=DNS:\(host)", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    }

    deinit {
        // A temporary folder: the system removes what stays here.
        try? FileManager.default.removeItem(at: folder)
    }
}
