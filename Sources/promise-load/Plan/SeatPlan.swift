import Foundation

/// Who connects: seats grouped by promise.
struct SeatPlan: Sendable {
    /// The most members one promise may have here.
    static let mostMembers = 64

    /// The seats of each promise.
    private(set) var groups: [[LoadSeat]]

    /// How many in all.
    var count: Int { groups.reduce(0) { $0 + $1.count } }

    /// Why there is no plan; a sentence for people.
    struct Failure: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    /// These groups.
    init(groups: [[LoadSeat]]) {
        self.groups = groups
    }

    /// The first `connections` users of a token file's text, whole promises first.
    init(tokens text: String, connections: Int) throws(Failure) {
        let lines = text.split(separator: "\n")
        guard lines.first == "promised-seed-1" else { throw Failure(description: "this is no token file") }
        groups = []
        for (index, line) in lines.dropFirst().prefix(connections).enumerated() {
            guard let seat = LoadSeat(line: line) else {
                throw Failure(description: "line \(index + 2) of the token file is none")
            }
            if groups.last?.first?.promiseID == seat.promiseID {
                groups[groups.count - 1].append(seat)
            } else {
                groups.append([seat])
            }
        }
        guard count == connections else {
            throw Failure(description: "the token file has \(count) users, \(connections) are wanted")
        }
        guard groups.allSatisfy({ $0.count <= Self.mostMembers }) else {
            throw Failure(description: "a promise has more than \(Self.mostMembers) members")
        }
    }

    /// The same from a file.
    init(tokensFile path: String, connections: Int) throws(Failure) {
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw Failure(description: "cannot read \(path): \(error.localizedDescription)")
        }
        try self.init(tokens: text, connections: connections)
    }

    /// Seats for a relay, which knows no users: groups of `members`, the last with what is left.
    static func relay(connections: Int, members: Int) -> SeatPlan {
        let starts = stride(from: 0, to: connections, by: members)
        return SeatPlan(
            groups: starts.enumerated().map { group, start in
                (start..<min(start + members, connections)).map { LoadSeat(userID: "\($0)", promiseID: "\(group)") }
            }
        )
    }

    /// The part of the whole that one of several processes takes; promises are not divided.
    func part(_ number: Int, of count: Int) -> SeatPlan {
        SeatPlan(groups: groups.enumerated().filter { $0.offset % count == number }.map(\.element))
    }
}
