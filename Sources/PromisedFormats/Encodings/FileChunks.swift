import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The bytes of a file, piece by piece.
package struct FileChunks {
    /// The bytes of a piece; the last may have fewer.
    package static let size = 262_144

    private let handle: FileHandle
    private let path: String
    /// The size of the file in bytes; 0 for a pipe.
    package let count: Int

    /// The pieces of the file at a path, from its start.
    ///
    /// - Throws: ``FormatError/unreadable(reason:)``.
    package init(path: String) throws(FormatError) {
        do {
            handle = try FileHandle(forReadingFrom: URL(filePath: path))
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            count = (attributes[.size] as? NSNumber)?.intValue ?? 0
        } catch {
            throw .unreadable(reason: Self.reason(of: path))
        }
        self.path = path
    }

    /// All bytes of the file at a path, or the first `most`. Blocks.
    ///
    /// - Throws: ``FormatError/unreadable(reason:)``.
    package static func bytes(ofFileAt path: String, most: Int) throws(FormatError) -> [UInt8] {
        var chunks = try FileChunks(path: path)
        var bytes: [UInt8] = []
        while bytes.count < most, let chunk = try chunks.next() { bytes += chunk.prefix(most - bytes.count) }
        return bytes
    }

    /// The next piece; nil at the end of the file.
    ///
    /// - Throws: ``FormatError/unreadable(reason:)``.
    package mutating func next() throws(FormatError) -> [UInt8]? {
        do {
            guard let piece = try handle.read(upToCount: Self.size), !piece.isEmpty else { return nil }
            return [UInt8](piece)
        } catch {
            throw .unreadable(reason: Self.reason(of: path))
        }
    }

    /// Why a file cannot be read, in the system's words: Foundation reports some reasons only as a number.
    private static func reason(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return "\(String(cString: strerror(errno))) (errno \(errno))" }
        defer { _ = close(descriptor) }
        var byte: UInt8 = 0
        return read(descriptor, &byte, 1) < 0
            ? "\(String(cString: strerror(errno))) (errno \(errno))" : "the reading of it failed"
    }
}

extension TextEncoding {
    /// The encoding of the file at a path, see ``EncodingDetector``; reads the file to its end unless a byte order mark
    /// or a malformed byte decides earlier. The file must be readable twice.
    ///
    /// - Throws: ``FormatError/unreadable(reason:)``.
    package static func detected(inFileAt path: String) throws(FormatError) -> TextEncoding {
        var chunks = try FileChunks(path: path)
        var detector = EncodingDetector()
        while !detector.isCertain, let chunk = try chunks.next() { detector.look(at: chunk) }
        return detector.encoding
    }
}
