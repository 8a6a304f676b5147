internal import GRDB

/// Brings a database to the current schema.
enum SchemaMigration {
    /// The pending change of a database; changes nothing. Throws ``StoreError/newerSchema`` if the database has a step
    /// that this version does not know.
    static func change(of database: some DatabaseReader) throws -> SchemaChange {
        try database.read { db in
            let applied = try DatabaseMigrator().appliedIdentifiers(db)
            guard applied.isSubset(of: Migrations.steps.map(\.name)) else { throw StoreError.newerSchema }
            let missing = Migrations.steps.map(\.name).filter { !applied.contains($0) }
            return SchemaChange(migrations: missing, isFirst: applied.isEmpty)
        }
    }

    /// Runs the missing steps, after backing up the database unless it is empty; blocks the thread. The backup replaces
    /// those of earlier attempts.
    ///
    /// - Parameter backupPrefix: the beginning of the backup's path.
    /// - Returns: the change with the path of the backup.
    static func carryOut(_ change: SchemaChange, on pool: DatabasePool, backupPrefix: String) throws -> SchemaChange {
        var change = change
        guard let first = change.migrations.first else { return change }
        if !change.isFirst {
            let path = "\(backupPrefix).before-\(first)"
            try DatabaseCopy.writeNewest(from: pool, to: path)
            change.backupPath = path
        }
        try run(change.migrations, on: pool)
        return change
    }

    /// Creates the current schema in an empty database.
    static func create(in database: some DatabaseWriter) throws {
        try run(Migrations.steps.map(\.name), on: database)
    }

    /// The steps applied to a database, in order.
    static func applied(in db: SQLConnection) throws -> [String] {
        let applied: [String] = try db.rows("SELECT identifier FROM grdb_migrations").map { try $0.value(0) }
        return Migrations.steps.map(\.name).filter(applied.contains)
    }

    /// Runs steps in order, all in one transaction: after a crash or an error the old schema is intact.
    private static func run(_ names: [String], on database: some DatabaseWriter) throws {
        let missing = Migrations.steps.filter { names.contains($0.name) }
        guard let last = missing.last else { return }
        var migrator = DatabaseMigrator()
        // GRDB commits each migration separately, so all steps are one GRDB migration, with the name of the last.
        migrator.registerMigration(last.name) { db in
            for step in missing {
                try run(step.work, on: db)
                guard step.name != last.name else { break }
                try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [step.name])
            }
        }
        try migrator.migrate(database)
    }

    private static func run(_ work: Migrations.Work, on db: Database) throws {
        switch work {
        case .script(let sql): try db.execute(sql: sql)
        case .rows(let change): try change(SQLConnection(db))
        case .cleanFile: try CleanFile.clean(db)
        }
    }
}
