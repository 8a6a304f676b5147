import Foundation

/// Writes messages that are not results to standard error.
enum StandardError {
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
    static func write(_ line: String) { writePart(line + "\n") }

    /// Writes a part of a line.
    static func writePart(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

/// Writes results to standard output, unbuffered, because scripts wait for lines.
enum StandardOutput {
    static func write(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
