import PromisedClient
import PromisedDomain
import PromisedProtocol
import SwiftProtobuf

@testable import PromisedServer

extension WirePlaceRow {
    /// A café, `metres` north of (37.5, 127).
    static func cafe(_ name: String, metres: Double = 0, hours: String = "", ref: String? = nil) -> WirePlaceRow {
        .with {
            $0.ref = ref ?? name
            $0.place.name = name
            $0.place.address = "서울특별시 종로구 1"
            $0.place.latitude = 37.5 + metres / 111_195
            $0.place.longitude = 127
            $0.categories = ["cafe"]
            $0.hours = hours
        }
    }
}

extension WirePlaceSource {
    /// A source with a licence.
    static func sample(_ name: String = "cafes") -> WirePlaceSource {
        .with {
            $0.name = name
            $0.title = "Cafés of the town"
            $0.licence = "CC BY 4.0"
        }
    }
}

extension WireBox {
    /// Some kilometres around (37.5, 127).
    static let town = WireBox.with {
        ($0.south, $0.west, $0.north, $0.east) = (37.4, 126.9, 37.6, 127.1)
    }
}

extension Device {
    /// Imports all rows.
    ///
    /// - Returns: the final numbers, and all rejected rows.
    @discardableResult
    func importPlaces(
        _ rows: [WirePlaceRow],
        replace: Bool = false,
        dryRun: Bool = false,
        timeZone: String = "Asia/Seoul"
    ) async throws -> (report: WireAdminImport, refused: [WireAdminRefusedRow]) {
        let begun = try await placeImport(
            .beginImport(
                .with {
                    $0.source = .sample()
                    $0.timeZone = timeZone
                    $0.replace = replace
                    $0.dryRun = dryRun
                }
            )
        )
        let put = try await placeImport(
            .putPlaces(
                .with {
                    $0.importID = begun.importID
                    $0.rows = rows
                }
            )
        )
        let report = try await placeImport(.finishImport(.with { $0.importID = begun.importID }))
        return (report, put.refusedRows)
    }

    /// The import in the answer to a form.
    func placeImport(_ form: WireAdminRequest.OneOf_Request) async throws -> WireAdminImport {
        guard case .placeImport(let reply) = try await admin(form) else { throw NoReply() }
        return reply
    }
}

extension Person {
    /// The places near (37.5, 127) by name, as the directory has them now.
    func places(in world: ServerWorld) async throws -> [String: WirePlaceCard] {
        await world.service.refreshPlaces()
        let view = try await client.viewPlaces(box: .town, zoom: 20)
        return Dictionary(uniqueKeysWithValues: view.cards.map { ($0.place.name, $0) })
    }
}
