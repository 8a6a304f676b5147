package import PromisedDomain
internal import PromisedEngine
internal import PromisedFormats

/// Names an import in progress.
package typealias PlaceImportID = ID<PlaceImport>

/// A request for an import.
package struct PlaceImportOrder: Sendable, Hashable {
    /// The source; its texts replace those that it had.
    package var source: PlaceSource
    /// `true` to remove the places of the source that the rows do not have.
    package var replaces: Bool
    /// The largest share of the source that may be removed, 0…100 percent.
    package var maxRemovedPercent: Int
    /// `true` to report the same and write nothing.
    package var isDryRun: Bool

    /// The largest share that is removed unless the operator says otherwise.
    package static let usualRemovedPercent = 20

    /// A request with all its fields.
    package init(
        source: PlaceSource,
        replaces: Bool = false,
        maxRemovedPercent: Int = usualRemovedPercent,
        isDryRun: Bool = false
    ) {
        self.source = source
        self.replaces = replaces
        self.maxRemovedPercent = maxRemovedPercent
        self.isDryRun = isDryRun
    }
}

/// A row that was refused.
package struct RefusedPlaceRow: Hashable, Sendable {
    /// Its place among the rows of the call, from 0.
    package var index: Int
    /// Why.
    package var problem: PlaceRowProblem
}

/// The numbers of an import; of a dry run those that it would have.
package struct PlaceImportReport: Hashable, Sendable {
    /// New places, and removed ones that came back.
    package var added = 0
    /// Places with other content than before.
    package var changed = 0
    /// Places as they were.
    package var unchanged = 0
    /// Places that the rows did not have.
    package var removed = 0
    /// Rows that were refused.
    package var refused = 0

    /// Nothing so far.
    package init() {}

    /// The places of the source before the import, if `missing` of them were in no row.
    func known(missing: Int) -> Int { missing + changed + unchanged }
}

/// The state of one import.
package struct PlaceImport {
    let order: PlaceImportOrder
    /// When it began or got its last rows, by the real clock.
    var lastUse: ContinuousClock.Instant
    /// The connection that began it or sent the last rows; nil for the offline command, and once the connection has ended.
    var connection: SubscriberID?
    /// `true` once its connection has ended, until rows come over another one: a new import of the source takes its place.
    var isAbandoned = false
    /// The numbers so far.
    var report = PlaceImportReport()
    /// The places that the rows have; only kept for a replacement.
    var seen: Set<PlaceID> = []
    /// How many batches are being written.
    var batches = 0
    /// `true` while places are being removed: no more rows are taken.
    var isFinishing = false
    private var refs: Set<ContentHash> = []

    init(_ order: PlaceImportOrder, from connection: SubscriberID?, at now: ContinuousClock.Instant) {
        self.order = order
        self.connection = connection
        lastUse = now
    }

    /// `true` if it wrote anything.
    var hasWritten: Bool { !order.isDryRun && report.added + report.changed > 0 }

    /// Notes a row by its `ref`; returns false if a row before had the same.
    mutating func note(_ ref: String) -> Bool { refs.insert(ContentHash(ref)).inserted }

    /// Forgets rows that could not be written, so that they can be sent again.
    mutating func forget(_ rows: [ImportedPlace]) {
        for row in rows { refs.remove(ContentHash(row.ref)) }
    }
}
