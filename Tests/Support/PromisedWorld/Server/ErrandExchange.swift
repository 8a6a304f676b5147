internal import PromisedApplication
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces

/// A client's request about its user's data.
enum ErrandAsk: Hashable, Sendable {
    case lookUp(PlaceID)
    case favour(key: String, Place)
    case unfavour(FavouriteID)
    case relocate(PromiseID, PlaceID)
    case note(key: String, Place, at: Instant, picture: FileID?)
    case edit(VisitID, version: Int, Audience, companion: UserID?)
    case discard(VisitID)
    case keepWay(PromiseID, key: String)
    case start(recording: Int, key: String)
    case append(recording: Int, RecordingID, RecordedBatch)
    case finish(RecordingID)
    case drop(RecordingID)
    case share(CourseID, Audience, with: UserID?)
    case delete(CourseID)
    case carry(PromiseID, CourseID)
    case copy(CourseID, key: String)
    case begin(file: Int, Upload.Announcement)
    case put(file: Int, UploadID, offset: Int64, [UInt8])
    case peek([Sight])
    case export
    case outlook(PromiseID)
    case mute(Bool)
    case inbox

    var name: String {
        switch self {
        case .lookUp: "lookUp"
        case .favour: "favour"
        case .unfavour: "unfavour"
        case .relocate: "relocate"
        case .note: "note"
        case .edit: "edit"
        case .discard: "discard"
        case .keepWay: "keepWay"
        case .start: "start"
        case .append: "append"
        case .finish: "finish"
        case .drop: "drop"
        case .share: "share"
        case .delete: "delete"
        case .carry: "carry"
        case .copy: "copy"
        case .begin: "begin"
        case .put: "put"
        case .peek: "peek"
        case .export: "export"
        case .outlook: "outlook"
        case .mute: "mute"
        case .inbox: "inbox"
        }
    }
}

/// Something with an audience.
enum Sight: Hashable, Sendable, Comparable {
    case visit(VisitID)
    case course(CourseID)
    case file(FileID)
}

/// The server's answer to an errand.
enum ErrandAnswer: Hashable, Sendable {
    case place(OpeningState, isRemoved: Bool)
    case favourite(FavouriteID)
    case visit(VisitID, version: Int)
    case course(CourseID, version: Int)
    case recording(Int, RecordingID)
    case recorded(Int, RecordingReceipt)
    case upload(file: Int, UploadID, offset: Int64, made: FileID?)
    /// The visible items among the requested ones.
    case seen([Sight])
    /// The archive is being made, or has been deleted.
    case exporting
    case exported(FileID, [UInt8])
    case outlook(PlaceOutlook)
    case inbox([NotificationID])

    var line: String {
        switch self {
        case .place(let opening, let isRemoved): "place \(opening) \(isRemoved)"
        case .favourite(let id): "favourite \(id)"
        case .visit(let id, let version): "visit \(id) \(version)"
        case .course(let id, let version): "course \(id) \(version)"
        case .recording(let number, let id): "recording \(number) \(id)"
        case .recorded(let number, let receipt): "recorded \(number) \(receipt.taken) \(receipt.rejected.count)"
        case .upload(let file, _, let offset, let made): "upload \(file) \(offset) \(made.map { "\($0)" } ?? "-")"
        case .seen(let sights): "seen \(sights.count)"
        case .exporting: "exporting"
        case .exported(let id, let bytes): "exported \(id) \(bytes.count)"
        case .outlook(let outlook): "outlook \(outlook.line)"
        case .inbox(let ids): "inbox \(ids.count)"
        }
    }
}

/// An import that has ended.
struct LoadedPlaces: Hashable, Sendable {
    let rows: [ImportedPlace]
    let isReplacement: Bool
    let report: PlaceImportReport
}

extension PlaceOutlook {
    var line: String { "\(opening) \(weather.state) \(weather.report?.hour.forecast.temperatureCelsius ?? 0)" }
}
