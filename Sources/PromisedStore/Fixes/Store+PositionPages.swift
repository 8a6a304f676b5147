internal import GRDB
package import PromisedDomain

extension Store {
    /// A page of the stored positions of a promise, by user, device, time and number, without those that wait in a
    /// ``FixBuffer``. Index `fix_by_promise`.
    ///
    /// Reads all chunks of the promise, but unpacks only those of the users on the page, and holds few in memory.
    ///
    /// - Parameters:
    ///   - cursor: the end of the page before; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func positions(
        of promise: PromiseID,
        after cursor: FixCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<NumberedFix, FixCursor> {
        try await positions(of: promise, after: cursor, limit: limit, room: Store.positionRoom)
    }

    /// The same with another room for packed positions, in bytes.
    func positions(
        of promise: PromiseID,
        after cursor: FixCursor?,
        limit: Int,
        room: Int
    ) async throws(StoreError) -> Page<NumberedFix, FixCursor> {
        // Reads all chunks, which takes long for many.
        try await readAtLength { db in
            var selection = PositionSelection(after: cursor, limit: limit + 1)
            var next = cursor?.userID
            repeat {
                var packed = PackedPositions(from: next, limit: limit + 1, room: room)
                try FixRecord.forEachPackedChunk(of: promise, from: db) { try packed.take($0) }
                for (user, groups) in packed.sorted where !selection.isFull { try selection.take(groups, of: user) }
                next = packed.missing
            } while next != nil && !selection.isFull
            return Page(fetched: selection.found, limit: limit, cursor: \.cursor)
        }
    }

    /// The bytes of packed positions that a page may hold: some 25,000 positions.
    private static let positionRoom = 512 * 1_024
}
