import Foundation

/// A directory of one test, removed with this object.
final class TemporaryDirectory: Sendable {
    /// Its path; not created yet.
    let path = FileManager.default.temporaryDirectory.appending(path: "promised-store-\(UUID())").path

    deinit {
        // A test that never created it has nothing to remove.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A copy of all files, as left by a crash at this moment.
    func copyAfterCrash() throws -> TemporaryDirectory {
        let copy = TemporaryDirectory()
        try FileManager.default.copyItem(atPath: path, toPath: copy.path)
        return copy
    }

    /// `true` if any file in it contains these bytes.
    func contains(_ bytes: [UInt8]) throws -> Bool {
        let files = try FileManager.default.contentsOfDirectory(atPath: path)
        return try files.contains { file in
            let content = try Data(contentsOf: URL(filePath: path).appending(path: file))
            return content.range(of: Data(bytes)) != nil
        }
    }

    /// The permission bits of the directory, or of a file in it.
    func permissions(of file: String = "") throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + file)
        return attributes[.posixPermissions] as? Int ?? 0
    }
}

extension TemporaryDirectory {
    /// Replaces a file in it.
    func write(_ bytes: [UInt8], to file: String) throws {
        try Data(bytes).write(to: URL(filePath: path).appending(path: file))
    }
}
