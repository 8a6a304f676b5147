import Foundation
import PromisedProtocol
import SwiftProtobuf

/// A directory for one test.
struct TemporaryDirectory {
    let path: String

    /// The bytes of its journal.
    func journal() throws -> [UInt8] { Array(try Data(contentsOf: url)) }

    /// Replaces the journal by these bytes.
    func setJournal(_ bytes: [UInt8]) throws { try Data(bytes).write(to: url) }

    /// Makes rewriting the journal fail, as on a full disk.
    func fill() throws {
        try FileManager.default.createSymbolicLink(
            atPath: path + "/fixes.journal.new",
            withDestinationPath: "/dev/full"
        )
    }

    /// Reverses ``fill()``.
    func empty() throws { try FileManager.default.removeItem(atPath: path + "/fixes.journal.new") }

    private var url: URL { URL(fileURLWithPath: path + "/fixes.journal") }
}

/// Runs a test with a directory, which is deleted afterwards.
func withTemporaryDirectory(_ body: (TemporaryDirectory) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "/promised-fixes-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // Another process has deleted it.
        }
    }
    try body(TemporaryDirectory(path: path))
}

extension WireFix {
    /// A fix with both clocks.
    static var sample: WireFix {
        WireFix.with {
            $0.latitude = 52.52
            $0.longitude = 13.405
            $0.accuracyMetres = 5
            $0.uptimeMs = 1_000_000
            $0.recordedAt = WireTimestamp(seconds: 1_795_251_600)
        }
    }
}
