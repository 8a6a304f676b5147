/// The connections of one service thread, each in a numbered slot; slots are reused with a new generation.
package struct ConnectionTable<Element> {
    private struct Slot {
        var generation: UInt32
        var element: Element?
    }

    private let thread: UInt8
    private var slots: [Slot] = []
    private var free: [Int] = []

    /// How many slots are in use.
    package private(set) var count = 0

    package init(thread: UInt8) { self.thread = thread }

    /// Takes a slot for the element that `make` creates from its id; nil if all 2²⁴ are in use.
    package mutating func insert(_ make: (ConnectionID) -> Element) -> ConnectionID? {
        guard let slot = free.popLast() ?? appendSlot() else { return nil }
        let id = ConnectionID(thread: thread, slot: slot, generation: slots[slot].generation)
        slots[slot].element = make(id)
        count += 1
        return id
    }

    /// The element of `id`; nil if that connection has ended.
    package subscript(id: ConnectionID) -> Element? {
        guard slots.indices.contains(id.slot), slots[id.slot].generation == id.generation else { return nil }
        return slots[id.slot].element
    }

    /// The element in a slot, whatever its generation; nil if the slot is free or unknown.
    package subscript(slot slot: Int) -> Element? {
        guard slots.indices.contains(slot) else { return nil }
        return slots[slot].element
    }

    /// Frees the slot of `id` and returns its element; nil if it was already free.
    @discardableResult
    package mutating func remove(_ id: ConnectionID) -> Element? {
        guard let element = self[id] else { return nil }
        slots[id.slot].element = nil
        slots[id.slot].generation &+= 1
        free.append(id.slot)
        count -= 1
        return element
    }

    /// All elements in the order of their slots, lazily and without copies.
    package var elements: some Sequence<Element> { slots.lazy.compactMap { $0.element } }

    private mutating func appendSlot() -> Int? {
        guard slots.count < ConnectionID.slotLimit else { return nil }
        slots.append(Slot(generation: 0, element: nil))
        return slots.count - 1
    }
}
