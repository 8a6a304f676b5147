import Logging
import PromisedAccess
import PromisedDomain
import PromisedEngine
import PromisedPlaces
import PromisedSettings
import PromisedTestSupport

@testable import PromisedApplication

/// The use cases for promises over the same store.
struct PromiseWorld {
    let places: PlaceWorld
    let promises: Promises
    let texts: ShareTexts

    private init(_ places: PlaceWorld, maps: [MapLinkTemplate]) async {
        self.places = places
        let application = await Application.tested(
            over: places.store,
            at: places.clock,
            log: places.log.logger(level: .debug)
        ) { $0.places.mapLinks = maps }
        (promises, texts) = (application.meetups.promises, application.places.shareTexts)
    }

    /// Runs a test in a world whose directory has these places.
    static func run(
        _ rows: [ImportedPlace] = [],
        _ body: @escaping @Sendable (PromiseWorld) async throws -> Void
    ) async throws {
        let map = BilingualName(english: "Map", korean: "지도")
        let template = try MapLinkTemplate(name: map, template: "https://map.example/{latitude},{longitude}")
        try await PlaceWorld.run(rows) { places in
            try await body(await PromiseWorld(places, maps: [template]))
        }
    }

    /// A promise of user 1 for the next day at noon.
    @discardableResult
    func create(at place: Place, note: String = "", key: String = "key") async throws -> Promise {
        let owner = UserID.user(1)
        let draft = try PromiseDraft(
            key: key,
            title: "점심",
            note: note,
            place: place,
            meetsAt: PlaceWorld.noon + .days(1),
            radiusMetres: nil,
            penalty: nil,
            rule: ArrivalRule(),
            inviteeIDs: [],
            by: owner,
            spans: WindowSpans()
        )
        return try await promises.create(draft, by: owner, at: places.clock.now).view.promise
    }
}
