import Foundation

/// The small files of the field trial: what other people's devices and programs write.
enum FieldSamples {
    /// The bytes of one of them.
    static func bytes(_ name: String) throws -> [UInt8] {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        return Array(try Data(contentsOf: here.appending(path: "../../Field/\(name)").standardizedFileURL))
    }
}
