internal import PromisedDomain

/// Names points of courses by the directory as it stands.
struct DirectoryNames: CoursePlaces {
    /// A region gives its name to points this near to one of its places, in metres.
    private static let regionReachMetres = 5_000.0
    /// The places that are looked at; nearer ones may be hidden.
    private static let most = 50

    /// The directory; nil until it stands, when nothing has a name.
    let state: DirectoryState?
    /// The language of regions' names.
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
