import Foundation
import PromisedTestMarks
import Testing

/// The unit in `config/systemd`.
@Suite struct SystemdUnitTests {
    private static let missing: Comment = "systemd-analyze is not installed (Debian: systemd)"
    private static let file = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("config/systemd/promised.service")

    /// The unit with an existing program in place of the installed one.
    private func withUnit(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("promised-unit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // A temporary folder: the system removes it if this fails.
            try? FileManager.default.removeItem(at: folder)
        }
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let unit = folder.appendingPathComponent("promised.service")
        try Data(text.replacing("/usr/bin/promised", with: "/bin/true").utf8).write(to: unit)
        try body(unit.path)
    }

    @Test(.enabled(if: Tool("systemd-analyze") != nil, missing))
    func `systemd accepts the unit`() throws {
        try withUnit { unit in
            let outcome = try #require(Tool("systemd-analyze")).run(["verify", "--man=no", unit])
            #expect(outcome.code == 0, "\(outcome.text)")
            #expect(outcome.text.isEmpty, "\(outcome.text)")
        }
    }

    @Test(.defends("server-takeover"), .enabled(if: Tool("systemd-analyze") != nil, missing))
    func `its exposure is at most 1.5 of 10`() throws {
        try withUnit { unit in
            let arguments = ["security", "--offline=true", "--threshold=15", "--no-pager", unit]
            let outcome = try #require(Tool("systemd-analyze")).run(arguments)
            #expect(outcome.code == 0, "\(outcome.text)")
        }
    }

    @Test func `a reload sends the signal that reloads the certificate`() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        for line in [
            "ExecReload=/bin/kill -HUP $MAINPID", "StateDirectory=promised", "StateDirectory=promised/backups",
            "Restart=on-failure", "Type=exec",
            "LimitNOFILE=65536",
        ] {
            #expect(text.split(separator: "\n").contains { $0 == line })
        }
    }
}
