import Foundation
import PromisedDomain

/// The seats, grouped by promise.
struct SeatPlan: Sendable {
    static let mostMembers = 64

    private(set) var groups: [[LoadSeat]]

    var count: Int { groups.reduce(0) { $0 + $1.count } }

    /// Why no plan could be made; a sentence for people.
    struct Failure: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    init(groups: [[LoadSeat]]) { self.groups = groups }

    /// The first `connections` users of a token file's text, whole promises first.
    init(tokens text: String, connections: Int) throws(Failure) {
        groups = []
        for seat in try Self.seats(of: text, 0..<connections) {
            if groups.last?.first?.promiseID == seat.promiseID {
                groups[groups.count - 1].append(seat)
            } else {
                groups.append([seat])
            }
        }
        guard count == connections else {
            throw Failure(description: "the token file has \(count) users, but --connections needs \(connections)")
        }
        guard groups.allSatisfy({ $0.count <= Self.mostMembers }) else {
            throw Failure(description: "a promise has more than \(Self.mostMembers) members")
        }
    }

    /// The same from a file.
    init(tokensFile path: String, connections: Int) throws(Failure) {
        let text = try Self.text(of: path)
        do throws(Failure) {
            try self.init(tokens: text, connections: connections)
        } catch {
            throw Failure(description: "\(path): \(error)")
        }
    }

    /// The `count` users in a token file after the first `connections`: the background users.
    static func spares(tokensFile path: String, after connections: Int, count: Int) throws(Failure) -> [LoadSeat] {
        let text = try text(of: path)
        do throws(Failure) {
            return try spares(tokens: text, after: connections, count: count)
        } catch {
            throw Failure(description: "\(path): \(error)")
        }
    }

    /// The same from a token file's text.
    static func spares(tokens text: String, after connections: Int, count: Int) throws(Failure) -> [LoadSeat] {
        let seats = try seats(of: text, connections..<connections + count)
        guard seats.count == count else {
            throw Failure(
                description: """
                    the token file has fewer than \(connections + count) users, but --connections, --uploads, --recordings and \
                    --export need \(connections + count)
                    """
            )
        }
        return seats
    }

    /// Seats for a relay, which has no users: groups of `members`, the last with the rest.
    static func relay(connections: Int, members: Int) -> SeatPlan {
        let starts = stride(from: 0, to: connections, by: members)
        return SeatPlan(
            groups: starts.enumerated().map { group, start in
                (start..<min(start + members, connections)).map { LoadSeat(userID: "\($0)", promiseID: "\(group)") }
            }
        )
    }

    /// The share of one of several processes; promises are not divided.
    func part(_ number: Int, of count: Int) -> SeatPlan {
        SeatPlan(groups: groups.enumerated().filter { $0.offset % count == number }.map(\.element))
    }

    // MARK: - Internals

    private static func text(of path: String) throws(Failure) -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw Failure(description: "cannot read \(path): \(error.localizedDescription)")
        }
    }

    /// The users in a range of a token file's lines, from 0; fewer at its end.
    private static func seats(of text: String, _ range: Range<Int>) throws(Failure) -> [LoadSeat] {
        let lines = text.split(separator: "\n")
        guard lines.first == "promised-seed-1" else { throw Failure(description: "not a token file of promised seed") }
        var seats: [LoadSeat] = []
        for (index, line) in lines.dropFirst().enumerated().dropFirst(range.lowerBound).prefix(range.count) {
            guard let seat = LoadSeat(line: line) else {
                throw Failure(description: "line \(index + 2) of the token file is invalid")
            }
            seats.append(seat)
        }
        return seats
    }
}

/// One seeded user, from a line of the token file (`promised seed`).
struct LoadSeat: Hashable, Sendable {
    var userID: String
    var promiseID: String
    var place: Coordinate
    var radiusMetres: Double
    /// `true` if the user owns the promise.
    var isOwner: Bool
    /// Empty for a peer without tokens.
    var token: String

    /// The seat of one line; nil if the line is invalid.
    init?(line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 7, let latitude = Double(fields[2]), let longitude = Double(fields[3]),
            let radius = Double(fields[4]), fields[5] == "owner" || fields[5] == "member", !fields[6].isEmpty
        else { return nil }
        userID = String(fields[0])
        promiseID = String(fields[1])
        place = Coordinate(latitude: latitude, longitude: longitude)
        radiusMetres = radius
        isOwner = fields[5] == "owner"
        token = String(fields[6])
    }

    init(
        userID: String,
        promiseID: String,
        place: Coordinate = Coordinate(latitude: 50, longitude: 8),
        radiusMetres: Double = 50,
        isOwner: Bool = false,
        token: String = ""
    ) {
        self.userID = userID
        self.promiseID = promiseID
        self.place = place
        self.radiusMetres = radiusMetres
        self.isOwner = isOwner
        self.token = token
    }
}
