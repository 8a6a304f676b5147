import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import SwiftProtobuf
import Testing

@testable import PromisedSettings

/// "Not yours" takes as long as "does not exist", for every kind and audience.
@Suite("Response times to strangers for stored data", .tags(.alone), .serialized, .timeLimit(.minutes(5)))
struct KeptTimingTests {
    /// The largest difference of the medians, as a part of the smaller one.
    private static let tolerance = 0.05
    /// Requests about either id, 2,000 in total.
    private static let pairs = 1_000

    @Test(.defends("files-of-others"), arguments: [WireAudience.Value.private, .friends])
    func `the medians differ by less than five per cent`(audience: WireAudience.Value) async throws {
        let busy: @Sendable (inout ServerSettings) -> Void = { settings in
            (settings.limits.requestRate, settings.limits.requestBurst) = (10_000, 100_000)
        }
        try await ServerWorld.with(configure: busy) { world in
            try await world.with("Ada") { people in
                let requests = try await people[0].things(for: audience, at: world.now)
                try await world.devices { connect in
                    let eve = try await connect()
                    _ = try await eve.signUp("Eve")
                    for request in requests { try await Self.expectAlike(request.theirs, request.nobodys, on: eve) }
                }
            }
        }
    }

    /// Other work on the machine disturbs a measurement, so there are three; a leak fails in each.
    private static func expectAlike(_ theirs: WireRequest, _ nobodys: WireRequest, on device: Device) async throws {
        var measured: [(theirs: Duration, nobodys: Duration)] = []
        repeat {
            let (one, other) = try await medians(of: theirs, and: nobodys, on: device)
            if max(one, other) / min(one, other) < 1 + tolerance { return }
            measured.append((one, other))
        } while measured.count < 3
        Issue.record("\(theirs): \(measured)")
    }

    /// The durations of two requests in turn; each is the first of every other pair.
    private static func medians(
        of one: WireRequest,
        and other: WireRequest,
        on device: Device
    ) async throws -> (Duration, Duration) {
        let clock = ContinuousClock()
        let frames = try [one, other].map { try device.codec.encode(WireClientFrame(id: 77, request: $0)) }
        var times: [[Duration]] = [[], []]
        for pair in 0..<pairs {
            for index in pair % 2 == 0 ? [0, 1] : [1, 0] {
                times[index].append(try await clock.measure { _ = try await device.exchange(frames[index]) })
            }
        }
        return (times[0].sorted()[pairs / 2], times[1].sorted()[pairs / 2])
    }
}

/// A request about another user's object, and the same about a missing one.
private struct Probe: Sendable {
    let theirs: WireRequest
    let nobodys: WireRequest

    init(_ id: String, _ request: (String) -> WireRequest) {
        theirs = request(id)
        nobodys = request("01940000-0000-7000-8000-000000000001")
    }
}

extension Person {
    /// A visit and a course with long memos, their photos, and a file without references.
    fileprivate func things(for audience: WireAudience.Value, at now: Instant) async throws -> [Probe] {
        let photos = [try await upload(.picture).fileID, try await upload(.picture).fileID]
        var request = WireCreateVisit.sample(at: now)
        (request.audience, request.memo) = (audience, String(repeating: "x", count: 1_500))
        request.photos = [.with { $0.fileID = photos[0] }]
        let visit = try await client.createVisit(request).visitID
        let course = try await course().courseID
        var change = WireUpdateCourse.with { ($0.courseID, $0.version) = (course, 1) }
        (change.memo, change.photos) = (request.memo, [.with { $0.fileID = photos[1] }])
        _ = try await client.updateCourse(change)
        if audience != .private {
            _ = try await client.shareCourse(courseID: course, audience: audience, userIds: [], hideMetres: 200)
        }
        let loose = try await upload(.track(points: 9)).fileID
        return [
            Probe(visit) { id in .getVisit(.with { $0.visitID = id }) },
            Probe(course) { id in .getCourse(.with { $0.courseID = id }) },
            Probe(course) { id in .getTrack(.with { $0.courseID = id }) },
        ] + (photos + [loose]).map { file in Probe(file) { id in .readFile(.with { $0.fileID = id }) } }
    }
}
