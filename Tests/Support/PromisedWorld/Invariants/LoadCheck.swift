internal import PromisedApplication
internal import PromisedPlaces

/// Checks the places that an acknowledged import has added.
enum LoadCheck {
    /// - Throws: a row that is not in the directory, one that a replacement should have removed, or other counts.
    static func check(_ loaded: LoadedPlaces, in owned: OwnedRows) throws(Violation) {
        let places = Dictionary(grouping: owned.places.values, by: \.ref)
        for row in loaded.rows {
            guard let place = places[row.ref]?.first else {
                throw Violation(.acknowledged, "an imported place is missing")
            }
            // The operator may have changed the other places since.
            guard !isNew(row) || place.name == row.name && !place.isRemoved else {
                throw Violation(.acknowledged, "an imported place is another one")
            }
        }
        let (refs, report) = (Set(loaded.rows.map(\.ref)), loaded.report)
        if loaded.isReplacement, owned.places.values.contains(where: { !refs.contains($0.ref) && !$0.isRemoved }) {
            throw Violation(.acknowledged, "a place stays that an import has replaced")
        }
        guard report.refused == 0, report.added + report.changed + report.unchanged == loaded.rows.count else {
            throw Violation(.acknowledged, "an import counts \(report)")
        }
    }

    /// `true` for a place that only imports contain.
    private static func isNew(_ row: ImportedPlace) -> Bool { row.ref.hasPrefix("imported") }
}
