import Foundation
import PromisedTestSupport

/// The built `promised` beside the test bundle, with the files that it needs to run.
enum Binary {
    /// The root of the repository.
    static let repository = BuiltProgram.repository

    /// The binary.
    static let promised = BuiltProgram("promised").url

    /// The recorded ride beside the repository, which may be missing.
    static let tracks = repository.deletingLastPathComponent().appendingPathComponent("shared/tracks/ride-a").path

    /// `true` if the recorded ride exists.
    static var hasTracks: Bool { FileManager.default.fileExists(atPath: tracks) }
}

/// A run of the binary with its output by lines.
final class BinaryRun: Sendable {
    private let process: Process
    /// Lines of standard output.
    let output: AsyncStream<String>
    /// Lines of standard error.
    let errors: AsyncStream<String>
    private let ended: AsyncStream<Int32>

    /// Starts `promised` with these arguments.
    ///
    /// - Parameter terminal: replaces standard error and ``errors``.
    init(_ arguments: [String], errors terminal: FileHandle? = nil) throws {
        let process = Process()
        process.executableURL = Binary.promised
        process.arguments = arguments
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        if let terminal { process.standardError = terminal } else { process.standardError = err }
        process.standardInput = FileHandle.nullDevice
        output = BinaryRun.lines(of: out)
        errors = BinaryRun.lines(of: err)
        let (ended, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(1))
        self.ended = ended
        process.terminationHandler = { process in
            continuation.yield(process.terminationStatus)
            continuation.finish()
        }
        self.process = process
        try process.run()
        // An unused pipe would have no end.
        if terminal != nil { try err.fileHandleForWriting.close() }
    }

    /// Ends the process at once, as a power cut would.
    func kill() { _ = Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Requests the end of the process.
    func terminate() { process.terminate() }

    /// Sends the process a signal.
    func send(_ signal: Int32) { _ = Foundation.kill(process.processIdentifier, signal) }

    /// The exit code, after the end of the process; −1 if the test is cancelled first, which also ends the process.
    func exitCode() async -> Int32 {
        for await code in ended { return code }
        if process.isRunning { kill() }
        return -1
    }

    /// All lines of standard output until its end.
    func wholeOutput() async -> [String] { await output.reduce(into: []) { $0.append($1) } }

    private static func lines(of pipe: Pipe) -> AsyncStream<String> {
        // A test's output is small and is read to its end.
        let (lines, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .unbounded)
        Thread.detachNewThread {
            var rest = ""
            while true {
                let data = pipe.fileHandleForReading.availableData
                if data.isEmpty { break }
                rest += String(decoding: data, as: UTF8.self)
                var parts = rest.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                rest = parts.removeLast()
                for part in parts { continuation.yield(part) }
            }
            if !rest.isEmpty { continuation.yield(rest) }
            continuation.finish()
        }
        return lines
    }
}

/// A server process on a data directory.
struct ServerProcess: Sendable {
    let run: BinaryRun
    let port: Int

    /// Starts `promised serve` and waits until it listens.
    static func start(
        data: String,
        port: Int = 0,
        rate: Double = 1,
        clock: Date? = nil,
        settings: [String] = []
    ) async throws -> ServerProcess {
        var arguments = [
            "serve", "--data", data, "--listen", "127.0.0.1:\(port)", "--set", "passwords.scrypt-log2-n=10",
        ]
        arguments += ["--clock-rate", "\(rate)"] + settings.flatMap { ["--set", $0] }
        if let clock { arguments += ["--clock-start", clock.formatted(.iso8601)] }
        let run = try BinaryRun(arguments)
        for await line in run.output {
            guard let colon = line.lastIndex(of: ":"), line.hasPrefix("listening on 127.0.0.1:") else { break }
            guard let port = Int(line[line.index(after: colon)...]) else { break }
            return ServerProcess(run: run, port: port)
        }
        throw ServerDidNotListen()
    }

    struct ServerDidNotListen: Error {}
}

/// A temporary folder that a test removes.
func withTemporaryFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let folder = NSTemporaryDirectory() + "promised-box-" + UUID().uuidString
    defer {
        // A temporary folder: the system removes it if this fails.
        try? FileManager.default.removeItem(atPath: folder)
    }
    return try await body(folder)
}
