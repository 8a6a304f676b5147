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
    private var sources: [ConnectionID: [UInt8]] = [:]
    private var lines: [[UInt8]: Line<ConnectionID>] = [:]
    /// The sources that have as many connections as the index says, in the order in which they came to that; the last is
    /// not empty.
    private var levels: [Line<[UInt8]>] = []

    /// How many connections the source has that has most.
    var most: Int { max(0, levels.count - 1) }

    func count(of source: [UInt8]) -> Int { lines[source]?.count ?? 0 }

    mutating func insert(_ id: ConnectionID, from source: [UInt8]) {
        sources[id] = source
        let count = count(of: source)
        lines[source, default: Line()].append(id)
        move(source, from: count, to: count + 1)
    }

    mutating func remove(_ id: ConnectionID) {
        guard let source = sources.removeValue(forKey: id), let count = lines[source]?.count else { return }
        lines[source]?.remove(id)
        move(source, from: count, to: count - 1)
        if count == 1 { lines[source] = nil }
    }

    /// Of several sources that have most, the one that has had as many for longest: never that of a newcomer before
    /// others.
    mutating func removeOldestOfMost() -> ConnectionID? {
        guard let source = levels.last?.first, let oldest = lines[source]?.first else { return nil }
        remove(oldest)
        return oldest
    }

    private mutating func move(_ source: [UInt8], from old: Int, to new: Int) {
        while levels.count <= new { levels.append(Line()) }
        if old > 0 { levels[old].remove(source) }
        if new > 0 { levels[new].append(source) }
        while levels.last?.isEmpty == true { levels.removeLast() }
    }
}

/// Elements in the order they came, from anywhere in which they may leave.
private struct Line<Element: Hashable> {
    /// In the order they came, those included that have left since, each with the number of its coming.
    private var entries: [(element: Element, number: Int)] = []
    /// How many entries, at the beginning, have left for sure.
    private var head = 0
    /// The number of the last coming of each that is there.
    private var numbers: [Element: Int] = [:]
    private var next = 0

    var count: Int { numbers.count }

    var isEmpty: Bool { numbers.isEmpty }

    /// The one that has been there for longest.
    var first: Element? { isEmpty ? nil : entries[head].element }

    /// An element that is not there comes.
    mutating func append(_ element: Element) {
        entries.append((element, next))
        numbers[element] = next
        next += 1
    }

    /// Forgets those that have left: at the beginning, and everywhere once they are more than are there.
    mutating func remove(_ element: Element) {
        guard numbers.removeValue(forKey: element) != nil else { return }
        while head < entries.count, !isThere(entries[head]) { head += 1 }
        if entries.count > 2 * count + 16 {
            entries = entries[head...].filter(isThere)
            head = 0
        }
    }

    private func isThere(_ entry: (element: Element, number: Int)) -> Bool { numbers[entry.element] == entry.number }
}
