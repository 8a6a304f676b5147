import Foundation
import PromisedClient
import PromisedDomain
import PromisedPlaces
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedSettings

@Suite("Places over a connection", .timeLimit(.minutes(2)))
struct PlaceConversationTests {
    private static let nowhere = "01940000-0000-7000-8000-000000000001"
    private static let closedOnSaturdays = "Mo-Fr 09:00-18:00; Sa,Su off"

    @Test(
        .proves("listCategories", "listRegions", "viewPlaces", "nearbyPlaces", "searchPlaces", "getPlace"),
        arguments: WireCodec.allCases
    )
    func `finds an imported place on the map, nearby, by text and by id`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                try await world.administered { admin, _ in
                    try await admin.importPlaces([
                        .cafe("Blue door", hours: "24/7"), .cafe("Red door", metres: 400), .cafe("Green", metres: 900),
                    ])
                }
                let cards = try await ada.places(in: world)
                #expect(cards.count == 3)
                let blue = try #require(cards["Blue door"])
                #expect(blue.categories == ["cafe"] && blue.region == "KR-11/종로구" && blue.opening == .open)
                #expect(blue.sourceName == "cafes" && !blue.removed && blue.favouriteID.isEmpty)
                let view = try await ada.client.viewPlaces(box: .town, zoom: 8)
                #expect(view.total == 3 && view.clusters.map(\.count) == [3] && view.cards.isEmpty)
                #expect(view.sources.map(\.licence) == ["CC BY 4.0"] && view.sources[0].count == 3)
                let nearby = try await ada.client.nearbyPlaces(latitude: 37.5, longitude: 127, radiusMetres: 500)
                #expect(nearby.cards.map(\.place.name) == ["Blue door", "Red door"])
                #expect(abs(nearby.cards[1].distanceMetres - 400) < 1)
                let found = try await ada.client.searchPlaces(text: "door", limit: 1)
                #expect(found.cards.map(\.place.name) == ["Blue door"] && !found.cursor.isEmpty)
                let rest = try await ada.client.searchPlaces(text: "door", cursor: found.cursor, limit: 1)
                #expect(rest.cards.map(\.place.name) == ["Red door"])
                let details = try await ada.client.getPlace(placeID: blue.placeID)
                #expect(details.card == blue && details.week.count == 7 && details.timeZone == "Asia/Seoul")
                #expect(details.source.title == "Cafés of the town")
                let categories = try await ada.client.listCategories()
                #expect(categories.categories.first { $0.id == "cafe" }?.count == 3)
                #expect(try await ada.client.listRegions().regions.map(\.code) == ["KR-11"])
                #expect(try await ada.client.listRegions(parent: "KR-11").regions.map(\.code) == ["KR-11/종로구"])
            }
        }
    }

    @Test func `continues the pages of a search for names in any script`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                let names = ["광장시장", "망원시장", "통인시장"]
                try await world.administered { admin, _ in try await admin.importPlaces(names.map { .cafe($0) }) }
                await world.service.refreshPlaces()
                var (found, cursor): ([String], String?) = ([], nil)
                repeat {
                    let page = try await ada.client.searchPlaces(text: "시장", cursor: cursor, limit: 1)
                    found += page.cards.map(\.place.name)
                    cursor = page.cursor.isEmpty ? nil : page.cursor
                } while cursor != nil && found.count < 9
                #expect(found == names)
                let stopping = "9223372036854775807.9223372036854775807.0.01934c5e-0a00-7abc-8123-456789abcdef.d.0"
                let nearby = WireNearbyPlaces.with {
                    ($0.latitude, $0.longitude, $0.radiusMetres) = (37.5, 127, 50_000)
                    ($0.cursor, $0.limit) = (stopping, 1)
                }
                #expect(await ada.refusal(.nearbyPlaces(nearby)) == .requestInvalid)
            }
        }
    }

    @Test(
        .proves("11.14", "addFavourite", "removeFavourite", "listFavourites", "request.key-reused"),
        .defends("favourites-of-others")
    )
    func `stores favourites once and shows them only on the user's cards`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea in
                try await world.administered { admin, _ in try await admin.importPlaces([.cafe("Blue door")]) }
                let blue = try #require(try await ada.places(in: world)["Blue door"])
                let favourite = try await ada.client.addFavourite(key: "1", placeID: blue.placeID, label: "Mine")
                #expect(favourite.label == "Mine" && favourite.card.placeID == blue.placeID)
                #expect(try await ada.client.addFavourite(key: "1", placeID: blue.placeID, label: "Mine") == favourite)
                #expect(try await ada.places(in: world)["Blue door"]?.favouriteID == favourite.favouriteID)
                #expect(try await bea.places(in: world)["Blue door"]?.favouriteID == "")
                var own = WireAddFavourite.with {
                    $0.key = "2"
                    $0.place = WirePlace(
                        Place(name: "Home", coordinate: Coordinate(latitude: 37.51, longitude: 127.01))
                    )
                }
                #expect(await ada.refusal(.addFavourite(own)) == nil)
                let listed = try await ada.client.listFavourites()
                #expect(listed.favourites.map(\.place.name) == ["Home", "Blue door"])
                #expect(try await bea.client.listFavourites().favourites.isEmpty)
                // The same key with another content, an unknown place, and another's favourite.
                own.label = "Other"
                #expect(await ada.refusal(.addFavourite(own)) == .requestKeyReused)
                let unknown = WireAddFavourite.with { ($0.key, $0.placeID) = ("3", Self.nowhere) }
                #expect(await ada.refusal(.addFavourite(unknown)) == .placeNotFound)
                let removal = WireRemoveFavourite.with { $0.favouriteID = favourite.favouriteID }
                #expect(await bea.refusal(.removeFavourite(removal)) == .placeNotFound)
                #expect(await ada.refusal(.removeFavourite(removal)) == nil)
                #expect(await ada.refusal(.removeFavourite(removal)) == .placeNotFound)
            }
        }
    }

    @Test(.proves("place.limit")) func `a user has at most 500 favourites`() async throws {
        let patient: @Sendable (inout ServerSettings) -> Void = { settings in
            (settings.limits.requestRate, settings.limits.requestBurst) = (1_000, 1_000)
        }
        try await ServerWorld.with(configure: patient) { world in
            try await world.with("Ada") { people in
                var request = WireAddFavourite()
                for number in 0..<Favourite.most {
                    request.key = "\(number)"
                    request.place = WirePlace(
                        Place(name: "\(number)", coordinate: Coordinate(latitude: 37.5, longitude: 127))
                    )
                    #expect(await people[0].refusal(.addFavourite(request)) == nil)
                }
                request.key = "one more"
                #expect(await people[0].refusal(.addFavourite(request)) == .placeLimit)
            }
        }
    }

    @Test(.proves("11.10")) func `shows a finished import on the map`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                for name in ["Blue door", "Red door"] {
                    try await world.administered { admin, _ in
                        try await admin.importPlaces([.cafe(name)], replace: false)
                    }
                    // At once, although the index is built at most every ten seconds otherwise.
                    let view = try await people[0].client.viewPlaces(box: .town, zoom: 20)
                    #expect(view.cards.contains { $0.place.name == name } && view.total > 0)
                }
            }
        }
    }

    @Test func `a share text has the user's time if the place's source has no zone`() async throws {
        // 02:00 in UTC, the server's zone; 21:00 of the day before in New York.
        let meetsAt = Instant(milliseconds: 1_795_226_400_000)
        try await ServerWorld.with(start: meetsAt - .hours(2)) { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                _ = try await ada.client.updateMe(.with { $0.timeZone = "America/New_York" })
                for (zone, time) in [("", "21:00"), ("Asia/Seoul", "11:00")] {
                    try await world.administered { admin, _ in
                        try await admin.importPlaces([.cafe("Blue door")], timeZone: zone)
                    }
                    let blue = try #require(try await ada.places(in: world)["Blue door"])
                    var request = WireCreatePromise.sample(meetsAt: meetsAt)
                    request.place = .with { $0.placeID = blue.placeID }
                    let promise = try await ada.client.createPromise(request).promise
                    let text = try await ada.client.getShareText(promiseID: promise.promiseID).text
                    #expect(text.contains(time), "\(zone): \(text)")
                }
            }
        }
    }

    @Test(.proves("11.9", "getOutlook", "getShareText"))
    func `a promise keeps a copy of its place and shows it closed at the meeting time`() async throws {
        // 2026-11-21 is a Saturday; the meeting is at 11:00 in Seoul.
        let meetsAt = Instant(milliseconds: 1_795_226_400_000)
        try await ServerWorld.with(start: meetsAt - .hours(2)) { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                try await world.administered { admin, _ in
                    try await admin.importPlaces([.cafe("Blue door", hours: Self.closedOnSaturdays)])
                }
                let blue = try #require(try await ada.places(in: world)["Blue door"])
                var request = WireCreatePromise.sample(meetsAt: meetsAt)
                request.place = .with { $0.placeID = blue.placeID }
                let reply = try await ada.client.createPromise(request)
                #expect(reply.promise.place.name == "Blue door" && reply.promise.place.placeID == blue.placeID)
                #expect(reply.promise.place.latitude == 37.5 && reply.promise.place.address == blue.place.address)
                #expect(reply.outlook.opening == .closed && reply.outlook.weatherState == .off)
                #expect(reply.outlook.hasOpensAt && reply.outlook.at == WireTimestamp(meetsAt))
                let outlook = try await ada.client.getOutlook(promiseID: reply.promise.promiseID)
                #expect(outlook == reply.outlook)
                #expect(try await ada.client.getOutlook(placeID: blue.placeID).opening == .closed)
                let text = try await ada.client.getShareText(promiseID: reply.promise.promiseID)
                #expect(text.text.contains("Blue door") && !text.links.isEmpty)
                #expect(try await ada.client.getShareText(placeID: blue.placeID).text.contains("Blue door"))
                // A promise elsewhere has neither hours nor weather.
                #expect(try await ada.client.createPromise(.sample(meetsAt: meetsAt)).hasOutlook == false)
                request.key = UUID().uuidString
                request.place.placeID = Self.nowhere
                #expect(await ada.refusal(.createPromise(request)) == .placeNotFound)
                let edit = WireUpdatePromise.with {
                    $0.promiseID = reply.promise.promiseID
                    $0.version = reply.promise.version
                    $0.place.placeID = Self.nowhere
                }
                #expect(await ada.refusal(.updatePromise(edit)) == .placeNotFound)
            }
        }
    }

    @Test(.proves("viewPlaces", "nearbyPlaces", "place.not-found"))
    func `rejects malformed requests and unknown ids`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                _ = try await ada.places(in: world)
                let refused: [(WireRequest, ErrorCode)] = [
                    (.listRegions(.with { $0.parent = "KR-11/종로구" }), .requestInvalid),
                    (.viewPlaces(.with { $0.zoom = 3 }), .requestInvalid),
                    (
                        .viewPlaces(.with { ($0.box, $0.zoom) = (.town, 21) }), .requestInvalid
                    ),
                    (.nearbyPlaces(.with { $0.latitude = 91 }), .requestInvalid),
                    (.searchPlaces(.with { $0.text = "…" }), .requestInvalid),
                    (.getPlace(.with { $0.placeID = "x" }), .requestInvalid),
                    (.getPlace(.with { $0.placeID = Self.nowhere }), .placeNotFound),
                    (.addFavourite(.with { $0.key = "1" }), .requestInvalid),
                    (.removeFavourite(.with { $0.favouriteID = "x" }), .requestInvalid),
                    (.listFavourites(.with { $0.cursor = "x" }), .requestInvalid),
                    (.getOutlook(WireGetOutlook()), .requestInvalid),
                    (.getOutlook(.with { $0.placeID = Self.nowhere }), .placeNotFound),
                    (.getOutlook(.with { $0.promiseID = Self.nowhere }), .promiseNotFound),
                    (.getShareText(.with { $0.courseID = Self.nowhere }), .courseNotFound),
                    (.getShareText(.with { $0.placeID = Self.nowhere }), .placeNotFound),
                    (.getShareText(.with { $0.promiseID = Self.nowhere }), .promiseNotFound),
                ]
                for (request, code) in refused {
                    #expect(await ada.refusal(request) == code, "\(request)")
                }
                let sentences: [(WireRequest, String)] = [
                    (
                        .getShareText(WireGetShareText()),
                        "The request needs exactly one of promiseId, placeId or courseId."
                    ),
                    (
                        .getShareText(.with { ($0.placeID, $0.courseID) = (Self.nowhere, Self.nowhere) }),
                        "The request needs exactly one of promiseId, placeId or courseId."
                    ),
                    (.getOutlook(WireGetOutlook()), "The request needs exactly one of promiseId or placeId."),
                    (.nearbyPlaces(.with { $0.radiusMetres = -1 }), "radiusMetres must be 0 to 50000 metres."),
                    (.listCourses(WireListCourses()), "list must be MINE, SHARED or RECOMMENDED."),
                    (.listPromises(WireListPromises()), "list must be UPCOMING, TRACKING, PAST or INVITED."),
                ]
                for (request, sentence) in sentences { #expect(await ada.sentence(refusing: request) == sentence) }
            }
        }
    }
}

extension Person {
    /// The message of a request's refusal; nil if it is accepted.
    fileprivate func sentence(refusing request: WireRequest) async -> String? {
        do throws(ClientError) {
            _ = try await client.call(request)
            return nil
        } catch {
            guard case .refused(let reply) = error else { return nil }
            return reply.message
        }
    }
}
