/// The participants of a session who came together, and the ways that show it (domain §6.4).
///
/// ```
///            candidate of a pair            recall answered
///   (none) ──────────────────────▶ wanted ──────────────────▶ known ──┐ ten minutes later
///     ▲                              ▲  late fix, other credited time │ ◀─────────────────
///     └── arrival goes ──────────────┴────────────────────────────────┘   (released)
/// ```
/// A way takes more than the two minutes that a session holds, so it is read from the archive, once for each arrival
/// with another one close in time. A pair keeps its state until its ways are known.
struct SessionTogether: Sendable {
    /// An arrival that counts for pairs: from positions, under the rule `robust`.
    struct Party: Hashable, Sendable {
        let userID: UserID
        let device: DeviceKey
        let creditedAt: Instant
    }

    /// The way of one arrival.
    private struct Way: Sendable {
        let party: Party
        /// Nil: not known yet, or released.
        var fixes: ArrivalWay?
        var readAt: Instant?
        var isUnderWay = false
        var isWanted = false

        var isAwaited: Bool { isUnderWay || isWanted }
    }

    /// Ways are released when only late fixes could still add an arrival close in time.
    private static let memory = TimeSpan.minutes(10)

    /// The known pairs that came together.
    private(set) var found: [UserPair: CameTogether]
    /// Pairs that are close enough in time to have come together, with the earlier credited time.
    private var candidates: [UserPair: Instant] = [:]
    /// Candidates whose current ways have been compared.
    private var judged: Set<UserPair> = []
    private var ways: [UserID: Way] = [:]
    /// When a participant's way was last requested.
    private var askedAt: [UserID: Instant] = [:]

    /// Starts with the findings of an earlier session.
    init(_ found: [CameTogether] = []) {
        self.found = Dictionary(found.map { ($0.pair, $0) }) { first, _ in first }
    }

    /// The pairs that came together, in order of their ids.
    var list: [CameTogether] {
        found.values.sorted { ($0.pair.first, $0.pair.second) < ($1.pair.first, $1.pair.second) }
    }

    /// `true` if a way is requested or still needed.
    var isAwaitingWays: Bool { ways.values.contains(where: \.isAwaited) }

    // MARK: - Arrivals

    /// Updates the arrivals: removes pairs that no longer qualify, and compares those whose ways are known.
    ///
    /// - Parameters:
    ///   - parties: the arrivals that count for pairs.
    ///   - wereBothIn: `true` if both were accepted participants at an instant.
    mutating func follow(
        _ parties: [Party],
        at now: Instant,
        _ wereBothIn: (Party, Party, Instant) -> Bool
    ) {
        guard parties.count > 1 || !ways.isEmpty || !found.isEmpty else { return }
        var (candidates, concerned): ([UserPair: Instant], Set<UserID>) = ([:], [])
        for (index, one) in parties.enumerated() {
            for other in parties[(index + 1)...] {
                let (earlier, later) = (min(one.creditedAt, other.creditedAt), max(one.creditedAt, other.creditedAt))
                guard later - earlier <= CameTogether.longestBetween, wereBothIn(one, other, later) else { continue }
                candidates[UserPair(one.userID, other.userID)] = earlier
                concerned.formUnion([one.userID, other.userID])
            }
        }
        self.candidates = candidates
        found = found.filter { candidates[$0.key] != nil }
        judged = judged.filter { candidates[$0] != nil }
        ways = ways.filter { concerned.contains($0.key) }
        for party in parties where concerned.contains(party.userID) && ways[party.userID]?.party != party {
            forgetJudgements(of: party.userID)
            ways[party.userID] = Way(party: party)
        }
        compare(at: now)
    }

    private mutating func forgetJudgements(of userID: UserID) {
        judged = judged.filter { $0.other(than: userID) == nil }
    }

    /// Compares the waiting candidates, as far as their ways are known, and requests the missing ways.
    private mutating func compare(at now: Instant) {
        for (pair, creditedAt) in candidates where !judged.contains(pair) {
            for userID in [pair.first, pair.second] {
                guard let way = ways[userID], way.fixes == nil, !way.isUnderWay else { continue }
                ways[userID]?.isWanted = true
            }
            guard let one = ways[pair.first], let other = ways[pair.second], !one.isAwaited, !other.isAwaited,
                let first = one.fixes, let second = other.fixes
            else { continue }
            judged.insert(pair)
            found[pair] = CameTogether(pair, by: first, and: second, creditedAt: creditedAt)
        }
        for (userID, way) in ways where way.readAt.map({ now - $0 > SessionTogether.memory }) ?? false {
            ways[userID]?.fixes = nil
            ways[userID]?.readAt = nil
        }
    }

    // MARK: - Ways

    /// Adds fixes of a device, which may change the way of its owner's arrival.
    ///
    /// - Parameter isNewest: `true` if they are newer than all others of the device: then they only matter if the way
    ///   does not reach the arrival yet.
    /// - Returns: `true` if the way has to be read again.
    mutating func note(_ fixes: [SettledFix], of userID: UserID, device: DeviceKey, isNewest: Bool) -> Bool {
        guard let way = ways[userID], way.party.device == device else { return false }
        let last = Recall.way(to: way.party.creditedAt).upperBound
        guard fixes.contains(where: { $0.time <= last }) else { return false }
        if isNewest, let end = way.fixes?.end, end >= way.party.creditedAt { return false }
        forgetJudgements(of: userID)
        ways[userID]?.isWanted = true
        return true
    }

    /// The arrivals whose ways are to be read at `now`.
    mutating func takeWanted(at now: Instant, interval: TimeSpan) -> [Party] {
        var parties: [Party] = []
        for (userID, way) in ways where way.isWanted && !way.isUnderWay {
            guard dueAt(userID, interval: interval, at: now) <= now else { continue }
            askedAt[userID] = now
            ways[userID]?.isUnderWay = true
            ways[userID]?.isWanted = false
            parties.append(way.party)
        }
        return parties.sorted { $0.userID < $1.userID }
    }

    /// When the next of the requested ways may be read; nil without one.
    func nextReading(at now: Instant, interval: TimeSpan) -> Instant? {
        var next: Instant?
        for (userID, way) in ways where way.isWanted && !way.isUnderWay {
            let due = dueAt(userID, interval: interval, at: now)
            next = min(next ?? due, due)
        }
        return next
    }

    private func dueAt(_ userID: UserID, interval: TimeSpan, at now: Instant) -> Instant {
        askedAt[userID].map { max(now, $0 + interval) } ?? now
    }

    /// Adds a way that was read, if it was the last one requested.
    mutating func take(_ fixes: ArrivalWay, of userID: UserID, askedAt asked: Instant, at now: Instant) {
        guard let way = ways[userID], way.isUnderWay, askedAt[userID] == asked else { return }
        ways[userID]?.isUnderWay = false
        ways[userID]?.fixes = fixes
        ways[userID]?.readAt = now
    }

    /// Releases the ways, which are no longer needed.
    mutating func releaseWays() {
        ways.removeAll()
        judged.removeAll()
        candidates.removeAll()
    }
}
