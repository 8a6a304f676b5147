import Foundation

/// Standard input as a file that can be read more than once.
enum StandardInput {
    /// The path that stands for standard input.
    static let name = "-"
    /// The most bytes.
    static let longest = 268_435_456

    /// Copies standard input to a temporary file that only this user can read; the caller removes it. Blocks to its end.
    ///
    /// - Throws: ``FormatError/unreadable(reason:)`` for more than ``longest`` bytes, and if the file cannot be written.
    static func copied(from input: FileHandle = .standardInput) throws(FormatError) -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "promised-input-\(UUID())").path
        do {
            guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw FormatError.unreadable(reason: "no temporary file can be made for it: check TMPDIR") }
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            var count = 0
            while let piece = try input.read(upToCount: FileChunks.size), !piece.isEmpty {
                count += piece.count
                guard count <= longest else {
                    throw FormatError.unreadable(reason: "it has more than \(longest >> 20) MiB: import it in parts")
                }
                try file.write(contentsOf: piece)
            }
            try file.close()
            return path
        } catch {
            // The reason for the failure matters more than the rest of a temporary file.
            try? FileManager.default.removeItem(atPath: path)
            throw error as? FormatError
                ?? .unreadable(reason: "it cannot be read, or no temporary file be written for it: check TMPDIR")
        }
    }
}
