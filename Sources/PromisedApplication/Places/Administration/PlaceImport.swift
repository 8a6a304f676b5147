package import PromisedDomain
internal import PromisedEngine
internal import PromisedFormats
package import PromisedPlaces

/// The id of an import in progress.
package typealias PlaceImportID = ID<PlaceImport>

/// A request for an import.
package struct PlaceImportOrder: Sendable, Hashable {
    /// The source; its texts replace the stored ones.
    package var source: PlaceSource
    /// `true` to remove the source's places that are missing from the rows.
    package var replaces: Bool
    /// The largest share of the source's places that may be removed, 0…100 percent.
    package var maxRemovedPercent: Int
    /// `true` to compute the same report without writing.
    package var isDryRun: Bool

    /// The default for ``maxRemovedPercent``.
    package static let usualRemovedPercent = 20

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
    /// Its index among the rows of the call, from 0.
    package var index: Int
    package var problem: PlaceRowProblem
}

/// The numbers of an import; for a dry run, those of the hypothetical import.
package struct PlaceImportReport: Hashable, Sendable {
    /// New places, and removed ones that were restored.
    package var added = 0
    /// Places with other content than before.
    package var changed = 0
    /// Unchanged places.
    package var unchanged = 0
    /// Places missing from the rows.
    package var removed = 0
    package var refused = 0

    package init() {}

    /// The number of the source's places before the import, if `missing` of them were in no row.
    func known(missing: Int) -> Int { missing + changed + unchanged }
}

/// The state of one import.
package struct PlaceImport {
    let order: PlaceImportOrder
    /// When it began or received its last rows, by the real clock.
    var lastUse: ContinuousClock.Instant
    /// The connection that began it or sent the last rows; nil for the offline command, and after the connection has
    /// ended.
    var connection: SubscriberID?
    /// `true` once its connection has ended, until rows arrive over another one: a new import of the source replaces
    /// it.
    var isAbandoned = false
    /// The numbers so far.
    var report = PlaceImportReport()
    /// The places in the rows; recorded only for a replacement.
    var seen: Set<PlaceID> = []
    /// How many batches are being written.
    var batches = 0
    /// `true` while places are being removed: further rows are rejected.
    var isFinishing = false
    private var refs: Set<ContentHash> = []

    init(_ order: PlaceImportOrder, from connection: SubscriberID?, at now: ContinuousClock.Instant) {
        self.order = order
        self.connection = connection
        lastUse = now
    }

    /// `true` if it has written any place.
    var hasWritten: Bool { !order.isDryRun && report.added + report.changed > 0 }

    /// Records a row by its `ref`; returns `false` if an earlier row had the same.
    mutating func note(_ ref: String) -> Bool { refs.insert(ContentHash(ref)).inserted }

    /// Forgets rows that could not be written, so that they can be sent again.
    mutating func forget(_ rows: [ImportedPlace]) {
        for row in rows { refs.remove(ContentHash(row.ref)) }
    }
}
