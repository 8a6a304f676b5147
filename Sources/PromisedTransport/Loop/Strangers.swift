/// The connections on which nobody has signed in yet, by the source they come from: how many one source may have, and
/// which of all goes when there is no room for another.
///
/// A source is whatever the handler counts as one address. Connections without one are not counted here.
package struct Strangers {
    /// Those whose handshake is not done.
    private var waiting = Crowd()
    /// Those that are open.
    private var open = Crowd()
    private let limit: Int

    /// Nobody yet; `limit` connections of a source at once.
    package init(limit: Int) {
        self.limit = limit
    }

    /// A socket was accepted.
    ///
    /// - Returns: false, and it is not counted, when its source has too many.
    package mutating func arrive(_ id: ConnectionID, from source: [UInt8]) -> Bool {
        guard hasRoom(for: source) else { return false }
        waiting.insert(id, from: source)
        return true
    }

    /// Its handshake is done, and tells where it comes from in truth; nil when it is not to be counted any more.
    ///
    /// - Returns: false, and it is not counted any more, when that source has too many.
    package mutating func open(_ id: ConnectionID, from source: [UInt8]?) -> Bool {
        waiting.remove(id)
        guard let source else { return true }
        guard hasRoom(for: source) else { return false }
        open.insert(id, from: source)
        return true
    }

    /// Somebody has signed in on it, or it is gone.
    package mutating func leave(_ id: ConnectionID) {
        waiting.remove(id)
        open.remove(id)
    }

    /// Takes out the oldest connection of the source that has most.
    ///
    /// - Parameter onlyOpen: not those whose handshake is not done.
    /// - Returns: nil when there is none.
    package mutating func giveUpOne(onlyOpen: Bool) -> ConnectionID? {
        if onlyOpen || open.most > waiting.most { return open.removeOldestOfMost() }
        return waiting.removeOldestOfMost()
    }

    private func hasRoom(for source: [UInt8]) -> Bool { waiting.count(of: source) + open.count(of: source) < limit }
}

/// Connections in the order they came, by source. Each operation takes the same time however many there are.
private struct Crowd {
    /// The connections of one source, those included that have left since.
    private struct Line {
        /// In the order they came.
        var ids: [ConnectionID] = []
        /// How many of them, at the beginning, have left for sure.
        var head = 0
        /// How many are there.
        var count = 0
    }

    private var sources: [ConnectionID: [UInt8]] = [:]
    private var lines: [[UInt8]: Line] = [:]
    /// The sources that have as many connections as the index says; the last is not empty.
    private var levels: [Set<[UInt8]>] = []

    /// How many connections the source has that has most.
    var most: Int { max(0, levels.count - 1) }

    func count(of source: [UInt8]) -> Int { lines[source]?.count ?? 0 }

    mutating func insert(_ id: ConnectionID, from source: [UInt8]) {
        sources[id] = source
        let count = count(of: source)
        lines[source, default: Line()].ids.append(id)
        lines[source]?.count += 1
        move(source, from: count, to: count + 1)
    }

    mutating func remove(_ id: ConnectionID) {
        guard let source = sources.removeValue(forKey: id), let count = lines[source]?.count else { return }
        lines[source]?.count -= 1
        move(source, from: count, to: count - 1)
        if count == 1 { lines[source] = nil } else { tidy(source) }
    }

    mutating func removeOldestOfMost() -> ConnectionID? {
        guard let source = levels.last?.first, let line = lines[source],
            let oldest = line.ids[line.head...].first(where: { sources[$0] == source })
        else { return nil }
        remove(oldest)
        return oldest
    }

    private mutating func move(_ source: [UInt8], from old: Int, to new: Int) {
        while levels.count <= new { levels.append([]) }
        if old > 0 { levels[old].remove(source) }
        if new > 0 { levels[new].insert(source) }
        while levels.last?.isEmpty == true { levels.removeLast() }
    }

    /// Forgets those of a line that have left: at its beginning, and everywhere once they are more than are there.
    private mutating func tidy(_ source: [UInt8]) {
        guard var line = lines[source] else { return }
        while line.head < line.ids.count, sources[line.ids[line.head]] != source { line.head += 1 }
        if line.ids.count > 2 * line.count + 16 {
            line.ids = line.ids[line.head...].filter { sources[$0] == source }
            line.head = 0
        }
        lines[source] = line
    }
}
