import PromisedDomain
import PromisedEngine
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct PromisePlaceTests {
    private static let unknown = ApplicationError.refused(.placeNotFound, field: "place.placeId")

    private static func named(_ id: PlaceID) -> Place {
        Place(name: "Whatever the client says", coordinate: Coordinate(latitude: 1, longitude: 1), placeID: id)
    }

    @Test(.proves("11.9"))
    func `a promise copies its place from the directory, whatever else the request says`() async throws {
        try await PromiseWorld.run([.sample("광장시장")]) { world in
            let id = try await world.places.id("광장시장")
            let promise = try await world.create(at: Self.named(id))
            let copy = Place(name: "광장시장", address: "서울특별시 종로구 창경궁로 88", coordinate: .seoul, placeID: id)
            #expect(promise.place == copy)
            // Later changes of the directory change no promise.
            _ = try await world.places.administration.edit(id, to: .sample("다른시장"), audit: nil)
            try await world.places.administration.remove(id, audit: nil)
            #expect(try await world.promises.show(promise.id, to: .user(1)).view.promise.place == copy)
        }
    }

    @Test(.proves("11.9")) func `an edit copies the place again`() async throws {
        try await PromiseWorld.run([.sample("광장시장"), .sample("망원시장", metres: 500)]) { world in
            let promise = try await world.create(at: Place(name: "Here", coordinate: .seoul))
            #expect(promise.place.placeID == nil)
            let id = try await world.places.id("망원시장")
            var edit = PromiseEdit(version: promise.version)
            edit.place = Self.named(id)
            let edited = try await world.promises.edit(promise.id, edit, by: .user(1)).view.promise
            #expect(edited.place.name == "망원시장" && edited.place.placeID == id)
        }
    }

    @Test(.proves("place.not-found"))
    func `rejects an unknown or removed place, in a new promise and in an edit`() async throws {
        try await PromiseWorld.run([.sample("광장시장")]) { world in
            let id = try await world.places.id("광장시장")
            let promise = try await world.create(at: Place(name: "Here", coordinate: .seoul))
            try await world.places.administration.remove(id, audit: nil)
            for gone in [id, PlaceID(high: 1, low: 1)] {
                await #expect(throws: Self.unknown) { try await world.create(at: Self.named(gone), key: "\(gone)") }
                var edit = PromiseEdit(version: promise.version)
                edit.place = Self.named(gone)
                await #expect(throws: Self.unknown) { try await world.promises.edit(promise.id, edit, by: .user(1)) }
            }
            #expect(try await world.promises.show(promise.id, to: .user(1)).view.promise == promise)
        }
    }

    @Test func `answers a repeated request also after the place was removed`() async throws {
        try await PromiseWorld.run([.sample("광장시장")]) { world in
            let id = try await world.places.id("광장시장")
            let promise = try await world.create(at: Self.named(id))
            try await world.places.administration.remove(id, audit: nil)
            #expect(try await world.create(at: Self.named(id)).id == promise.id)
        }
    }

    @Test func `the place of an edit reveals nothing to strangers`() async throws {
        try await PromiseWorld.run { world in
            let promise = try await world.create(at: Place(name: "Here", coordinate: .seoul))
            var edit = PromiseEdit(version: promise.version)
            edit.place = Self.named(PlaceID(high: 1, low: 1))
            await #expect(throws: Refusal.promiseNotFound) {
                try await world.promises.edit(promise.id, edit, by: .user(3))
            }
        }
    }
}
