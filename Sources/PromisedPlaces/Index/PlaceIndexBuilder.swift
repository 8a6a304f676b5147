internal import PromisedDomain

/// Collects places in any order and builds the index.
package struct PlaceIndexBuilder {
    private var positions: PlacePositions
    private var traits: PlaceTraitsBuilder
    private var texts: PlaceTexts
    private var ids: [PlaceID] = []

    /// A builder without places.
    ///
    /// - Parameter expectedCount: the number of places to reserve memory for.
    package init(expectedCount: Int = 0) {
        positions = PlacePositions(expectedCount: expectedCount)
        traits = PlaceTraitsBuilder(expectedCount: expectedCount)
        texts = PlaceTexts(expectedCount: expectedCount)
        ids.reserveCapacity(expectedCount)
    }

    /// Adds a place that is not removed.
    ///
    /// - Parameter otherNames: its names in other languages, which searches find.
    /// - Precondition: its coordinate is valid, and no other place has its id.
    package mutating func add(_ place: PlaceListing, otherNames: [String] = []) {
        positions.append(place.coordinate)
        traits.append(place)
        texts.append(place.name, place.address, others: otherNames)
        ids.append(place.id)
    }

    /// Adds a place that is not removed.
    package mutating func add(_ place: DirectoryPlace) {
        add(place.listing, otherNames: place.names.map(\.name))
    }

    /// The index of the places added.
    ///
    /// - Parameters:
    ///   - version: the version of the directory, at least the revision of every place.
    ///   - regionText: the text by which searches find a region; its code if not given.
    package consuming func index(
        version: Int,
        regionText: (RegionCode) -> String = { $0.text }
    ) -> PlaceIndex {
        let order = positions.sort()
        let traits = PlaceTraits(traits, order: order)
        var names = PlaceNames(expectedCount: order.count)
        var addresses = PlaceAddresses(expectedCount: order.count)
        // In the order of the rows: neighbours have the same streets, which are then in the processor's cache.
        texts.withTexts(of: order) { texts in
            names.append(texts)
            addresses.append(texts.address)
        }
        addresses.complete()
        let ids = PlaceIDColumn(order.map { self.ids[Int($0)] })
        let regionKeys = traits.regions.map { TextKey(regionText($0)) }
        return PlaceIndex(
            version: version,
            positions: positions,
            traits: traits,
            names: names,
            nameOrder: NameOrder(names, ids.ids),
            addresses: addresses,
            idColumn: ids,
            blocks: PlaceBlocks(positions, traits),
            signatures: PlaceIndexBuilder.signatures(names, addresses, traits, regionKeys),
            addressSignatures: addresses.signatures(),
            regionKeys: regionKeys
        )
    }

    private static func signatures(
        _ names: PlaceNames,
        _ addresses: PlaceAddresses,
        _ traits: PlaceTraits,
        _ regionKeys: [TextKey]
    ) -> BlockSignatures {
        var signatures = BlockSignatures(rows: names.count)
        // Each street is added to a block once: the last block it was added to, plus one.
        var heads = [Int](repeating: 0, count: addresses.heads.count)
        var tails = [Int](repeating: 0, count: addresses.tails.count)
        var regions = [Int](repeating: 0, count: regionKeys.count)
        let regionsOfClasses = traits.list.map(\.region)
        names.keys.units.withUnsafeBufferPointer { units in
            for row in 0..<names.count {
                let block = row / PlaceBlocks.size
                let key = units[names.keyRange(of: row)]
                signatures.add(key, to: block)
                signatures.add(initialsOf: key, to: block)
                let (head, tail) = (Int(addresses.headNumbers[row]), Int(addresses.tailNumbers[row]))
                addresses.withKeys(head, tail) { headKey, tailKey in
                    if heads[head] != block + 1 { signatures.add(headKey, to: block) }
                    if tails[tail] != block + 1 { signatures.add(tailKey, to: block) }
                    signatures.add(end: headKey, start: tailKey, to: block)
                }
                (heads[head], tails[tail]) = (block + 1, block + 1)
                let region = regionsOfClasses[Int(traits.classes[row])]
                guard region >= 0, regions[region] != block + 1 else { continue }
                regionKeys[region].units.withUnsafeBufferPointer { signatures.add($0[...], to: block) }
                regions[region] = block + 1
            }
        }
        return signatures
    }
}

extension PlaceIndex {
    /// The index of places that are not removed.
    package init(
        _ places: some Sequence<DirectoryPlace>,
        version: Int,
        regionText: (RegionCode) -> String = { $0.text }
    ) {
        var builder = PlaceIndexBuilder(expectedCount: places.underestimatedCount)
        // Avoids copying the other parts of each place, with their reference counts, out of the array.
        let isRead: Void? = places.withContiguousStorageIfAvailable { places in
            for place in places.indices {
                builder.add(places[place].listing, otherNames: places[place].names.map(\.name))
            }
        }
        if isRead == nil {
            for place in places { builder.add(place) }
        }
        self = builder.index(version: version, regionText: regionText)
    }
}
