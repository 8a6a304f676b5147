import Foundation
import PromisedTestMarks
import Testing

@testable import PromisedStore

/// The permissions of the data directory.
@Suite(.timeLimit(.minutes(1))) struct DataDirectoryTests {
    private func directory(mode: Int) throws -> TemporaryDirectory {
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: mode]
        )
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: directory.path)
        return directory
    }

    @Test(arguments: [0o700, 0o750, 0o755])
    func `accepts a directory readable by others`(mode: Int) async throws {
        let directory = try directory(mode: mode)
        try await Store.open(directory: directory.path).close()
    }

    @Test(.defends("local-users"), arguments: [0o770, 0o775, 0o777, 0o702, 0o1777])
    func `rejects a directory writable by others and creates nothing in it`(mode: Int) async throws {
        let directory = try directory(mode: mode)
        await #expect(throws: StoreError.openToOthers(mode: mode)) {
            _ = try await Store.open(directory: directory.path)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }

    @Test func `follows a link to a directory`() async throws {
        let directory = try directory(mode: 0o700)
        let link = TemporaryDirectory()
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: directory.path)
        try await Store.open(directory: link.path).close()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory.path)
        await #expect(throws: StoreError.openToOthers(mode: 0o777)) { _ = try await Store.open(directory: link.path) }
    }

    @Test(arguments: ["/dev/null", "/dev/full", "/dev/zero", "/etc/passwd", "/dev/null/data"])
    func `rejects other files as no directory, without advice on modes`(path: String) async {
        await #expect(throws: StoreError.fileSystem(errno: ENOTDIR)) { _ = try await Store.open(directory: path) }
    }

    @Test func `the error has the next step`() {
        #expect("\(StoreError.openToOthers(mode: 0o777))".contains("mode 777); run chmod go-w"))
    }
}
