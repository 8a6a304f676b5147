internal import PromisedAccess
internal import PromisedDomain
internal import PromisedProtocol

/// The page of a list that a request selects.
struct PageRequest<Cursor> {
    /// The start of the page; nil for the first.
    let cursor: Cursor?
    /// The most items on it.
    let limit: Int

    /// Reads the fields of a request.
    ///
    /// - Parameters:
    ///   - largest: the largest number of items on a page.
    ///   - unasked: the default number of items; nil for `largest`.
    ///   - parse: reads a cursor of an earlier reply.
    /// - Throws: `invalid` with the field: an unknown cursor, a limit below 1.
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

    /// The start of a page whose size the request does not specify.
    ///
    /// - Throws: `invalid` for an unknown cursor.
    static func cursor(_ text: String, _ parse: (String) -> Cursor?) throws(Refusal) -> Cursor? {
        guard !text.isEmpty else { return nil }
        let isLooked = text.utf8.count <= TextWeight.cursor && text.utf8.allSatisfy { $0 < 0x80 }
        guard isLooked, let cursor = parse(text) else { throw .invalid(field: "cursor") }
        return cursor
    }
}

/// The most items on a page of a list.
let pageSize = 50

protocol PagedRequest {
    var cursor: String { get }
    var hasLimit: Bool { get }
    var limit: Int32 { get }
}

extension WireListFriends: PagedRequest {}
extension WireListFriendRequests: PagedRequest {}
extension WireListPromises: PagedRequest {}
extension WireNearbyPlaces: PagedRequest {}
extension WireSearchPlaces: PagedRequest {}
extension WireListFavourites: PagedRequest {}
extension WireListNotifications: PagedRequest {}
extension WireAdminFindPlaces: PagedRequest {}
extension WireAdminListFriends: PagedRequest {}
extension WireAdminListFriendRequests: PagedRequest {}
extension WireAdminListUsers: PagedRequest {}
extension WireAdminListPromises: PagedRequest {}
extension WireAdminListSessions: PagedRequest {}
extension WireAdminListAudit: PagedRequest {}
extension WireAdminExportPositions: PagedRequest {}
