/// Where people promised to meet.
public struct Place: Hashable, Sendable, Codable {
    /// What people call it, 1–100 characters.
    public var name: String
    /// Its postal address or a description, at most 200 characters, possibly empty.
    public var address: String
    /// The centre of the circle that counts as "there".
    public var coordinate: Coordinate

    /// A place as it is to be shown; lengths are checked by ``PromiseDraft``.
    public init(name: String, address: String = "", coordinate: Coordinate) {
        self.name = name
        self.address = address
        self.coordinate = coordinate
    }
}
