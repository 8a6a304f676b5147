import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import Testing

@testable import PromisedSettings

/// Refusals in `asyncapi.yaml` that no conversation of other tests covers.
@Suite("Refusals over a connection", .tags(.realTime), .timeLimit(.minutes(1)))
struct RefusalRowTests {
    private static let nobody = "0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b"

    @Test func `a cancelled promise rejects all changes`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cem") { ada, bea, cem async throws in
                let id = try await ada.promise(with: [bea], andInviting: cem, at: world.now + .hours(3))
                try await ada.expectNoRefusal(#""cancelPromise":{"promiseId":"\#(id)"}"#)
                for (person, request) in [
                    (ada, #""updatePromise":{"promiseId":"\#(id)","title":"Tea"}"#),
                    (bea, #""leavePromise":{"promiseId":"\#(id)"}"#),
                    (ada, #""handOver":{"promiseId":"\#(id)","userId":"\#(bea.id)"}"#),
                    (cem, #""respond":{"promiseId":"\#(id)","accept":true}"#),
                    (ada, #""createInvite":{"promiseId":"\#(id)"}"#),
                    (ada, #""createViewLink":{"promiseId":"\#(id)"}"#),
                    (ada, #""excuse":{"promiseId":"\#(id)","userId":"\#(bea.id)","reason":"ill"}"#),
                    (ada, #""nudge":{"promiseId":"\#(id)","userId":"\#(bea.id)"}"#),
                    (ada, #""getResult":{"promiseId":"\#(id)"}"#),
                    (ada, #""setSharing":{"promiseId":"\#(id)","on":true}"#),
                    (ada, #""setStatus":{"promiseId":"\#(id)","text":"late"}"#),
                    (ada, #""setLinkSharing":{"promiseId":"\#(id)","on":true}"#),
                ] {
                    try await person.expect(request, .promiseClosed)
                }
            }
        }
    }

    @Test func `rejects actions of a user who has not accepted`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea", "Cem") { ada, bea, cem async throws in
                try await ada.befriend(cem)
                let id = try await ada.openPromise(with: [bea], in: world) { $0.inviteeIds.append(cem.id) }
                for request in [
                    #""leavePromise":{"promiseId":"\#(id)"}"#, #""setSharing":{"promiseId":"\#(id)","on":true}"#,
                    #""setStatus":{"promiseId":"\#(id)","text":"late"}"#, #""checkIn":{"promiseId":"\#(id)"}"#,
                    #""getCheckInCode":{"promiseId":"\#(id)"}"#,
                    #""nudge":{"promiseId":"\#(id)","userId":"\#(bea.id)"}"#,
                    #""setLinkSharing":{"promiseId":"\#(id)","on":true}"#,
                ] {
                    try await cem.expect(request, .promiseNotAccepted)
                }
                try await cem.expect(#""reportTrouble":{"promiseId":"\#(id)","cause":"NO_FIX"}"#, .positionNotAccepted)
                try await ada.expect(#""handOver":{"promiseId":"\#(id)","userId":"\#(cem.id)"}"#, .promiseNotAccepted)
            }
        }
    }

    @Test func `hides the promise and its participants from strangers`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cem", "Dan") { ada, bea, cem, dan async throws in
                let id = try await ada.promise(with: [bea], andInviting: cem, at: world.now + .hours(3))
                for request in [
                    #""reportTrouble":{"promiseId":"\#(id)","cause":"NO_FIX"}"#,
                    #""setSharing":{"promiseId":"\#(id)","on":true}"#,
                    #""setStatus":{"promiseId":"\#(id)","text":"x"}"#,
                    #""createViewLink":{"promiseId":"\#(id)"}"#, #""revokeViewLink":{"promiseId":"\#(id)"}"#,
                    #""setLinkSharing":{"promiseId":"\#(id)","on":true}"#,
                ] {
                    try await dan.expect(request, .promiseNotFound)
                }
                try await ada.expect(#""handOver":{"promiseId":"\#(id)","userId":"\#(Self.nobody)"}"#, .userNotFound)
                try await bea.expect(#""createInvite":{"promiseId":"\#(id)"}"#, .promiseNotOwner)
                for request in ["checkIn", "getCheckInCode"] {
                    try await bea.expect(#""\#(request)":{"promiseId":"\#(id)"}"#, .positionOutsideWindow)
                }
                let far = (world.now + .hours(24 * 400)).rfc3339
                let update = #""updatePromise":{"promiseId":"\#(id)","version":1,"meetsAt":"\#(far)"}"#
                try await ada.expect(update, .promiseTooFar)
            }
        }
    }

    @Test func `rejects existing and impossible friendships`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                try await ada.befriend(bea)
                try await ada.expect(#""acceptFriend":{"userId":"\#(bea.id)"}"#, .friendAlready)
                try await ada.expect(#""rejectFriend":{"userId":"\#(bea.id)"}"#, .friendAlready)
                try await ada.expect(#""rejectFriend":{"userId":"\#(ada.id)"}"#, .friendSelf)
                try await ada.expect(#""removeFriend":{"userId":"\#(ada.id)"}"#, .friendSelf)
            }
        }
    }

    @Test func `an address and a nickname are unique`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { _ async throws in
                try await world.devices { connect in
                    let device = try await connect()
                    let sameAddress = WireSignUp.sample("Ada@example.org", "Adalbert")
                    #expect(try await device.refusal(.signUp(sameAddress)) == .userEmailTaken)
                    let sameName = WireSignUp.sample("other@example.org", "ada")
                    #expect(try await device.refusal(.signUp(sameName)) == .userNicknameTaken)
                }
            }
        }
    }
}

extension Person {
    /// Creates a promise with one user who accepts and one who does not answer.
    fileprivate func promise(
        with others: [Person],
        andInviting other: Person,
        at meetsAt: Instant
    ) async throws -> String {
        try await befriend(other)
        return try await promise(with: others, at: meetsAt) { $0.inviteeIds.append(other.id) }.promiseID
    }

    /// Sends a request, given as JSON without the outer braces, and expects a code.
    fileprivate func expect(_ request: String, _ code: ErrorCode) async throws {
        #expect(try await refusal(Self.request(request)) == code, "\(request)")
    }

    fileprivate func expectNoRefusal(_ request: String) async throws {
        #expect(try await refusal(Self.request(request)) == nil, "\(request)")
    }

    private static func request(_ json: String) throws -> WireRequest {
        let frame = try WireCodec.json.decodeClientFrame(Array("{\(json)}".utf8))
        return try #require(frame.request)
    }
}
