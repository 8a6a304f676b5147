import PromisedDomain
import PromisedTestSupport
import Testing

/// The invariants of a session after each step, worked out naively from its durable events and its archive.
struct SessionModel {
    /// A client's knowledge of one arrival.
    struct Known: Equatable {
        var rank: Int
        var creditedAt: Instant
        var stage: Arrival.Stage
        var source: Arrival.Source

        init(_ entry: RankedArrival) {
            rank = entry.rank
            creditedAt = entry.arrival.creditedAt
            stage = entry.arrival.stage
            source = entry.arrival.source
        }
    }

    /// The board as assembled by a client from events alone.
    private(set) var board: [UserID: Known] = [:]
    /// The accepted participants as such a client knows them.
    private(set) var accepted: Set<UserID>
    private(set) var clock: [String] = []
    private var heard = 0
    private var checks = 0

    init(participants: [Participant]) {
        accepted = Set(participants.filter { $0.membership == .accepted }.map(\.userID))
    }

    /// Reads the new announcements and checks everything.
    mutating func check(_ world: SessionWorld, at now: Instant, _ comment: Comment) {
        for event in world.events[heard...] { hear(event.event, comment) }
        heard = world.events.count
        let machine = world.machine
        #expect(world.events.map(\.seq) == Array(1..<(world.events.count + 1)), comment)
        #expect(machine.lastSeq == world.events.count, comment)
        let known = Dictionary(uniqueKeysWithValues: machine.board.map { ($0.userID, Known($0)) })
        #expect(board == known, comment)
        let durable = Dictionary(uniqueKeysWithValues: machine.board.map { ($0.userID, $0.arrival) })
        #expect(world.archive.arrivals == durable, comment)
        #expect(world.archive.mark == machine.mark, comment)
        let pairs = world.archive.together.map(\.pair)
        #expect(SessionModel.ranks(of: machine.board, pairs) == known.mapValues(\.rank), comment)
        #expect(
            accepted == Set(world.archive.participants.filter { $0.membership == .accepted }.map(\.userID)),
            comment
        )
        #expect(world.endings <= 1, comment)
        // Folding everything again is expensive: once in eight steps is enough to find a wrong one.
        checks += 1
        if !machine.isOver, checks.isMultiple(of: 8) { checkArrivals(world, at: now, comment) }
    }

    /// Positions are sent only of accepted participants who share, while tracking.
    func check(_ positions: [LivePosition], _ world: SessionWorld, at now: Instant, _ comment: Comment) {
        let sharing = world.archive.participants.filter { $0.membership == .accepted && $0.isSharing }.map(\.userID)
        #expect(positions.isEmpty || world.machine.promise.status(at: now) == .tracking, comment)
        #expect(positions.allSatisfy { sharing.contains($0.userID) }, comment)
        #expect(Set(positions.map(\.userID)).count == positions.count, comment)
    }

    /// Each accepted participant's arrival equals one pass over all their archived fixes.
    private func checkArrivals(_ world: SessionWorld, at now: Instant, _ comment: Comment) {
        // The model does not judge participants while a recall for them is pending.
        for user in accepted where !world.machine.isAwaitingRecall(of: user) {
            var first: ArrivalDetector.Detection?
            let fixes = world.archive.fixes.filter { $0.userID == user }
            for device in Set(fixes.map(\.device)) {
                var track = DeviceTrack(criteria: ArrivalCriteria(world.machine.promise))
                track.rebuild(from: fixes.filter { $0.device == device }.map(\.fix))
                guard let found = track.arrival(at: now) else { continue }
                if first.map({ found.provisionalAt < $0.provisionalAt }) ?? true { first = found }
            }
            let entry = world.machine.board.first { $0.userID == user }
            guard entry?.arrival.checkIn == nil else { continue }
            #expect(entry?.arrival.creditedAt == first?.creditedAt, comment)
            #expect(entry?.arrival.evidence?.confirmedAt == first?.confirmedAt, comment)
        }
        guard !world.machine.isAwaitingRecalls else { return }
        let pairs = Dictionary(uniqueKeysWithValues: world.archive.together.map { ($0.pair, $0) })
        #expect(pairs == NaivePairs.among(world.archive.arrivals, in: world.archive), comment)
    }

    private mutating func hear(_ event: PromiseEvent, _ comment: Comment) {
        switch event {
        case .joined(let user): accepted.insert(user)
        case .left(let user), .removed(let user): accepted.remove(user)
        case .arrived(let entry):
            #expect(board[entry.userID] == nil, comment)
            board[entry.userID] = Known(entry)
        case .arrivalConfirmed(let entry):
            #expect(board[entry.userID] != nil, comment)
            board[entry.userID] = Known(entry)
        case .arrivalRetracted(let user, _):
            #expect(board[user] != nil, comment)
            board[user] = nil
        case .rankingRevised(let entries, _):
            for entry in entries { board[entry.userID] = Known(entry) }
        case .trackingStarted, .meetingTime, .late, .trackingEnded, .resultFinal: hearClock(event, comment)
        case .invited, .declined, .handedOver, .edited, .cancelled, .excused, .viewLinkCreated, .viewLinkRevoked: break
        }
    }

    private mutating func hearClock(_ event: PromiseEvent, _ comment: Comment) {
        let names = ["trackingStarted", "meetingTime", "late", "trackingEnded", "resultFinal"]
        let name = String("\(event)".prefix { $0 != "(" })
        #expect(clock.count < names.count && names[clock.count] == name, comment)
        clock.append(name)
    }

    /// Domain §6.4, counted one by one.
    private static func ranks(of board: [RankedArrival], _ pairs: [UserPair]) -> [UserID: Int] {
        var waiting = board
        var ranks: [UserID: Int] = [:]
        while let first = waiting.map(\.arrival.creditedAt).min() {
            let rank = ranks.count + 1
            let tie = waiting.filter { $0.arrival.creditedAt - first < .seconds(5) }.map(\.userID)
            for user in tie { ranks[user] = rank }
            waiting.removeAll { tie.contains($0.userID) }
        }
        for _ in pairs {
            for pair in pairs {
                guard let first = ranks[pair.first], let second = ranks[pair.second] else { continue }
                ranks = ranks.mapValues { $0 == max(first, second) ? min(first, second) : $0 }
            }
        }
        return ranks
    }
}
