internal import GRDB
internal import GRDBSQLite

/// Keeps the file of a database free of copies of deleted rows: overwrites the ``PageGap`` of each page when SQLite
/// writes it to the file.
///
/// Only a checkpoint writes into the file of a database with a log. The written bytes differ only where SQLite never
/// reads, so the difference affects neither readers nor recovery after a crash. Pages in the log and in memory may
/// contain such copies until the log is emptied: see ``Checkpointer/truncate(on:)``.
enum CleanFile {
    /// Cleans every page that a connection writes into the file from now on. Call this before the first write.
    ///
    /// The database can't grow beyond ``PageGap/mostPages``. Does nothing for a database that is already larger, in
    /// memory, or uses `auto_vacuum`.
    static func keep(by db: Database) throws {
        guard let file = try file(of: db), file.pointee.pMethods.pointee.xWrite.map(address(of:)) != address(of: write)
        else {
            return
        }
        // The functions that SQLite calls for this file, then the original ones.
        let functions = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 2)
        functions.initialize(repeating: file.pointee.pMethods.pointee, count: 2)
        functions[0].xWrite = write
        functions[0].xClose = { file in
            guard let file, let functions = file.pointee.pMethods else { return SQLITE_IOERR }
            let close = functions[1].xClose
            functions.deallocate()
            return close?(file) ?? SQLITE_IOERR
        }
        file.pointee.pMethods = UnsafePointer(functions)
    }

    private typealias Write =
        @convention(c) (
            UnsafeMutablePointer<sqlite3_file>?, UnsafeRawPointer?, Int32, sqlite3_int64
        ) -> Int32

    /// Writes into the file; overwrites the page's gap.
    private static let write: Write = { file, bytes, count, offset in
        guard let file, let bytes, let write = file.pointee.pMethods[1].xWrite else { return SQLITE_IOERR }
        let page = UnsafeRawBufferPointer(start: bytes, count: Int(count))
        guard offset % Int64(max(count, 1)) == 0, let gap = PageGap.range(in: page, isFirst: offset == 0) else {
            return write(file, bytes, count, offset)
        }
        return withUnsafeTemporaryAllocation(byteCount: page.count, alignment: 16) { clean in
            clean.copyMemory(from: page)
            UnsafeMutableRawBufferPointer(rebasing: clean[gap]).initializeMemory(as: UInt8.self, repeating: 0)
            return write(file, clean.baseAddress, count, offset)
        }
    }

    private static func address(of function: Write) -> UnsafeRawPointer {
        unsafeBitCast(function, to: UnsafeRawPointer.self)
    }

    /// Cleans pages already in the file, written by an earlier version.
    ///
    /// Call this on the writing connection: no other connection may write into the file meanwhile.
    static func clean(_ db: Database) throws {
        guard let file = try file(of: db), let functions = file.pointee.pMethods?.pointee else { return }
        let size = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4_096
        var end: Int64 = 0
        try check(functions.xFileSize(file, &end))
        try withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { page in
            for offset in stride(from: 0, through: end - Int64(size), by: size) {
                try check(functions.xRead(file, page.baseAddress, Int32(size), offset))
                guard let gap = PageGap.range(in: UnsafeRawBufferPointer(page), isFirst: offset == 0) else { continue }
                let copies = UnsafeMutableRawBufferPointer(rebasing: page[gap])
                guard copies.contains(where: { $0 != 0 }) else { continue }
                copies.initializeMemory(as: UInt8.self, repeating: 0)
                try check(functions.xWrite(file, copies.baseAddress, Int32(gap.count), offset + Int64(gap.lowerBound)))
            }
        }
        try check(functions.xSync(file, SQLITE_SYNC_NORMAL))
    }

    /// `true` if the first byte of each page tells its kind: the database has at most ``PageGap/mostPages``, and no
    /// `auto_vacuum` pages, which begin like B-tree pages.
    static func knowsPages(of db: Database) throws -> Bool {
        let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? .max
        return try pages <= PageGap.mostPages && Int.fetchOne(db, sql: "PRAGMA auto_vacuum") == 0
    }

    /// SQLite's object for the file; nil if the file is not cleaned.
    private static func file(of db: Database) throws -> UnsafeMutablePointer<sqlite3_file>? {
        guard try knowsPages(of: db) else { return nil }
        let most = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(PageGap.mostPages)") ?? .max
        guard most <= PageGap.mostPages else { return nil }
        var file: UnsafeMutablePointer<sqlite3_file>?
        try check(sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file))
        return file?.pointee.pMethods == nil ? nil : file
    }

    private static func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
