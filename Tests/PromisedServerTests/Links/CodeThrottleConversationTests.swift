import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import SwiftProtobuf
import Testing

@testable import PromisedSettings

/// Guessing codes without an account, over real connections.
@Suite(.timeLimit(.minutes(1)))
struct CodeThrottleConversationTests {
    private static let watch = WireRequest.watchByLink(.with { $0.code = "guessed" })
    private static let exchange = WireRequest.exchangeCode(.with { $0.code = "guessed" })

    @Test(.proves("limit.attempts"))
    func `delays an address after too many guesses, also with the right code and on another connection`()
        async throws
    {
        func configure(_ configuration: inout ServerSettings) {
            configuration.throttle.signInsPerAddress = 2
            configuration.listen.trustedProxies = [AddressRange("127.0.0.1")].compactMap(\.self)
        }
        try await ServerWorld.with(configure: configure) { world in
            try await world.with("Ada") { people in
                let id = try await people[0].promise(with: [], at: world.now + .hours(2)).promiseID
                let code = try await people[0].client.createViewLink(promiseID: id).code
                let right = WireRequest.watchByLink(.with { $0.code = code })
                try await world.devices { connect in
                    let guesser = try await connect(forwardedFor: "203.0.113.9")
                    #expect(try await guesser.refusal(Self.watch) == .codeInvalid)
                    #expect(try await guesser.refusal(Self.exchange) == .codeInvalid)
                    #expect(try await guesser.refusal(right) == .limitAttempts)
                    let again = try await connect(forwardedFor: "203.0.113.9")
                    #expect(try await again.refusal(Self.exchange) == .limitAttempts)
                    let other = try await connect(forwardedFor: "203.0.113.10")
                    #expect(try await other.refusal(right) == nil)
                }
            }
        }
    }
}
