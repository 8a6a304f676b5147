internal import PromisedAccess
internal import PromisedDomain
internal import PromisedProtocol

/// The part of a list that a request asks for.
struct PageRequest<Cursor> {
    /// Where the page begins; nil for the first.
    let cursor: Cursor?
    /// How many items there are on it at most.
    let limit: Int

    /// Reads what a request says.
    ///
    /// - Parameters:
    ///   - largest: at most this many items on a page.
    ///   - unasked: how many where the request names no number; nil for `largest`.
    ///   - parse: reads a cursor that an earlier reply gave.
    /// - Throws: `invalid` with the field: a cursor that no reply gave, a limit below 1.
    init(
        _ request: some PagedRequest,
        largest: Int = pageSize,
        unasked: Int? = nil,
        _ parse: (String) -> Cursor?
    ) throws(Refusal) {
        cursor = try Self.cursor(request.cursor, parse)
        guard !request.hasLimit || request.limit >= 1 else { throw .invalid(field: "limit") }
        limit = request.hasLimit ? min(Int(request.limit), largest) : unasked ?? largest
    }

    /// Where a page begins whose size the request does not name. Throws `invalid` for a cursor that no reply gave.
    static func cursor(_ text: String, _ parse: (String) -> Cursor?) throws(Refusal) -> Cursor? {
        guard !text.isEmpty else { return nil }
        let isLooked = text.utf8.count <= TextWeight.cursor && text.utf8.allSatisfy { $0 < 0x80 }
        guard isLooked, let cursor = parse(text) else { throw .invalid(field: "cursor") }
        return cursor
    }
}

/// At most this many items on a page of a list.
let pageSize = 50

protocol PagedRequest {
    var cursor: String { get }
    var hasLimit: Bool { get }
    var limit: Int32 { get }
}

extension WireListFriends: PagedRequest {}
extension WireListFriendRequests: PagedRequest {}
extension WireListPromises: PagedRequest {}
extension WireAdminListFriends: PagedRequest {}
extension WireAdminListFriendRequests: PagedRequest {}
extension WireAdminListUsers: PagedRequest {}
extension WireAdminListPromises: PagedRequest {}
extension WireAdminListSessions: PagedRequest {}
extension WireAdminListAudit: PagedRequest {}
extension WireAdminExportPositions: PagedRequest {}
