import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

/// Cursors of `explainArrival` that no reply has contained.
@Suite("Cursors of explanations", .timeLimit(.minutes(2)))
struct ExplanationCursorTests {
    /// The first beyond which the end of a page of 500 overflows, and the ends. A user may ask ten times a minute.
    private static let cursors = [
        "0", "9223372036854775307", "9223372036854775308", "9223372036854775806", "9223372036854775807",
        "r9223372036854775306", "r9223372036854775807",
    ]

    @Test(.proves("explainArrival"), arguments: WireCodec.allCases)
    func `a cursor near the largest number does not crash the server`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada") { people async throws in
                let ada = people[0]
                let promise = try await ada.promise(with: [], at: world.now + .hours(2)).promiseID
                try await world.administered { admin, _ in
                    for cursor in Self.cursors {
                        let form = WireExplainArrival.with {
                            ($0.promiseID, $0.userID, $0.cursor) = (promise, ada.id, cursor)
                        }
                        let own = try await ada.client.call(.explainArrival(form))
                        guard case .explanation(let page) = own else { throw Device.NoReply() }
                        #expect(page.fixes.isEmpty && page.cursor.isEmpty, "\(cursor)")
                        let told = try await admin.admin(.explainArrival(form))
                        guard case .explanation(let page) = told else { throw Device.NoReply() }
                        #expect(page.fixes.isEmpty && page.cursor.isEmpty, "\(cursor)")
                    }
                }
            }
        }
    }

    @Test(arguments: WireCodec.allCases)
    func `rejects a foreign cursor by name`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada") { people async throws in
                let ada = people[0]
                let promise = try await ada.promise(with: [], at: world.now + .hours(2)).promiseID
                for cursor in ["-1", "r-1", "9223372036854775808", "r9223372036854775808", "-9223372036854775808", "r"]
                {
                    let form = WireExplainArrival.with {
                        ($0.promiseID, $0.userID, $0.cursor) = (promise, ada.id, cursor)
                    }
                    #expect(await ada.refusal(.explainArrival(form)) == .requestInvalid, "\(cursor)")
                }
            }
        }
    }
}
