import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedSettings

@Suite("Visits over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct VisitConversationTests {
    private static let nowhere = "01940000-0000-7000-8000-000000000001"
    private static let memo = "Rice cakes,\nand a memo that must not stay behind"

    @Test(
        .proves("createVisit", "updateVisit", "getVisit", "deleteVisit", "getVisitStatistics", "visit.stale-version"),
        arguments: WireCodec.allCases
    )
    func `creates a manual visit once, edits it under its version, counts and deletes it`(codec: WireCodec) async throws
    {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                try await ada.befriend(bea)
                try await world.administered { admin, _ in try await admin.importPlaces([.cafe("Blue door")]) }
                let blue = try #require(try await ada.places(in: world)["Blue door"])
                let photo = try await ada.upload(.picture)
                var request = WireCreateVisit.sample(at: world.now - .hours(1))
                request.place = .with { $0.placeID = blue.placeID }
                request.memo = Self.memo
                request.photos = [.with { ($0.fileID, $0.caption) = (photo.fileID, "The door") }]
                request.companions = [.with { $0.user.userID = bea.id }, .with { $0.name = "Cem" }]
                let visit = try await ada.client.createVisit(request)
                #expect(visit.version == 1 && visit.source == .hand && visit.audience == .private && !visit.hasUser)
                #expect(visit.place.name == "Blue door" && visit.place.placeID == blue.placeID)
                #expect(visit.category == "cafe" && visit.memo == Self.memo && visit.kind == .note)
                #expect(visit.photos.map(\.caption) == ["The door"] && visit.photos[0].file == photo)
                #expect(visit.companions.map(\.user.nickname) == ["Bea", ""] && visit.companions[1].name == "Cem")
                #expect(try await ada.client.createVisit(request) == visit)
                #expect(try await ada.client.getPlace(placeID: blue.placeID).myVisits == 1)
                let changed = try await ada.client.updateVisit(
                    .with { ($0.visitID, $0.version, $0.title, $0.emoji) = (visit.visitID, 1, "Tea", "🍡") }
                )
                #expect(changed.version == 2 && changed.title == "Tea" && changed.memo == Self.memo)
                #expect(try await ada.client.getVisit(visitID: visit.visitID) == changed)
                let statistics = try await ada.client.getVisitStatistics()
                #expect(statistics.visits == 1 && statistics.counted == 1 && statistics.level == 1)
                #expect(statistics.categories.map(\.id) == ["cafe"] && statistics.regions.map(\.code) == ["KR-11"])
                #expect(statistics.badges.first { $0.id == "first-visit" }?.hasEarnedAt == true)
                let stale = WireUpdateVisit.with { ($0.visitID, $0.version, $0.title) = (visit.visitID, 1, "x") }
                #expect(await ada.refusal(.updateVisit(stale)) == .visitStaleVersion)
                try await ada.client.deleteVisit(visitID: visit.visitID)
                #expect(await ada.refusal(.getVisit(.with { $0.visitID = visit.visitID })) == .visitNotFound)
                #expect(await ada.refusal(.readFile(.with { $0.fileID = photo.fileID })) == .fileNotFound)
                #expect(try await ada.client.listVisits(.init()).visits.isEmpty)
                // After a minute, no file of the data directory contains the memo or the picture.
                await world.service.cleanUp()
                for trace in [Data("must not stay behind".utf8), UploadSample.picture.bytes.suffix(40)] {
                    #expect(try FileConversationTests.paths(below: world.directory, with: trace) == [])
                }
            }
        }
    }

    @Test(.proves("listVisits"))
    func `lists visits newest first, by kind, place, span and text, in pages`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                for day in Int64(1)...5 {
                    var request = WireCreateVisit.sample(at: world.now - .days(day), title: "Day \(day)")
                    request.kind = day == 3 ? .book : .food
                    _ = try await ada.client.createVisit(request)
                }
                func titles(_ change: (inout WireListVisits) -> Void) async throws -> [String] {
                    var request = WireListVisits()
                    change(&request)
                    return try await ada.client.listVisits(request).visits.map(\.title)
                }
                #expect(try await titles { _ in } == (1...5).map { "Day \($0)" })
                #expect(try await titles { $0.kinds = [.book] } == ["Day 3"])
                #expect(try await titles { $0.text = "day 4" } == ["Day 4"])
                #expect(try await titles { $0.placeID = Self.nowhere } == [])
                let (from, to) = (world.now - .days(4) - .hours(12), world.now - .days(2) - .hours(12))
                let between = try await titles { ($0.from, $0.to) = (WireTimestamp(from), WireTimestamp(to)) }
                #expect(between == ["Day 3", "Day 4"])
                let first = try await ada.client.listVisits(.with { $0.limit = 2 })
                #expect(first.visits.map(\.title) == ["Day 1", "Day 2"])
                let next = try await ada.client.listVisits(.with { ($0.cursor, $0.limit) = (first.cursor, 9) })
                #expect(next.visits.map(\.title) == ["Day 3", "Day 4", "Day 5"] && next.cursor.isEmpty)
            }
        }
    }

    @Test(.proves("16.6"))
    func `dates a visit by its place, not by the server or the user's home`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                _ = try await ada.client.updateMe(.with { $0.timeZone = "Asia/Seoul" })
                let day = world.now.milliseconds / 86_400_000 - 1
                let at = Instant(milliseconds: day * 86_400_000) + .hours(3)
                var request = WireCreateVisit.sample(at: at)
                request.place = .with { ($0.name, $0.latitude, $0.longitude) = ("Pier", 37.7749, -122.4194) }
                var visit = try await ada.client.createVisit(request)
                #expect(visit.localDate == Instant(milliseconds: (day - 1) * 86_400_000).rfc3339.prefix(10))
                // Twenty hours later it is the next day there; on a bench in Seoul one more.
                visit = try await ada.client.updateVisit(
                    .with {
                        ($0.visitID, $0.version) = (visit.visitID, visit.version)
                        $0.visitedAt = WireTimestamp(at + .hours(20))
                    }
                )
                #expect(visit.localDate == Instant(milliseconds: day * 86_400_000).rfc3339.prefix(10))
                visit = try await ada.client.updateVisit(
                    .with {
                        ($0.visitID, $0.version) = (visit.visitID, visit.version)
                        $0.place = .with { ($0.name, $0.latitude, $0.longitude) = ("Bench", 37.57, 127) }
                    }
                )
                #expect(visit.localDate == Instant(milliseconds: (day + 1) * 86_400_000).rfc3339.prefix(10))
            }
        }
    }

    @Test(
        .proves("16.3", "readFile", "getVisit", "listVisits", "visit.not-found"),
        .defends("wrong-audience"),
        arguments: [WireAudience.Value.private, .companions, .friends]
    )
    func `only the audience sees a visit and its photos`(audience: WireAudience.Value) async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cem", "Dee") { ada, bea, cem, dee in
                // Bea is a companion, Cem is a friend, Dee is a stranger.
                try await ada.befriend(bea)
                try await ada.befriend(cem)
                let photo = try await ada.upload(.picture)
                var request = WireCreateVisit.sample(at: world.now, title: "Secret")
                request.audience = audience
                request.photos = [.with { $0.fileID = photo.fileID }]
                request.companions = [.with { $0.user.userID = bea.id }]
                let visit = try await ada.client.createVisit(request)
                func expect(_ person: Person, sees: Bool, _ comment: Comment) async throws {
                    let visible = await person.refusal(.getVisit(.with { $0.visitID = visit.visitID }))
                    #expect(visible == (sees ? nil : .visitNotFound), comment)
                    let readable = await person.refusal(.readFile(.with { $0.fileID = photo.fileID }))
                    #expect(readable == (sees ? nil : .fileNotFound), comment)
                    let list = WireListVisits.with { $0.userID = ada.id }
                    guard case .visits(let visits) = try await person.client.call(.listVisits(list)) else { return }
                    #expect(visits.visits.map(\.title) == (sees ? ["Secret"] : []), comment)
                    if sees, person.id != ada.id { #expect(visits.visits[0].user.nickname == "Ada", comment) }
                }
                try await expect(ada, sees: true, "the user")
                try await expect(bea, sees: audience != .private, "a companion")
                try await expect(cem, sees: audience == .friends, "a friend")
                try await expect(dee, sees: false, "a stranger")
                // A former friend counts as a stranger, and a block hides it from a companion.
                _ = try await ada.client.removeFriend(userID: cem.id)
                try await expect(cem, sees: false, "a former friend")
                _ = try await ada.client.blockUser(userID: bea.id)
                try await expect(bea, sees: false, "a blocked companion")
            }
        }
    }

    @Test func `a repeated request returns its visit although a companion is no longer a friend`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea in
                try await ada.befriend(bea)
                var request = WireCreateVisit.sample(at: world.now)
                request.companions = [.with { $0.user.userID = bea.id }]
                let visit = try await ada.client.createVisit(request)
                _ = try await ada.client.removeFriend(userID: bea.id)
                #expect(try await ada.client.createVisit(request) == visit)
                request.title = "Other"
                #expect(await ada.refusal(.createVisit(request)) == .requestKeyReused)
            }
        }
    }

    @Test func `names a rejected companion by the position in the request`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cem") { ada, bea, cem in
                try await ada.befriend(bea)
                var request = WireCreateVisit.sample(at: world.now)
                request.companions = [.with { $0.user.userID = bea.id }, .with { $0.name = "Dee" }]
                let visit = try await ada.client.createVisit(request)
                var change = WireUpdateVisit.with { ($0.visitID, $0.version) = (visit.visitID, 1) }
                change.companions = request.companions + [.with { $0.user.userID = cem.id }]
                do {
                    _ = try await ada.client.updateVisit(change)
                    Issue.record("A stranger is a companion")
                } catch ClientError.refused(let error) {
                    #expect(error.code == ErrorCode.userNotFound.rawValue)
                    #expect(error.field == "companions[2].user.userId")
                }
            }
        }
    }

    @Test(.proves("createVisit", "updateVisit", "deleteVisit", "visit.empty"))
    func `rejects invalid content`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let good = WireCreateVisit.sample(at: world.now)
                func refusal(_ change: (inout WireCreateVisit) -> Void) async -> ErrorCode? {
                    var request = good
                    request.key = UUID().uuidString
                    change(&request)
                    return await ada.refusal(.createVisit(request))
                }
                #expect(await refusal { $0.title = "" } == .visitEmpty)
                #expect(await refusal { $0.clearPlace() } == .requestInvalid)
                #expect(await refusal { $0.place = .with { $0.placeID = Self.nowhere } } == .placeNotFound)
                #expect(await refusal { $0.visitedAt = WireTimestamp(world.now + .minutes(6)) } == .requestInvalid)
                #expect(await refusal { $0.audience = .people } == .requestInvalid)
                #expect(await refusal { $0.photos = [.with { $0.fileID = Self.nowhere }] } == .fileNotFound)
                #expect(await refusal { $0.companions = [.with { $0.user.userID = bea.id }] } == .userNotFound)
                let photo = try await ada.upload(.picture)
                #expect(await refusal { $0.photos = [.with { $0.fileID = photo.fileID }] } == nil)
                #expect(await refusal { $0.photos = [.with { $0.fileID = photo.fileID }] } == .fileNotFound)
                let visit = try await ada.client.createVisit(good)
                #expect(await refusal { ($0.key, $0.title) = (good.key, "Other") } == .requestKeyReused)
                let emptied = WireUpdateVisit.with { ($0.visitID, $0.version, $0.title) = (visit.visitID, 1, "") }
                #expect(await ada.refusal(.updateVisit(emptied)) == .visitEmpty)
                var change = WireUpdateVisit.with { ($0.visitID, $0.version) = (visit.visitID, 1) }
                change.companions = [.with { $0.user.userID = bea.id }]
                #expect(await ada.refusal(.updateVisit(change)) == .userNotFound)
                change.companions = []
                change.photos = [.with { $0.fileID = Self.nowhere }]
                #expect(await ada.refusal(.updateVisit(change)) == .fileNotFound)
                change.photos = []
                change.place = .with { $0.placeID = Self.nowhere }
                #expect(await ada.refusal(.updateVisit(change)) == .placeNotFound)
                // Another user's visit counts as unknown, for every request.
                let id = visit.visitID
                #expect(await bea.refusal(.updateVisit(.with { ($0.visitID, $0.version) = (id, 1) })) == .visitNotFound)
                #expect(await bea.refusal(.deleteVisit(.with { $0.visitID = id })) == .visitNotFound)
                #expect(await bea.refusal(.deleteVisit(.with { $0.visitID = "x" })) == .requestInvalid)
                #expect(await bea.refusal(.listVisits(.with { $0.cursor = "x" })) == .requestInvalid)
                // An unknown user's visits are as empty as a stranger's.
                for userID in [Self.nowhere, ada.id] {
                    let list = try await bea.client.listVisits(.with { $0.userID = userID })
                    #expect(list.visits.isEmpty && list.cursor.isEmpty)
                }
            }
        }
    }
}

extension WireCreateVisit {
    /// A note at (37.5, 127).
    static func sample(at instant: Instant, title: String = "Dinner") -> WireCreateVisit {
        .with {
            $0.key = UUID().uuidString
            $0.place = WirePlace(Place(name: "The pier", coordinate: Coordinate(latitude: 37.5, longitude: 127)))
            $0.visitedAt = WireTimestamp(instant)
            $0.title = title
        }
    }
}
