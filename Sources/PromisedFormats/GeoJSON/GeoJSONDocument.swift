import Foundation
package import PromisedDomain

/// A GeoJSON collection (RFC 7946) to be written; coordinates are longitude, then latitude.
package struct GeoJSONDocument<Properties: Encodable & Sendable>: Sendable {
    /// A feature: a point if it has one coordinate, else a line.
    package struct Feature: Sendable {
        package var coordinates: [Coordinate]
        package var properties: Properties

        /// A feature.
        package init(coordinates: [Coordinate], properties: Properties) {
            self.coordinates = coordinates
            self.properties = properties
        }
    }

    private let features: [Feature]

    /// A collection of features.
    package init(features: [Feature]) { self.features = features }

    /// The document on one line, members sorted by name.
    ///
    /// - Throws: ``FormatError/unwritable(reason:)`` for numbers that JSON does not have.
    package func text() throws(FormatError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(Collection(features: features)), as: UTF8.self) + "\n"
        } catch {
            throw .unwritable(reason: "a position cannot be written as GeoJSON: \(error)")
        }
    }

    private struct Collection: Encodable {
        let type = "FeatureCollection"
        let features: [Feature]

        private enum CodingKeys: CodingKey { case type, features }
    }
}

extension GeoJSONDocument.Feature: Encodable {
    private enum CodingKeys: CodingKey { case type, geometry, properties }

    /// The members of a feature.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("Feature", forKey: .type)
        try container.encode(GeoJSONGeometry(coordinates: coordinates), forKey: .geometry)
        try container.encode(properties, forKey: .properties)
    }
}

private struct GeoJSONGeometry: Encodable {
    let coordinates: [Coordinate]

    private enum CodingKeys: CodingKey { case type, coordinates }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let pairs = coordinates.map { [$0.longitude, $0.latitude] }
        if pairs.count == 1 {
            try container.encode("Point", forKey: .type)
            try container.encode(pairs[0], forKey: .coordinates)
        } else {
            try container.encode("LineString", forKey: .type)
            try container.encode(pairs, forKey: .coordinates)
        }
    }
}
