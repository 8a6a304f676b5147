import Foundation

/// What the program says while it works, on standard error.
enum Progress {
    /// Writes a line.
    static func tell(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}
