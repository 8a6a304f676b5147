import PromisedProtocol
import SwiftProtobuf

/// The stored positions of a promise, as listed by a server, by user and device. They are packed into about 110 bytes
/// each, because a promise can have 1,500,000.
struct PackedTracks: Sendable {
    /// A position without user and device.
    struct Position: Sendable {
        /// Milliseconds since 1970.
        fileprivate let time: Double
        fileprivate let seq: UInt32
        fileprivate let bytes: [UInt8]
    }

    /// The positions of one device.
    struct Track: Sendable {
        let userID: String
        /// From 1 for each user, by first report.
        fileprivate(set) var device: UInt32 = 0
        /// Ascending by time and number; equal ones in the order in which the server stored them.
        fileprivate(set) var positions: [Position] = []
        fileprivate var firstReport: Report

        /// A position of this track.
        func message(of position: Position) -> WireAdminPosition {
            // The bytes were created from a message.
            guard var message = try? WireAdminPosition(serializedBytes: position.bytes) else {
                preconditionFailure("A packed position cannot be unpacked")
            }
            (message.userID, message.device) = (userID, device)
            return message
        }
    }

    /// When a position was received, comparable within a promise.
    fileprivate struct Report: Comparable {
        let receivedAt: Double
        let seq: UInt32
        let order: Int

        static func < (left: Report, right: Report) -> Bool {
            (left.receivedAt, left.seq, left.order) < (right.receivedAt, right.seq, right.order)
        }
    }

    /// A device as named by the server.
    private struct Source: Hashable {
        let userID: String
        let device: UInt32
    }

    /// In the order of their first positions, not numbered yet.
    private var tracks: [Track] = []
    private var places: [Source: Int] = [:]
    private var count = 0

    /// The positions of a page.
    init(_ positions: [WireAdminPosition] = []) throws(Failure) {
        for position in positions { try append(position) }
    }

    /// Adds the next position of a list.
    mutating func append(_ position: WireAdminPosition) throws(Failure) {
        let seq = position.fix.seq
        let report = Report(receivedAt: position.receivedAt.readingMs, seq: seq, order: count)
        let source = Source(userID: position.userID, device: position.device)
        let place = places[source] ?? tracks.count
        if place == tracks.count { tracks.append(Track(userID: position.userID, firstReport: report)) }
        places[source] = place
        tracks[place].firstReport = min(tracks[place].firstReport, report)
        let packed = Position(time: position.fixTime.readingMs, seq: seq, bytes: try PackedTracks.bytes(of: position))
        tracks[place].positions.append(packed)
        count += 1
    }

    /// The tracks by user and device.
    func sorted() -> [Track] {
        var sorted = tracks.sorted { ($0.userID, $0.firstReport) < ($1.userID, $1.firstReport) }
        for index in sorted.indices {
            let isFirst = index == 0 || sorted[index - 1].userID != sorted[index].userID
            sorted[index].device = isFirst ? 1 : sorted[index - 1].device + 1
            // Sorting is stable.
            sorted[index].positions.sort { ($0.time, $0.seq) < ($1.time, $1.seq) }
        }
        return sorted
    }

    private static func bytes(of position: WireAdminPosition) throws(Failure) -> [UInt8] {
        var rest = position
        (rest.userID, rest.device) = ("", 0)
        do {
            return try rest.serializedBytes()
        } catch {
            throw .refused("a position in the server's answer cannot be kept: \(error)")
        }
    }
}
