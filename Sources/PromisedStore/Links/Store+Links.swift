internal import Foundation
internal import GRDB
public import PromisedDomain

extension Store {
    /// The promise that may be watched at an instant by the code with this hash; nil when the code is unknown, revoked,
    /// replaced or expired, or the promise is cancelled or its window over. Index `view_link_by_code`.
    ///
    /// - Parameter codeHash: the SHA-256 of the code.
    public func promise(watchedBy codeHash: [UInt8], at now: Instant) async throws(StoreError) -> PromiseID? {
        try await read { db in
            try db.row(
                """
                SELECT view_link.promise_id FROM view_link INDEXED BY view_link_by_code
                JOIN promise ON promise.id = view_link.promise_id
                WHERE view_link.code_hash = ? AND promise.cancelled_at IS NULL AND promise.closes_at > ?
                    AND (view_link.expires_at IS NULL OR view_link.expires_at > ?)
                """,
                [Data(codeHash), now, now]
            ).map { try $0.value("promise_id") }
        }
    }
}
