/// Timers in a ring of slots: scheduling and firing take constant time.
///
/// A timer can't be cancelled; when it fires, its owner checks if it is still current.
package struct TimerWheel<Element> {
    private struct Entry {
        let tick: Int64
        let element: Element
    }

    private var slots: [[Entry]]
    private let resolution: Int64
    private var position: Int64 = 0

    /// The number of scheduled timers.
    package private(set) var count = 0

    /// A wheel that fires in steps of `resolution` and revisits a timer every `slotCount` steps.
    package init(resolution: Duration, slotCount: Int = 512) {
        precondition(slotCount > 0, "A wheel has at least one slot.")
        self.resolution = max(1, resolution.wholeMilliseconds)
        slots = Array(repeating: [], count: slotCount)
    }

    /// Schedules `element` to fire at the first step at or after `instant`, not before the next step.
    package mutating func schedule(_ element: Element, at instant: LoopInstant) {
        let wanted = (instant.milliseconds + resolution - 1) / resolution
        let tick = max(position + 1, wanted)
        slots[slot(of: tick)].append(Entry(tick: tick, element: element))
        count += 1
    }

    /// Moves the wheel to `instant` and returns the elements that fired, earlier steps first.
    package mutating func advance(to instant: LoopInstant) -> [Element] {
        let target = instant.milliseconds / resolution
        guard target > position else { return [] }
        guard count > 0 else {
            position = target
            return []
        }
        return target - position >= Int64(slots.count) ? fireAll(until: target) : fireStepwise(until: target)
    }

    private mutating func fireStepwise(until target: Int64) -> [Element] {
        var fired: [Element] = []
        while position < target {
            position += 1
            let index = slot(of: position)
            guard !slots[index].isEmpty else { continue }
            let current = position
            fired += slots[index].lazy.filter { $0.tick <= current }.map(\.element)
            keep(index, after: current)
        }
        count -= fired.count
        return fired
    }

    private mutating func fireAll(until target: Int64) -> [Element] {
        position = target
        var due: [Entry] = []
        for index in slots.indices {
            due += slots[index].lazy.filter { $0.tick <= target }
            keep(index, after: target)
        }
        count -= due.count
        return due.sorted { $0.tick < $1.tick }.map(\.element)
    }

    /// Keeps the later timers of a slot, without spare capacity: that of a burst of connections would never be used
    /// again.
    private mutating func keep(_ index: Int, after tick: Int64) {
        slots[index] = slots[index].filter { $0.tick > tick }
    }

    private func slot(of tick: Int64) -> Int { Int(tick % Int64(slots.count)) }
}
