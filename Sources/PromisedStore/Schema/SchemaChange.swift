/// What an opening does, or would do, to the schema.
public struct SchemaChange: Hashable, Sendable {
    /// The migrations that the database had not seen, in order.
    public var migrations: [String]
    /// Whether the database was empty: then there was nothing to back up.
    public var isFirst: Bool
    /// The copy that was made before, nil when there was nothing to do or nothing to lose.
    public var backupPath: String?

    /// A change that has not been carried out.
    init(migrations: [String], isFirst: Bool) {
        self.migrations = migrations
        self.isFirst = isFirst
    }
}
