/// The schema change that opening makes, or would make.
package struct SchemaChange: Hashable, Sendable {
    /// The missing migrations, in order.
    package var migrations: [String]
    /// `true` if the database was empty, so there was nothing to back up.
    package var isFirst: Bool
    /// The backup made before migrating; nil if no migration ran or the database was empty.
    package var backupPath: String?

    /// A pending change.
    init(migrations: [String], isFirst: Bool) {
        self.migrations = migrations
        self.isFirst = isFirst
    }
}
