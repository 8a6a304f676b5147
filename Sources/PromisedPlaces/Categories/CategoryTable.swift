/// The categories of a directory: the built-in ones and those that the operator adds.
///
/// Each has a bit in a mask of 64, so that a place's categories and a filter are one number each.
package struct CategoryTable: Hashable, Sendable {
    /// The most categories, the built-in ones included: one for each bit of a mask.
    package static let most = 64

    /// All categories: the built-in ones, then the operator's in their order. The index is the bit in masks.
    package let categories: [PlaceCategory]
    private let bits: [CategoryID: Int]

    /// The built-in categories alone.
    package static let builtIn = CategoryTable(checked: PlaceCategory.builtIn)

    /// The built-in categories and those that an operator adds.
    ///
    /// - Throws: ``CategoryProblem`` for an id that occurs twice or is built in, or for more than ``most`` categories.
    package init(adding additions: [PlaceCategory]) throws(CategoryProblem) {
        let builtIn = Set(PlaceCategory.builtIn.map(\.id))
        var added: Set<CategoryID> = []
        for addition in additions {
            if builtIn.contains(addition.id) { throw .builtIn(addition.id) }
            guard added.insert(addition.id).inserted else { throw .duplicate(addition.id) }
        }
        let all = PlaceCategory.builtIn + additions
        guard all.count <= CategoryTable.most else { throw .tooMany(all.count) }
        self.init(checked: all)
    }

    private init(checked categories: [PlaceCategory]) {
        self.categories = categories
        bits = Dictionary(uniqueKeysWithValues: categories.enumerated().map { ($1.id, $0) })
    }

    /// The category with an id; nil if there is none.
    package subscript(id: CategoryID) -> PlaceCategory? { bits[id].map { categories[$0] } }

    /// The bit of a category in masks, 0..<64; nil if there is none with this id.
    package func bit(of id: CategoryID) -> Int? { bits[id] }

    /// The categories that a filter by `id` accepts: the one with this id and all that begin with it, in order of bits.
    ///
    /// - Returns: empty if no category has this id or begins with it.
    package func matches(of id: CategoryID) -> [PlaceCategory] { categories.filter { id.contains($0.id) } }

    /// The mask of all categories that a filter by any of `ids` accepts; 0 if there are none.
    package func mask(matching ids: some Sequence<CategoryID>) -> UInt64 {
        var mask: UInt64 = 0
        for id in ids {
            for (bit, category) in categories.enumerated() where id.contains(category.id) { mask |= 1 << UInt64(bit) }
        }
        return mask
    }

    /// The categories of a mask, in order of bits.
    package func categories(in mask: UInt64) -> [PlaceCategory] {
        categories.enumerated().filter { mask & 1 << UInt64($0.offset) != 0 }.map(\.element)
    }
}
