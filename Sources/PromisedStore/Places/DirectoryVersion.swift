internal import GRDB

/// The version of the directory: a number that every change of its places and sources raises.
enum DirectoryVersion {
    /// The present version; 0 for a directory that nothing has changed yet. Primary key.
    static func current(in db: Database) throws -> Int {
        try db.number("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'directory-version'", named: [:])
    }

    /// Raises the version by one, in the transaction of the change. Primary key.
    ///
    /// - Returns: the version of the change.
    static func raise(in db: Database) throws -> Int {
        try db.run(
            """
            INSERT INTO meta (key, value) VALUES ('directory-version', '1')
            ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1
            """
        )
        return try current(in: db)
    }
}
