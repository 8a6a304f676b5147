import Foundation
import PromisedTestSupport
import PromisedTransport
import Testing

/// A process with the other end of connections in another implementation: Python's `websockets`.
final class OutsidePeer: Sendable {
    /// `true` if it is installed.
    static let isInstalled: Bool = {
        let process = Process()
        process.executableURL = python
        process.arguments = ["-c", "import websockets"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
    /// The comment of tests that are skipped without it.
    static let absence: Comment = "Python's websockets is not installed (Debian: python3-websockets)"

    private static let python = URL(fileURLWithPath: "/usr/bin/python3")
    private static let script = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Outside/peer.py").path

    /// The lines of its output.
    let told = Signals<String>()
    private let process = Process()
    private let input = Pipe()

    /// Starts one that listens, or that connects to `address`; `arguments` are those of the script.
    init(connectingTo address: ListeningAddress? = nil, _ arguments: [String]) throws {
        let target = address.map { ["--url", "ws://\($0)/ws", "--subprotocol", "test.text"] } ?? []
        let output = Pipe()
        process.executableURL = Self.python
        process.arguments = ["-B", Self.script] + target + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        Self.read(output, into: told)
    }

    deinit {
        // SIGKILL, because it may be suspended.
        _ = kill(process.processIdentifier, SIGKILL)
    }

    /// Its address, once it listens.
    func address() async throws -> ListeningAddress {
        let port = try await told.first { line in
            line.hasPrefix("listening ") ? UInt16(line.dropFirst("listening ".count)) : nil
        }
        return ListeningAddress(host: "127.0.0.1", port: port)
    }

    /// Makes it send a text message over all its connections.
    func say(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(text)\n".utf8)) }

    /// Suspends it: its connections stay without being read or answered.
    func freeze() { _ = kill(process.processIdentifier, SIGSTOP) }

    private static func read(_ pipe: Pipe, into told: Signals<String>) {
        Thread.detachNewThread {
            var rest = Data()
            while true {
                let data = pipe.fileHandleForReading.availableData
                if data.isEmpty { return }
                rest += data
                while let end = rest.firstIndex(of: 0x0A) {
                    told.note(String(decoding: rest[..<end], as: UTF8.self))
                    rest = Data(rest[rest.index(after: end)...])
                }
            }
        }
    }
}
