internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedPlaces
internal import PromisedProtocol

enum Ask: Hashable, Sendable {
    case create(promise: Int, key: String, meetsInSeconds: Int64, radius: Int, penalty: Int32, firstFix: Bool)
    case respond(PromiseID, accepts: Bool)
    case leave(PromiseID)
    case cancel(PromiseID)
    case handOver(PromiseID, to: UserID)
    case edit(PromiseID, Change)
    case excuse(PromiseID, UserID)
    case subscribe(PromiseID, since: ResumePoint?)
    case report(PromiseID, Report)
    /// To all promises that are tracking or settling.
    case reportToAll(Report)
    case share(PromiseID, on: Bool)
    case status(PromiseID, String)
    case nudge(PromiseID, UserID)
    case trouble(PromiseID)
    case checkIn(PromiseID, withCode: Bool)
    case block(UserID)
    case unblock(UserID)
    case unfriend(UserID)
    case befriend(UserID)
    case erase
    case lookBack
    case errand(ErrandAsk)

    /// One change of an edit.
    enum Change: Hashable, Sendable {
        case title(String)
        case moved(bySeconds: Int64)
        case remove(UserID)
        case invite(UserID)
    }
}

/// A message of a client.
struct Request: Sendable {
    let number: Int
    let connection: ConnectionNumber
    let ask: Ask
}

/// The server's answer to a request.
enum Answer: Sendable {
    case done
    case created(promise: Int, PromiseID)
    case subscribed(
        PromiseID,
        epoch: String,
        lastSeq: Int,
        missed: [NumberedEvent]?,
        shown: [LivePosition],
        view: SessionView,
        nextReport: TimeSpan?
    )
    case receipt(ReportReceipt)
    case arrived(PromiseID, RankedArrival)
    case lookedBack(Statistics)
    case errand(ErrandAnswer)
    /// A refusal, by its name, and as sent over the wire.
    case refused(String, WireErrorReply)
    /// Try again later.
    case unavailable
}

/// The number of a connection; never used again.
typealias ConnectionNumber = UInt64

/// A message of the server to one connection.
enum Frame: Sendable {
    case answer(Int, Answer)
    case event(PromiseID, NumberedEvent)
    case positions(PromiseID, [LivePosition], nextReport: TimeSpan?)
    case passing(PromiseID, PassingEvent)
    case notice(NewsItem)
    /// An outlook that was pending, or that has changed.
    case outlook(OutlookSubject, PlaceOutlook)
}

/// The server's output for clients, in order.
enum Output: Sendable {
    /// Sends a frame to connections.
    case send(Frame, to: [ConnectionNumber], in: SessionView?)
    /// Sends an answer, whose effects must hold from now on.
    case answer(Answer, to: Request, from: UserID)
    /// Ends an import of the operator.
    case loaded(LoadedPlaces)
    case close(UserID)
}
