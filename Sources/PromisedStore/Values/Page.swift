/// A part of a list, and where the next part begins.
public struct Page<Item: Sendable, Cursor: Sendable>: Sendable {
    /// The items, in the order of the list.
    public var items: [Item]
    /// What to ask for the next part with; nil when this was the last.
    public var next: Cursor?

    /// A part of a list.
    public init(items: [Item], next: Cursor?) {
        self.items = items
        self.next = next
    }
}

extension Page: Equatable where Item: Equatable, Cursor: Equatable {}
extension Page: Hashable where Item: Hashable, Cursor: Hashable {}

extension Page {
    /// A page of at most `limit` out of items fetched with one more than that, to know whether any follow.
    init(fetched: [Item], limit: Int, cursor: (Item) -> Cursor) {
        let items = Array(fetched.prefix(limit))
        self.init(items: items, next: fetched.count > limit ? items.last.map(cursor) : nil)
    }
}
