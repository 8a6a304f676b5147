import Foundation
package import PromisedDomain

/// A GeoJSON collection (RFC 7946) to be written; coordinates are longitude, latitude, and elevation if known.
package struct GeoJSONDocument<Properties: Encodable & Sendable>: Sendable {
    /// A feature: a point, a line, or several lines.
    package struct Feature: Sendable {
        fileprivate let geometry: GeoJSONGeometry?
        package var properties: Properties

        /// A place.
        package init(coordinate: Coordinate, properties: Properties) {
            geometry = GeoJSONGeometry(segments: [[GPXPoint(coordinate: coordinate)]])
            self.properties = properties
        }

        /// A track: a line for each segment of two points or more; without such a segment, its first point; null
        /// without points.
        ///
        /// If any of these points has a time, the properties get `coordTimes` with an instant or null for each of them, in
        /// the shape of the coordinates.
        package init(segments: [[GPXPoint]], properties: Properties) {
            geometry = GeoJSONGeometry(segments: segments)
            self.properties = properties
        }
    }

    private let features: [Feature]

    /// A collection of features.
    package init(features: [Feature]) { self.features = features }

    /// The document on one line, members sorted by name.
    ///
    /// - Throws: ``FormatError/unwritable(reason:)`` for numbers that JSON cannot represent.
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
        if let geometry {
            try container.encode(geometry, forKey: .geometry)
        } else {
            try container.encodeNil(forKey: .geometry)
        }
        try container.encode(TimedProperties(properties: properties, times: geometry?.times), forKey: .properties)
    }
}

/// Properties with the member `coordTimes` added.
private struct TimedProperties<Properties: Encodable>: Encodable {
    let properties: Properties
    let times: GeoJSONGeometry.Times?

    private enum CodingKeys: CodingKey { case coordTimes }

    func encode(to encoder: any Encoder) throws {
        try properties.encode(to: encoder)
        guard let times else { return }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(times, forKey: .coordTimes)
    }
}
