/// The connections on which nobody has signed in yet, by source: limits how many one source has, and chooses the one to
/// cut when there is no room for another.
///
/// A source is whatever the handler counts as one address. Connections without one are not counted here.
package struct UnauthenticatedConnections {
    /// Those whose handshake is not done.
    private var waiting = Crowd()
    private var open = Crowd()
    private let limit: Int

    /// Empty; a source may have `limit` connections at once.
    package init(limit: Int) { self.limit = limit }

    /// A socket was accepted. Returns false, and it is not counted, when its source has too many.
    package mutating func arrive(_ id: ConnectionID, from source: [UInt8]) -> Bool {
        guard hasRoom(for: source) else { return false }
        waiting.insert(id, from: source)
        return true
    }

    /// Its handshake is done and gives its real source; nil to count it no longer. Returns false, and it is no longer
    /// counted, if that source has too many.
    package mutating func open(_ id: ConnectionID, from source: [UInt8]?) -> Bool {
        waiting.remove(id)
        guard let source else { return true }
        guard hasRoom(for: source) else { return false }
        open.insert(id, from: source)
        return true
    }

    /// A user has signed in on it, or it has ended.
    package mutating func leave(_ id: ConnectionID) {
        waiting.remove(id)
        open.remove(id)
    }

    /// Removes the oldest connection of the source that has most.
    ///
    /// - Parameter onlyOpen: skips connections whose handshake is not done.
    /// - Returns: nil if there is none.
    package mutating func giveUpOne(onlyOpen: Bool) -> ConnectionID? {
        if onlyOpen || open.most > waiting.most { return open.removeOldestOfMost() }
        return waiting.removeOldestOfMost()
    }

    private func hasRoom(for source: [UInt8]) -> Bool { waiting.count(of: source) + open.count(of: source) < limit }
}

/// Connections in order of arrival, by source. Each operation takes constant time.
private struct Crowd {
    private var sources: [ConnectionID: [UInt8]] = [:]
    private var lines: [[UInt8]: Line<ConnectionID>] = [:]
    /// The sources that have as many connections as the index says, in the order in which they reached that; the last
    /// is not empty.
    private var levels: [Line<[UInt8]>] = []

    /// The number of connections of the source that has most.
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

    /// Of several sources that have most, the one that reached that number first: never a newcomer's before others.
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

/// Elements in order of arrival; any of them may leave.
private struct Line<Element: Hashable> {
    /// In order of arrival, including those that have left since, each with the number of its arrival.
    private var entries: [(element: Element, number: Int)] = []
    /// How many entries at the beginning have certainly left.
    private var head = 0
    /// The number of the last arrival of each element that is present.
    private var numbers: [Element: Int] = [:]
    private var next = 0

    var count: Int { numbers.count }
    var isEmpty: Bool { numbers.isEmpty }

    /// The element that has been present for longest.
    var first: Element? { isEmpty ? nil : entries[head].element }

    /// Adds an element that is not present.
    mutating func append(_ element: Element) {
        entries.append((element, next))
        numbers[element] = next
        next += 1
    }

    /// Forgets entries that have left: at the beginning, and everywhere once they outnumber those present.
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
