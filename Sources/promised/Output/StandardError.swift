import Foundation

/// Words that are no result go to standard error.
enum StandardError {
    /// Whether somebody sees it.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes a line.
    static func write(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}

/// A result on standard output, at once: scripts wait for lines.
enum StandardOutput {
    /// Writes a line.
    static func write(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
