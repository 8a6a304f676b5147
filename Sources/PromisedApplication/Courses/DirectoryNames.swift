internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces

/// Names points of courses from the current directory.
struct DirectoryNames: CoursePlaces {
    /// Points within this distance of a place get the name of its region, in metres.
    private static let regionReachMetres = 5_000.0
    /// The most places to check; nearer ones may be hidden.
    private static let most = 50

    /// nil until the directory is loaded; until then no point has a name.
    let state: DirectoryState?
    let language: BilingualName.Language

    func places(within metres: Double, of coordinate: Coordinate) -> [Place] {
        near(coordinate, metres, limit: DirectoryNames.most).map(\.place)
    }

    func regionName(at coordinate: Coordinate) -> String? {
        near(coordinate, DirectoryNames.regionReachMetres, limit: 1).first?.region?.name(in: language)
    }

    private func near(_ coordinate: Coordinate, _ metres: Double, limit: Int) -> [PlaceListing] {
        guard let index = state?.index else { return [] }
        return index.nearby(coordinate, radiusMetres: metres, limit: limit).entries.map { index.listing(of: $0.row) }
    }
}
