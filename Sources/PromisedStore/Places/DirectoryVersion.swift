/// The version of the directory: a number that increases with every change to its places and sources.
enum DirectoryVersion {
    /// The current version; 0 for an unchanged directory. Primary key.
    static func current(in db: SQLConnection) throws -> Int {
        try db.number("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'directory-version'", named: [:])
    }

    /// Increments the version, in the transaction of the change. Primary key.
    ///
    /// - Returns: the new version.
    static func raise(in db: SQLConnection) throws -> Int {
        try db.run(
            """
            INSERT INTO meta (key, value) VALUES ('directory-version', '1')
            ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1
            """
        )
        return try current(in: db)
    }
}
