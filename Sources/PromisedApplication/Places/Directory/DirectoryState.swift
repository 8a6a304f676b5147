package import PromisedPlaces

/// The directory at one version: the index, its regions and sources. Immutable.
package final class DirectoryState: Sendable {
    package let index: PlaceIndex
    /// The regions of places, of both levels, ascending by code.
    package let regions: [RegionExtent]
    /// The sources by name, with their numbers of places.
    private let sources: [String: CountedSource]

    /// - Parameter sources: the known sources of the places.
    package init(_ index: PlaceIndex, sources: [PlaceSource]) {
        self.index = index
        regions = index.regionExtents
        let counts = Dictionary(uniqueKeysWithValues: index.sourceCounts.map { ($0.name, $0.count) })
        var counted: [String: CountedSource] = [:]
        for source in sources { counted[source.name] = CountedSource(source, count: counts[source.name] ?? 0) }
        // A source may be removed after its places were read and before it is read.
        for (name, count) in counts where counted[name] == nil {
            counted[name] = CountedSource(PlaceSource(name: name, timeZone: ""), count: count)
        }
        self.sources = counted
    }

    /// All sources with places, by name.
    package var allSources: [CountedSource] {
        sources.values.filter { $0.count > 0 }.sorted { $0.source.name < $1.source.name }
    }

    /// The sources with these names, by name.
    package func sources(named names: some Sequence<String>) -> [CountedSource] {
        Set(names).sorted().compactMap { sources[$0] }
    }
}
