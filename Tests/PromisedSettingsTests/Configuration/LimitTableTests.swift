import Foundation
import PromisedDomain
import PromisedProtocol
import PromisedWire
import Testing

@testable import PromisedSettings

/// The table of limits in `docs/protocol.md` equals the default configuration.
@Suite struct LimitTableTests {
    private static let path = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/protocol.md")

    /// The rows below the heading of the table: the limited value and its limit.
    private static func rows() throws -> [(what: String, limit: String)] {
        let text = try String(contentsOf: path, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let head = try #require(lines.firstIndex(of: "| what | limit | beyond it |"))
        return lines.dropFirst(head + 2).prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            return (cells[1], cells[2])
        }
    }

    /// A number as documents write it.
    private static func text(_ number: Int) -> String {
        number < 1_000 ? "\(number)" : "\(number / 1_000)," + String("\(number % 1_000 + 1_000)".dropFirst())
    }

    private static let limits = ServerSettings().limits
    private static let throttle = ServerSettings().throttle
    private static let passwords = ServerSettings().passwords

    /// The rows, with the numbers of the default configuration.
    private static let expected: [(what: String, limit: String)] = [
        (
            "a frame from a client",
            "\(limits.frame >> 10) KiB, \(limits.frameBeforeSignIn >> 10) KiB before the sign-in"
        ),
        (
            "a frame with a request",
            "\(WireRequest.getMe(WireGetMe()).largestFrame >> 10) KiB; "
                + "\(WireRequest.report(WireReport()).largestFrame >> 10) KiB with"
        ),
        ("a frame from the server", "\(limits.sentFrame >> 10) KiB;"),
        ("people of one promise", "\(PromiseLimits.participants) at a time, \(PromiseLimits.people) over its life"),
        (
            "promises of one owner",
            "\(PromiseLimits.openPromises) that are not over; \(throttle.promises) made in 24 hours"
        ),
        ("promises in which one user takes part", "\(PromiseLimits.participations) that are not over"),
        ("promises in which one user takes part at the same time", "\(PromiseLimits.overlapping) whose windows"),
        ("durable events of one promise", "\(text(PromiseLimits.events)), after which"),
        ("requests", "\(limits.requestRate) a second, \(limits.requestBurst) at once,"),
        (
            "positions of one participant in one promise",
            "\(limits.fixes.perSecond) a second, \(limits.fixes.burst) at once,"
        ),
        ("positions that are kept of one participant in one promise", text(limits.fixes.kept)),
        ("positions of one device within \(limits.fixes.spacing.milliseconds) ms of fix time", "the first is applied"),
        (
            "looks into storage for positions older than the last two minutes, or \(limits.fixes.held), of a device",
            "one in \(limits.fixes.recallInterval.milliseconds / 1_000) s"
        ),
        ("connections of one user, and of one administrator's token", "\(limits.connectionsPerUser)"),
        ("sign-in sessions of one user", "\(limits.sessionsPerUser)"),
        ("handshakes of one address", "\(throttle.handshakes) a second"),
        (
            "connections of one address that nobody has signed in on, handshakes included",
            "\(limits.connectionsBeforeSignIn)"
        ),
        ("connections in all", "as many as the server has files for"),
        ("sign-ups of one address", "\(throttle.signUps) an hour"),
        ("wrong codes of one address without an account", "\(throttle.signInsPerAddress) in 15 minutes"),
        ("refreshes of one session", "\(throttle.refreshes) a minute"),
        ("`explainArrival` of one user, each page", "\(throttle.explanations) a minute"),
        ("connections that watch by one link", "\(ViewLinkLimits.viewers)"),
        (
            "failed sign-ins in \(throttle.signInWindow.milliseconds / 60_000) minutes",
            "\(throttle.signInsPerAccountAndAddress) for an address on one account, "
                + "\(throttle.signInsPerAddress) for an address, \(throttle.signInsPerAccount) for an account;"
        ),
        (
            "passwords that wait to be looked at",
            "\(passwords.queuePerAddress) of an address, \(passwords.queuePerNetwork) of an IPv4 /24 or IPv6 /48"
        ),
        ("", "\(passwords.queue) in all;"),
        ("unread frames", "what fits the connection's outbox;"),
    ]

    @Test func `each row has the numbers of the default configuration`() throws {
        let rows = try Self.rows()
        #expect(rows.map(\.what) == Self.expected.map(\.what))
        for (row, expected) in zip(rows, Self.expected) {
            #expect(row.limit.hasPrefix(expected.limit), "\(row.what)")
        }
        let unread = try #require(rows.last?.limit)
        #expect(unread.contains("and \(Self.limits.allOutboxBytes >> 20) MiB for all connections together"))
    }
}
