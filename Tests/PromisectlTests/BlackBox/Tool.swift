import Foundation

/// The built binaries beside the test bundle.
enum Tool: String {
    case promised
    case promisectl
    case promiseLoad = "promise-load"

    /// The folder of the build products.
    private static let products: URL = {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let isThere = FileManager.default.isExecutableFile(atPath: folder.appending(path: "promisectl").path)
        return isThere ? folder : repository.appending(path: ".build/debug")
    }()

    /// Three levels above this file's folder.
    private static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The binary.
    var url: URL { Self.products.appending(path: rawValue) }
}

/// A run of a built binary with its output by lines.
final class ToolRun: Sendable {
    private let process: Process
    /// Lines of standard output.
    let output: AsyncStream<String>
    /// Lines of standard error.
    let errors: AsyncStream<String>
    private let ended: AsyncStream<Int32>

    /// Starts a binary; it finds `input` on its standard input.
    convenience init(
        _ tool: Tool,
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String = ""
    ) throws {
        try self.init(tool.url, arguments, environment: environment, input: input)
    }

    /// Starts any program.
    ///
    /// - Parameter folder: where it runs; nil: where the tests do.
    init(
        _ program: URL,
        _ arguments: [String],
        environment: [String: String] = [:],
        folder: String? = nil,
        input: String = ""
    ) throws {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = URL(filePath: folder) }
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        let (out, err, into) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        process.standardInput = into
        output = Self.lines(of: out)
        errors = Self.lines(of: err)
        let (ended, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(1))
        self.ended = ended
        process.terminationHandler = { process in
            continuation.yield(process.terminationStatus)
            continuation.finish()
        }
        self.process = process
        try process.run()
        try into.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try into.fileHandleForWriting.close()
    }

    var id: Int32 { process.processIdentifier }

    /// Sends a signal.
    func signal(_ number: Int32) {
        guard process.isRunning else { return }
        _ = kill(process.processIdentifier, number)
    }

    /// The exit code, after the end of the process; −1 if the test is cancelled first, which also ends the process.
    func exitCode() async -> Int32 {
        for await code in ended { return code }
        if process.isRunning { signal(SIGKILL) }
        return -1
    }

    /// The exit code; blocks until the process has ended. For conditions evaluated before the tests run.
    func waitUntilExit() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    private static func lines(of pipe: Pipe) -> AsyncStream<String> {
        // A test's output is small and is read to its end.
        let (lines, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .unbounded)
        Thread.detachNewThread {
            var rest = Data()
            while true {
                let data = pipe.fileHandleForReading.availableData
                if data.isEmpty { break }
                rest += data
                while let end = rest.firstIndex(of: 0x0A) {
                    continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest = Data(rest[rest.index(after: end)...])
                }
            }
            if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
            continuation.finish()
        }
        return lines
    }
}
