import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import Testing

@testable import PromisedSettings

/// The ranges, lengths and required fields of `docs/asyncapi.yaml`, tried on a server: it must be of the same opinion.
@Suite("What the AsyncAPI document says of requests", .tags(.realTime), .timeLimit(.minutes(2)))
struct DocumentedRangeTests {
    @Test func `the ends of each range and what is inside are taken, and nothing beyond them or left out`() async throws
    {
        // The fields of places that administrators give are checked by rules with tests of their own
        // (PlaceAdministrationTests, PlaceImportsTests), and so is the region of a course (AdminCourseConversationTests).
        let apart = ["putPlaces.rows[", "createPlace.row.", "editPlace.row.", "importRecommendedCourse.region"]
        let ranges = try DocumentedRange.all().filter { range in
            !apart.contains { range.path.hasPrefix("admin.\($0)") }
        }
        try #require(ranges.count > 150)
        let busy: @Sendable (inout ServerSettings) -> Void = { configuration in
            configuration.limits.requestBurst = 100_000
            // Passwords and codes that are good but for being right.
            configuration.throttle.signInsPerAccountAndAddress = 10_000
            configuration.throttle.signInsPerAccount = 10_000
            configuration.throttle.signInsPerAddress = 10_000
            configuration.throttle.wrongCodes = 10_000
            configuration.throttle.find = 10_000
            configuration.limits.fixes.burst = 100_000
        }
        try await ServerWorld.withShortLead(configure: busy) { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                let open = try await ada.openPromise(with: [bea], in: world)
                // One that may be cancelled.
                let spare = try await ada.promise(with: [], at: world.now + .hours(3)).promiseID
                let recording = try await ada.client.startRecording(key: "1", activity: .walk).recordingID
                try await world.administered { admin, connect in
                    let phone = try await connect()
                    try await ada.signIn(on: phone)
                    for (number, range) in ranges.enumerated() {
                        let promiseID = range.path.contains("cancelPromise") ? spare : open
                        let ids = [
                            DocumentedRange.recordedPromise: promiseID, DocumentedRange.recordedUsers[0]: bea.id,
                            DocumentedRange.recordedUsers[1]: bea.id, DocumentedRange.recordedRecording: recording,
                        ]
                        for probe in try range.probes(number: number, replacing: ids) {
                            let device = try await range.sender(admin: admin, user: phone, stranger: connect)
                            let answer = try device.frame(try await device.exchange(probe.frame))
                            if case .error(let error) = answer.content {
                                DocumentedRefusals.expect(error.code, of: range.request)
                            }
                            let isTaken = !range.isRefused(by: answer)
                            #expect(isTaken == probe.isGood, "\(range.path) = \(probe.value): \(answer)")
                            #expect(!range.isUnexplained(answer), "\(range.path) = \(probe.value): \(answer)")
                        }
                    }
                }
            }
        }
    }
}

extension DocumentedRange {
    /// The ids that the recorded frames hold.
    fileprivate static let recordedPromise = "01932a4e-0000-7000-8000-0000000000a1"
    fileprivate static let recordedRecording = "01932a4e-0000-7000-8000-0000000000f3"
    fileprivate static let recordedUsers = [
        "01932a4e-0000-7000-8000-0000000000b1", "01932a4e-0000-7000-8000-0000000000b2",
    ]

    /// The connection on which the request is looked at.
    fileprivate func sender(admin: Device, user: Device, stranger: DeviceMaker) async throws -> Device {
        switch request {
        case "admin": admin
        case "signUp", "signIn", "refresh", "exchangeCode", "watchByLink": try await stranger()
        default: user
        }
    }
}
