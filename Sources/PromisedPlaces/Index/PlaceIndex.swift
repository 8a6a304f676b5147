package import PromisedDomain

/// A place of an index; valid only for that index.
package struct PlaceRow: Hashable, Sendable {
    /// The number of the row.
    let number: Int
}

/// The directory in memory: one immutable value that answers every question about places.
///
/// Its rows are in the order of ``PlacePositions``. ``PlaceIndexBuilder`` creates it.
package struct PlaceIndex: Sendable {
    /// The version of the directory that the index holds.
    package let version: Int

    let positions: PlacePositions
    let traits: PlaceTraits
    let names: PlaceNames
    let nameOrder: NameOrder
    let addresses: PlaceAddresses
    let idColumn: PlaceIDColumn
    let blocks: PlaceBlocks
    let signatures: BlockSignatures
    /// The pairs of letters in the parts of all addresses, treated as one block.
    let addressSignatures: BlockSignatures
    /// The keys of the texts that stand for each region, by the numbers of ``PlaceTraits/regions``.
    let regionKeys: [TextKey]

    /// The number of places.
    package var count: Int { positions.codes.count }

    /// The place with an id; nil if the directory does not have it.
    package func row(of id: PlaceID) -> PlaceRow? { idColumn.row(of: id).map(PlaceRow.init) }

    package func id(of row: PlaceRow) -> PlaceID { idColumn.ids[row.number] }

    package func coordinate(of row: PlaceRow) -> Coordinate { positions.coordinates[row.number] }

    /// All values that the index has of a place.
    package func listing(of row: PlaceRow) -> PlaceListing {
        let kind = traits.list[Int(traits.classes[row.number])]
        return PlaceListing(
            id: idColumn.ids[row.number],
            name: names.name(of: row.number),
            address: addresses.address(of: row.number),
            coordinate: positions.coordinates[row.number],
            categories: kind.categories.map { traits.categories[Int($0)] },
            region: kind.region < 0 ? nil : traits.regions[kind.region],
            hours: traits.distinctHours[Int(traits.hours[row.number])],
            source: traits.sources[kind.source],
            revision: Int(traits.revisions[row.number])
        )
    }

    /// The number of places of each category, in ascending order of the ids.
    package var categoryCounts: [(id: CategoryID, count: Int)] {
        zip(traits.categories, blocks.totals).map { ($0, $1) }
    }

    /// The number of places of each source, in no particular order.
    package var sourceCounts: [(name: String, count: Int)] {
        zip(traits.sources, blocks.totals.dropFirst(traits.categories.count)).map { ($0, $1) }
    }

    /// The size of the index in bytes, without the overhead of the allocator.
    package var byteCount: Int {
        positions.byteCount + traits.byteCount + names.byteCount + nameOrder.byteCount + addresses.byteCount
            + idColumn.byteCount + blocks.byteCount + signatures.byteCount + addressSignatures.byteCount
    }
}
