import Foundation
import PromisedConcurrency
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedAccess

@Suite struct SigningKeyFileTests {
    private let folder: TemporaryFile
    private let directory: String
    private let file: SigningKeyFile

    init() throws {
        folder = try TemporaryFile("", name: "other")
        directory = URL(fileURLWithPath: folder.path).deletingLastPathComponent().path
        file = SigningKeyFile(dataDirectory: directory)
    }

    private func loadOrCreate() throws(SigningKeyError) -> SigningKey {
        var generator = SystemRandomNumberGenerator()
        return try file.loadOrCreate(using: &generator)
    }

    private func write(_ text: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file.path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }

    @Test func `the first start creates the key, later ones read it`() throws {
        #expect(try file.load() == nil)
        let key = try loadOrCreate()
        #expect(try loadOrCreate() == key)
        #expect(try file.load() == key)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == ["other", "signing.key"])
    }

    @Test(.defends("local-users"), arguments: [0o640, 0o604, 0o620, 0o610, 0o644, 0o777])
    func `rejects a file accessible to others`(mode: Int) throws {
        _ = try loadOrCreate()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        let error = try #require(throws: SigningKeyError.self) { try loadOrCreate() }
        #expect(error == SigningKeyError(path: file.path, reason: .tooOpen(mode: UInt32(mode))))
        #expect(error.description.contains("has mode \(String(mode, radix: 8)), expected 600"))
    }

    @Test(arguments: [0o600, 0o400])
    func `accepts a file accessible only to its owner`(mode: Int) throws {
        let key = try loadOrCreate()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        #expect(try loadOrCreate() == key)
    }

    @Test(arguments: [
        "", "\n", "secret\n", String(repeating: "A", count: 43), String(repeating: "A", count: 42) + "\n",
        String(repeating: "A", count: 44) + "\n", String(repeating: "A", count: 43) + "\n\n",
        String(repeating: "A", count: 300) + "\n", "\u{FF}\u{FE}\n",
    ])
    func `rejects malformed files without changing them`(text: String) throws {
        try write(text)
        #expect(throws: SigningKeyError(path: file.path, reason: .garbage)) { try loadOrCreate() }
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == text)
    }

    @Test func `rejects a link or a folder in its place`() throws {
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: folder.path)
        #expect(throws: SigningKeyError(path: file.path, reason: .notAFile)) { try loadOrCreate() }
        try FileManager.default.removeItem(atPath: file.path)
        try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
        #expect(throws: SigningKeyError(path: file.path, reason: .notAFile)) { try loadOrCreate() }
    }

    @Test func `a missing data directory is an error of the system`() {
        let lost = SigningKeyFile(dataDirectory: directory + "/lost")
        var generator = SystemRandomNumberGenerator()
        let error = #expect(throws: SigningKeyError.self) { try lost.loadOrCreate(using: &generator) }
        #expect(error?.reason == .system(code: ENOENT))
    }

    @Test func `simultaneous starts create one key`() throws {
        let directory = directory
        let keys = Guarded<[SigningKey]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            var generator = SystemRandomNumberGenerator()
            do {
                let key = try SigningKeyFile(dataDirectory: directory).loadOrCreate(using: &generator)
                keys.withLock { $0.append(key) }
            } catch {
                Issue.record(error)
            }
        }
        #expect(keys.withLock { $0.count } == 16)
        #expect(Set(keys.withLock { $0 }).count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 2)
    }
}
