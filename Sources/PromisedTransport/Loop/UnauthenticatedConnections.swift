/// The unauthenticated connections by source: limits their number per source, and chooses the one to cut when there is
/// no room for another.
///
/// A source is whatever the handler counts as one address. Connections without a source are not counted here.
package struct UnauthenticatedConnections {
    /// Connections in a handshake.
    private var waiting = Crowd()
    private var open = Crowd()
    private let limit: Int

    /// - Parameter limit: the most connections of a source at once.
    package init(limit: Int) { self.limit = limit }

    /// Counts an accepted socket. Returns `false`, without counting it, if its source has too many.
    package mutating func arrive(_ id: ConnectionID, from source: [UInt8]) -> Bool {
        guard hasRoom(for: source) else { return false }
        waiting.insert(id, from: source)
        return true
    }

    /// Moves a connection with a finished handshake to its real source; nil stops counting it. Returns `false`, and
    /// stops counting it, if that source has too many.
    package mutating func open(_ id: ConnectionID, from source: [UInt8]?) -> Bool {
        waiting.remove(id)
        guard let source else { return true }
        guard hasRoom(for: source) else { return false }
        open.insert(id, from: source)
        return true
    }

    /// Removes a connection that has signed in or ended.
    package mutating func leave(_ id: ConnectionID) {
        waiting.remove(id)
        open.remove(id)
    }

    /// Removes the oldest connection of the source that has the most.
    ///
    /// - Parameter onlyOpen: `true` to skip connections in a handshake.
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
    /// The sources by their number of connections (the index), in the order in which they reached it; the last level is
    /// not empty.
    private var levels: [Line<[UInt8]>] = []

    /// The largest number of connections of one source.
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

    /// Among several sources with the most connections, selects the one that reached that number first, so that a
    /// newcomer's is never removed before others.
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

/// Elements in order of arrival; any of them may be removed.
private struct Line<Element: Hashable> {
    /// In order of arrival, including removed elements, each with its arrival number.
    private var entries: [(element: Element, number: Int)] = []
    /// How many entries at the beginning are known to be removed.
    private var head = 0
    /// The last arrival number of each present element.
    private var numbers: [Element: Int] = [:]
    private var next = 0

    var count: Int { numbers.count }
    var isEmpty: Bool { numbers.isEmpty }

    /// The element that has been present longest.
    var first: Element? { isEmpty ? nil : entries[head].element }

    /// Adds an element that is not present.
    mutating func append(_ element: Element) {
        entries.append((element, next))
        numbers[element] = next
        next += 1
    }

    /// Deletes removed entries: at the beginning, and everywhere once they outnumber the present ones.
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
