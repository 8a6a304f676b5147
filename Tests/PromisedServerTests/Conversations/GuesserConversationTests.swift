import PromisedConcurrency
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedTestSupport
import PromisedTransport
import Testing

@testable import PromisedSettings

/// Passwords guessed from many addresses, over real connections behind a trusted proxy that names the addresses. The
/// tests need the whole machine: the hashing threads have the lowest priority, and a connection must sign in within ten
/// seconds.
@Suite("Guessers over connections", .tags(.alone), .timeLimit(.minutes(2)))
struct GuesserConversationTests {
    /// A hash takes some 20 ms, so that ninety waiting guessers exceed the queue.
    private static func configure(_ configuration: inout ServerSettings) {
        configuration.listen.trustedProxies = ["127.0.0.1", "::1"].compactMap { AddressRange($0) }
        configuration.passwords.cost = ScryptCost(log2N: 13, blockSize: 8, parallelism: 1)
    }

    /// Tries passwords from an address until it must wait, five times over each connection.
    private static func guess(_ number: Int, at maker: DeviceMaker, begun: Counter) async {
        let wrong = WireRequest.signIn(.sample("nobody\(number)@example.org", "wrong password"))
        while !Task.isCancelled {
            // Ends with the connection or the server.
            guard let device = try? await maker(forwardedFor: "198.18.\(number).1") else { return }
            for _ in 1...5 {
                begun.increment()
                guard let answer = try? await device.call(wrong), case .error(let error) = answer else { break }
                if error.code == "limit.attempts", error.retryAfterMs > 1_000 { return }
            }
        }
    }

    /// A number that tasks count up.
    private final class Counter: Sendable {
        private let value = Guarded(0)
        func increment() { value.withLock { $0 += 1 } }
        var count: Int { value.withLock { $0 } }
    }

    @Test(
        .proves("2.18"),
        .defends("lockout"),
        .enabled(if: BuildPace.isOrdinary, "the thread sanitizer's build is too slow")
    )
    func `accepts the right password within a few attempts under ninety guessers`() async throws {
        try await ServerWorld.with(configure: Self.configure) { world in
            try await world.devices { maker in
                _ = try await maker(forwardedFor: "203.0.113.1").signUp("Ada")
                let right = WireRequest.signIn(.sample("ada@example.org", "correct horse battery"))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let begun = Counter()
                    for number in 0..<90 { group.addTask { await Self.guess(number, at: maker, begun: begun) } }
                    while begun.count < 90 { await Task.yield() }
                    var refusals: [ErrorCode?] = []
                    repeat {
                        refusals.append(try await maker(forwardedFor: "203.0.113.2").refusal(right))
                    } while refusals.last != .some(nil) && refusals.count < 10
                    #expect(refusals.last == .some(nil) && refusals.count <= 3, "\(refusals)")
                    group.cancelAll()
                }
            }
        }
    }

    @Test(.proves("2.18"), .enabled(if: BuildPace.isOrdinary, "the thread sanitizer's build is too slow"))
    func `rejects a third waiting password of one address, and queues one of another`() async throws {
        let slow: @Sendable (inout ServerSettings) -> Void = { configuration in
            Self.configure(&configuration)
            // Long enough for five requests to overlap.
            configuration.passwords.cost = ScryptCost(log2N: 15, blockSize: 8, parallelism: 1)
        }
        try await ServerWorld.with(configure: slow) { world in
            try await world.devices { maker in
                let wrong = WireRequest.signIn(.sample("nobody@example.org", "wrong password"))
                var devices: [Device] = []
                for _ in 1...5 { devices.append(try await maker(forwardedFor: "203.0.113.7")) }
                let other = try await maker(forwardedFor: "203.0.113.8")
                for device in devices { try device.send(wrong) }
                try other.send(wrong)
                var answers: [String: Int] = [:]
                for device in devices {
                    guard case .error(let error) = try device.frame(try await device.nextReply()).content else {
                        continue
                    }
                    answers[error.code, default: 0] += 1
                    if error.code == "limit.attempts" { #expect(error.retryAfterMs == 1_000) }
                }
                // Four of the five are hashed or waiting; three if the other address got a thread first.
                let refused = answers["limit.attempts", default: 0]
                #expect((1...2).contains(refused) && answers["auth.invalid-credentials"] == 5 - refused, "\(answers)")
                let error = try other.frame(try await other.nextReply()).expect(\.error)
                #expect(error.code == "auth.invalid-credentials")
            }
        }
    }
}
