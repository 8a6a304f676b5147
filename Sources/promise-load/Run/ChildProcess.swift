import Foundation
import Glibc
import PromisedTransport

/// A child process: the lines of its standard output, its standard input, its exit.
final class ChildProcess: Sendable {
    private let process: Process
    private let input: FileHandle
    private let ended: AsyncStream<Int32>
    /// The lines of standard output; ends with the process. For one reader.
    let lines: AsyncStream<String>

    /// Starts an executable. Its standard error goes to `errors`, or if nil to ours. Throws ``LoadFailure`` if it can't
    /// be started.
    init(_ path: String, _ arguments: [String], errors: FileHandle? = nil) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let (out, into) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardInput = into
        if let errors { process.standardError = errors }
        input = into.fileHandleForWriting
        lines = Self.lines(of: out.fileHandleForReading)
        let (ended, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(1))
        self.ended = ended
        process.terminationHandler = { process in
            continuation.yield(process.terminationStatus)
            continuation.finish()
        }
        do {
            try process.run()
        } catch {
            throw LoadFailure("cannot start \(path): \(error.localizedDescription)")
        }
    }

    var pid: Int32 { process.processIdentifier }

    /// Writes a line to its standard input. Throws ``LoadFailure`` if the process no longer reads.
    func say(_ line: Data) throws {
        do {
            try input.write(contentsOf: line + Data("\n".utf8))
        } catch {
            throw LoadFailure("a worker process has ended early")
        }
    }

    /// Terminates the process and waits for its exit; call this once.
    func stop() async -> Int32 {
        if process.isRunning { process.terminate() }
        return await end()
    }

    /// Waits for the process's exit; call this once.
    func end() async -> Int32 {
        for await status in ended { return status }
        return process.terminationStatus
    }

    /// Reads on its own thread, because the handles' notifications have a race at the end, between the event loop and
    /// the closing of the descriptor, in which libdispatch crashes.
    private static func lines(of handle: FileHandle) -> AsyncStream<String> {
        // Bounded by the output of a process: a few lines.
        let (lines, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .unbounded)
        let isReading = NativeThread.run(named: "child output") {
            var splitter = LineSplitter()
            var isOpen = true
            while isOpen {
                let bytes = read(handle)
                isOpen = !bytes.isEmpty
                for line in splitter.add(bytes) { continuation.yield(line) }
            }
            continuation.finish()
        }
        if !isReading { continuation.finish() }
        return lines
    }

    /// The next bytes, waiting for them; empty at the end of the file.
    private static func read(_ handle: FileHandle) -> Data {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = Glibc.read(handle.fileDescriptor, &buffer, buffer.count)
            if count >= 0 { return Data(buffer.prefix(count)) }
            guard errno == EINTR else { return Data() }
        }
    }
}

/// Splits the bytes of a pipe into lines.
struct LineSplitter: Sendable {
    private var rest = Data()

    /// The lines completed by these bytes; without bytes (the end) also the last incomplete line.
    mutating func add(_ bytes: Data) -> [String] {
        rest.append(bytes)
        var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let last = parts.popLast() ?? Data()
        rest = bytes.isEmpty ? Data() : Data(last)
        if bytes.isEmpty, !last.isEmpty { parts.append(last) }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A certificate for this machine's loopback address, created with the `openssl` command; no other machine trusts it.
enum Certificate {
    /// Creates `certificate.pem` and `key.pem`, valid for a day, in a directory. Throws ``LoadFailure`` if `openssl` is
    /// missing or fails.
    static func make(in directory: String) async throws -> (certificate: String, key: String) {
        let (certificate, key) = (directory + "/certificate.pem", directory + "/key.pem")
        let openssl = try ChildProcess(
            "/usr/bin/env",
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "1", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
                "-out", certificate,
            ]
        )
        guard await openssl.end() == 0 else { throw LoadFailure("openssl could not create a certificate") }
        return (certificate, key)
    }
}

/// Why a run failed; a sentence for people.
struct LoadFailure: Error, Hashable, Sendable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
