import Foundation
import PromisedProtocol

/// Tracks as GeoJSON (RFC 7946): coordinates are longitude, then latitude.
enum GeoJSONText {
    /// A collection with the place as a point and one feature for each user and device: a line, or a point where there
    /// is one position only. The property `times` has one instant for each coordinate.
    static func text(of export: TrackExport) throws(Failure) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let collection = Collection(
            features: [Feature(place: export.promise)] + export.tracks.map(Feature.init(track:))
        )
        do {
            return String(decoding: try encoder.encode(collection), as: UTF8.self) + "\n"
        } catch {
            throw .refused("a position cannot be written as GeoJSON: \(error)")
        }
    }
}

private struct Collection: Encodable {
    let type = "FeatureCollection"
    let features: [Feature]

    private enum CodingKeys: CodingKey { case type, features }
}

private struct Feature: Encodable {
    struct Properties: Encodable {
        var name: String
        var userId: String?
        var device: UInt32?
        var times: [String]?
    }

    let type = "Feature"
    let geometry: Geometry
    let properties: Properties

    private enum CodingKeys: CodingKey { case type, geometry, properties }

    init(place promise: WirePromise) {
        geometry = .point([promise.place.longitude, promise.place.latitude])
        properties = Properties(name: promise.place.name)
    }

    init(track: TrackExport.Track) {
        let coordinates = track.positions.map { [$0.fix.longitude, $0.fix.latitude] }
        geometry = coordinates.count == 1 ? .point(coordinates[0]) : .line(coordinates)
        properties = Properties(
            name: track.nickname,
            userId: track.userID,
            device: track.device,
            times: track.positions.map(\.fixTime.rfc3339)
        )
    }
}

private enum Geometry: Encodable {
    case point([Double])
    case line([[Double]])

    private enum CodingKeys: CodingKey { case type, coordinates }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .point(let coordinates):
            try container.encode("Point", forKey: .type)
            try container.encode(coordinates, forKey: .coordinates)
        case .line(let coordinates):
            try container.encode("LineString", forKey: .type)
            try container.encode(coordinates, forKey: .coordinates)
        }
    }
}
