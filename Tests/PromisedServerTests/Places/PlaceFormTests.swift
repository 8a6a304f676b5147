import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import SwiftProtobuf
import Testing

@testable import PromisedServer

@Suite("Administration of the directory", .timeLimit(.minutes(2)))
struct PlaceFormTests {
    @Test(arguments: WireCodec.allCases)
    func `an import counts new, changed, unchanged, missing and rejected rows`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.administered { admin, _ in
                let rows = (0..<10).map { WirePlaceRow.cafe("Café \($0)", metres: Double($0)) }
                let (first, none) = try await admin.importPlaces(rows)
                #expect(first.added == 10 && first.finished && none.isEmpty)
                let (same, _) = try await admin.importPlaces(rows, replace: true)
                #expect(same.unchanged == 10 && same.added + same.changed + same.removed == 0)
                var others = Array(rows.dropLast())
                others[0].hours = "24/7"
                others.append(.cafe("New", metres: 20))
                let (dry, _) = try await admin.importPlaces(others, replace: true, dryRun: true)
                #expect(dry.added == 1 && dry.changed == 1 && dry.unchanged == 8 && dry.removed == 1)
                let (changed, _) = try await admin.importPlaces(others, replace: true)
                #expect(changed.added == 1 && changed.changed == 1 && changed.unchanged == 8 && changed.removed == 1)
                let half = Array(others.prefix(5))
                await #expect(throws: AdminRefusal(.requestInvalid, "maxRemovedPercent")) {
                    _ = try await admin.importPlaces(half, replace: true)
                }
                let (_, refused) = try await admin.importPlaces([
                    others[0], others[0], .with { $0.ref = "x" }, .with { ($0.ref, $0.place.name) = ("y", "y") },
                ])
                #expect(refused.map(\.index) == [1, 2, 3])
                #expect(refused.map(\.reason) == ["duplicate", "no-name", "null-island"])
            }
        }
    }

    @Test(.proves("place.busy")) func `runs one import of a source at a time, which can be cancelled`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, _ in
                let begin = WireAdminBeginImport.with { $0.source = .sample() }
                let begun = try await admin.placeImport(.beginImport(begin))
                #expect(try await admin.adminRefusal(.beginImport(begin)) == AdminRefusal(.placeBusy))
                guard case .sources(let busy) = try await admin.admin(.listSources(.init())) else {
                    throw Device.NoReply()
                }
                #expect(busy.sources.map(\.importing) == [true] && busy.sources[0].source.name == "cafes")
                let cancel = WireAdminCancelImport.with { $0.importID = begun.importID }
                #expect(try await admin.adminRefusal(.cancelImport(cancel)) == nil)
                #expect(
                    try await admin.adminRefusal(.cancelImport(cancel)) == AdminRefusal(.placeNotFound, "importId")
                )
                try await admin.importPlaces([.cafe("Blue door")])
                guard
                    case .removedPlaces(let removed) = try await admin.admin(
                        .removeSource(.with { $0.name = "cafes" })
                    )
                else { throw Device.NoReply() }
                #expect(removed.count == 1)
                #expect(try await admin.audit().first?.action == "removeSource")
            }
        }
    }

    @Test func `creates, shows, edits and removes a manual place`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                await world.service.refreshPlaces()
                try await world.administered { admin, _ in
                    let row = WirePlaceRow.cafe("Blue door", hours: "24/7")
                    let made = try await admin.place(.createPlace(.with { $0.row = row }))
                    #expect(made.sourceName == "own" && made.hoursReadable && made.row.place.name == "Blue door")
                    let id = made.placeID
                    var edited = row
                    edited.place.name = "Green door"
                    let after = try await admin.place(.editPlace(.with { ($0.placeID, $0.row) = (id, edited) }))
                    #expect(after.row.place.name == "Green door" && after.row.ref == made.row.ref)
                    #expect(try await admin.place(.showPlace(.with { $0.placeID = id })) == after)
                    #expect(try await ada.places(in: world)["Green door"]?.placeID == id)
                    guard case .places(let found) = try await admin.admin(.findPlaces(.with { $0.text = "green" }))
                    else {
                        throw Device.NoReply()
                    }
                    #expect(found.cards.map(\.placeID) == [id])
                    let mine = WireAdminFindPlaces.with { $0.filter.favourites = true }
                    let refusal = AdminRefusal(.requestInvalid, "filter.favourites")
                    #expect(try await admin.adminRefusal(.findPlaces(mine)) == refusal)
                    _ = try await ada.client.addFavourite(key: "1", placeID: id)
                    #expect(try await admin.adminRefusal(.removePlace(.with { $0.placeID = id })) == nil)
                    #expect(try await admin.place(.showPlace(.with { $0.placeID = id })).hasRemovedAt)
                    // It disappears from the map and remains marked as removed in favourites.
                    #expect(try await ada.places(in: world).isEmpty)
                    let kept = try await ada.client.listFavourites().favourites
                    #expect(kept.map(\.card.removed) == [true] && kept[0].place.name == "Green door")
                    let nowhere = WireAdminShowPlace.with { $0.placeID = PlaceID(high: 1, low: 2).description }
                    let missing = AdminRefusal(.placeNotFound, "placeId")
                    #expect(try await admin.adminRefusal(.showPlace(nowhere)) == missing)
                }
            }
        }
    }

    @Test func `generates a missing ref`() async throws {
        try await ServerWorld.with { world in
            await world.service.refreshPlaces()
            try await world.administered { admin, _ in
                let made = try await admin.place(.createPlace(.with { $0.row = .cafe("Blue door", ref: "") }))
                #expect(made.row.ref == made.placeID)
                let edit = WireAdminEditPlace.with { ($0.placeID, $0.row) = (made.placeID, .cafe("Red door", ref: "")) }
                #expect(try await admin.place(.editPlace(edit)).row.ref == made.placeID)
            }
        }
    }

    @Test func `reports the weather as disabled without providers`() async throws {
        try await ServerWorld.with { world in
            await world.service.refreshPlaces()
            try await world.administered { admin, _ in
                let made = try await admin.place(.createPlace(.with { $0.row = .cafe("Blue door") }))
                guard case .weatherStatus(let status) = try await admin.admin(.getWeatherStatus(.init())) else {
                    throw Device.NoReply()
                }
                #expect(status.providers.isEmpty && status.requestsSpent == 0 && status.dailyRequests == 1_000)
                let refresh = WireAdminRefreshWeather.with { $0.placeID = made.placeID }
                await world.service.refreshPlaces()
                guard case .outlook(let outlook) = try await admin.admin(.refreshWeather(refresh)) else {
                    throw Device.NoReply()
                }
                #expect(outlook.weatherState == .off)
                let newest = try await admin.audit().first
                #expect(newest?.action == "refreshWeather" && newest?.subject == made.placeID)
            }
        }
    }

    @Test func `exempts the rows of an import from the request rate`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, _ in
                let begun = try await admin.placeImport(.beginImport(.with { $0.source = .sample() }))
                for number in 0..<200 {
                    let put = WireAdminPutPlaces.with {
                        $0.importID = begun.importID
                        $0.rows = [.cafe("\(number)")]
                    }
                    #expect(try await admin.adminRefusal(.putPlaces(put)) == nil)
                }
                let end = try await admin.placeImport(.finishImport(.with { $0.importID = begun.importID }))
                #expect(end.added == 200)
            }
        }
    }

    @Test(.proves("limit.rate"), .defends("unanswered-pieces"))
    func `rejects a fifth unanswered request of an import`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, _ in
                let begun = try await admin.placeImport(.beginImport(.with { $0.source = .sample() }))
                let put = WireAdminPutPlaces.with {
                    $0.importID = begun.importID
                    $0.rows = (0..<100).map { .cafe("Café \($0)", metres: Double($0)) }
                }
                for id in UInt32(1)...16 { try admin.send(.admin(.form(.putPlaces(put))), id: id) }
                var codes: [UInt32: String] = [:]
                for _ in 1...16 {
                    let frame = try admin.frame(try await admin.nextReply())
                    if case .error(let error) = frame.content { codes[frame.id] = error.code }
                }
                #expect((1...4).allSatisfy { codes[$0] == nil } && !codes.isEmpty)
                #expect(codes.values.allSatisfy { $0 == ErrorCode.limitRate.rawValue })
                // Once they are answered, the next ones are accepted.
                #expect(try await admin.adminRefusal(.putPlaces(put)) == nil)
            }
        }
    }
}

extension Device {
    /// The place in the answer to a form.
    fileprivate func place(_ form: WireAdminRequest.OneOf_Request) async throws -> WireAdminPlace {
        guard case .place(let reply) = try await admin(form) else { throw NoReply() }
        return reply
    }
}
