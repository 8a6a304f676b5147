import ArgumentParser
import PromisedProtocol
import SwiftProtobuf

/// The stored positions of a promise, ready to be written.
struct TrackExport: Sendable {
    /// The reports of one device of one user.
    struct Track: Sendable {
        let packed: PackedTracks.Track
        /// The id if the nickname is unknown.
        let nickname: String

        var userID: String { packed.userID }
        /// From 1 for each user.
        var device: UInt32 { packed.device }
        /// Ascending by time, unpacked lazily.
        var positions: some Sequence<WireAdminPosition> { packed.positions.lazy.map { packed.message(of: $0) } }
    }

    let promise: WirePromise
    /// By user and device.
    let tracks: [Track]

    /// The tracks of a promise's positions.
    init(promise: WirePromise, positions: PackedTracks) {
        let cards = promise.participants.map { ($0.user.userID, $0.user.nickname) }
        let names = Dictionary(cards) { first, _ in first }
        self.promise = promise
        tracks = positions.sorted().map { Track(packed: $0, nickname: names[$0.userID] ?? $0.userID) }
    }

    /// All positions as one reply of the protocol.
    var document: Document {
        Document {
            let positions = try tracks.lazy.flatMap(\.positions).map { try $0.jsonString() }
            return positions.isEmpty ? "{}" : "{\"positions\":[\(positions.joined(separator: ","))]}"
        }
    }

    /// Each position as a message of the protocol.
    var items: [Document] {
        tracks.flatMap { track in
            track.packed.positions.map { position in Document { try track.packed.message(of: position).jsonString() } }
        }
    }
}

enum ExportFormat: String, EnumerableFlag {
    case gpx, geojson, csv

    static func help(for value: ExportFormat) -> ArgumentHelp? {
        switch value {
        case .gpx: "GPX 1.1, one track for each user and device."
        case .geojson: "GeoJSON (RFC 7946), one feature for each user and device."
        case .csv: "CSV (RFC 4180), one record for each position."
        }
    }

    func document(of export: TrackExport) throws(Failure) -> String {
        switch self {
        case .gpx: GPXText.text(of: export)
        case .geojson: try GeoJSONText.text(of: export)
        case .csv: CSVText.text(of: export)
        }
    }
}
