import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import SwiftProtobuf
import Testing

@testable import PromisedSettings

/// The ranges, lengths and required fields of `asyncapi.yaml` agree with those of a server.
@Suite("Requests in the AsyncAPI document", .tags(.realTime), .timeLimit(.minutes(2)))
struct DocumentedRangeTests {
    @Test func `accepts the ends and inside of each range and rejects values beyond and missing ones`() async throws {
        let ranges = try DocumentedRange.all().filter { !$0.isApart }
        try #require(ranges.count > 150)
        let busy: @Sendable (inout ServerSettings) -> Void = { configuration in
            configuration.limits.requestBurst = 100_000
            // Valid but incorrect passwords and codes.
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
                // A promise that may be cancelled.
                let spare = try await ada.promise(with: [], at: world.now + .hours(3)).promiseID
                let recording = try await ada.client.startRecording(key: "1", activity: .walk).recordingID
                try await world.administered { admin, connect in
                    let (edited, imported) = try await admin.placeAndImport(in: world)
                    let phone = try await connect()
                    try await ada.signIn(on: phone)
                    for (number, range) in ranges.enumerated() {
                        let promiseID = range.path.contains("cancelPromise") ? spare : open
                        var ids = [
                            DocumentedRange.recordedPromise: promiseID, DocumentedRange.recordedUsers[0]: bea.id,
                            DocumentedRange.recordedUsers[1]: bea.id, DocumentedRange.recordedRecording: recording,
                        ]
                        if range.path.hasPrefix("admin.editPlace.row.") { ids[DocumentedRange.recordedPlace] = edited }
                        if range.path.hasPrefix("admin.putPlaces.rows") {
                            ids[DocumentedRange.recordedImport] = imported
                        }
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
    /// The ids of the recorded frames.
    fileprivate static let recordedPromise = "01932a4e-0000-7000-8000-0000000000a1"
    fileprivate static let recordedRecording = "01932a4e-0000-7000-8000-0000000000f3"
    fileprivate static let recordedPlace = "01932a4e-0000-7000-8000-0000000000c1"
    fileprivate static let recordedImport = "01932a4e-0000-7000-8000-0000000000a2"
    fileprivate static let recordedUsers = [
        "01932a4e-0000-7000-8000-0000000000b1", "01932a4e-0000-7000-8000-0000000000b2",
    ]

    /// The administrators' fields whose ranges depend on others, covered by other tests.
    private static let apart = [
        // A place created or edited by hand may lack the ref that a row of an import needs: the server generates one.
        "createPlace.row.ref", "editPlace.row.ref",
        // A row without its place lacks a name, which the answer reports (PlaceImportsTests).
        "putPlaces.rows[0].place",
        // The id of a place is not part of a row and is ignored.
        "putPlaces.rows[0].place.placeId",
        // A tag is more than its length (LanguageTagTests).
        "putPlaces.rows[0].names[0].language", "createPlace.row.names[0].language", "editPlace.row.names[0].language",
        // So is a region of two levels (AdminCourseConversationTests).
        "importRecommendedCourse.region",
    ]

    fileprivate var isApart: Bool { Self.apart.contains { path == "admin.\($0)" } }

    /// The connection on which the request is checked.
    fileprivate func sender(admin: Device, user: Device, stranger: DeviceMaker) async throws -> Device {
        switch request {
        case "admin": admin
        case "signUp", "signIn", "refresh", "exchangeCode", "watchByLink": try await stranger()
        default: user
        }
    }
}

extension Device {
    /// A place of the directory, and an import that accepts rows and writes nothing.
    fileprivate func placeAndImport(in world: ServerWorld) async throws -> (placeID: String, importID: String) {
        await world.service.refreshPlaces()
        guard case .place(let place) = try await admin(.createPlace(.with { $0.row = .cafe("Probed") })) else {
            throw NoReply()
        }
        let order = WireAdminBeginImport.with {
            ($0.source, $0.timeZone, $0.dryRun) = (.sample("probes"), "Asia/Seoul", true)
        }
        return (place.placeID, try await placeImport(.beginImport(order)).importID)
    }
}
