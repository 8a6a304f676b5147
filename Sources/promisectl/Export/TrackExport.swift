import ArgumentParser
import PromisedProtocol

/// The stored positions of a promise, ready to be written.
struct TrackExport: Sendable {
    /// The reports of one device of one user.
    struct Track: Sendable {
        var userID: String
        /// The id if the name is unknown.
        var nickname: String
        /// From 1 for each user.
        var device: UInt32
        /// Ascending by time.
        var positions: [WireAdminPosition]
    }

    let promise: WirePromise
    /// By user and device.
    let tracks: [Track]

    /// The tracks of positions that are sorted by user, device and time.
    init(promise: WirePromise, positions: [WireAdminPosition]) {
        let cards = promise.participants.map { ($0.user.userID, $0.user.nickname) }
        let names = Dictionary(cards) { first, _ in first }
        var tracks: [Track] = []
        for position in positions {
            if let last = tracks.last, last.userID == position.userID, last.device == position.device {
                tracks[tracks.count - 1].positions.append(position)
            } else {
                tracks.append(
                    Track(
                        userID: position.userID,
                        nickname: names[position.userID] ?? position.userID,
                        device: position.device,
                        positions: [position]
                    )
                )
            }
        }
        self.promise = promise
        self.tracks = tracks
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
