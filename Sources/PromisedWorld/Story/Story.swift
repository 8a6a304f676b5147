internal import PromisedDomain
package import PromisedSimulation

/// All that is planned of one life in a world; the rest follows from the rules and the seed.
///
/// A story can be written down and lived again. A shorter story of the same seed has fewer acts, and everybody's phones,
/// movements and connections stay as they are.
package struct Story: Hashable, Sendable, Codable {
    /// Feeds every random choice that is not planned: delays, the order of jobs, ids.
    package var seed: UInt64
    /// The number of people, all friends of each other; person 0 is the owner of the first promise.
    package var people: Int
    /// The phones, at least one for each person.
    package var phones: [Phone]
    /// The connections' quality.
    package var network: Network
    /// The window of all promises, in seconds.
    package var spans: Spans
    /// The person who follows promises by the client library on one more device; nil for nobody.
    package var app: Int?
    /// The system by whose measured errors the phone of the client library errs; nil: only a little.
    package var appErrsLike: MeasuredPhone.System?
    /// The acts, by time.
    package var acts: [Act]

    /// A phone, the habits of its clocks, and its errors.
    package struct Phone: Hashable, Sendable, Codable {
        /// Its user.
        package var person: Int
        /// How far its wall clock is ahead, in milliseconds.
        package var wallAheadMs: Int64
        /// `true` if it sends its monotonic clock.
        package var sendsUptime: Bool
        /// `true` if it sends its wall clock.
        package var sendsWall: Bool
        /// The system by whose measured errors it errs; nil: only a little.
        package var errsLike: MeasuredPhone.System?
    }

    /// The quality of all connections.
    package struct Network: Hashable, Sendable, Codable {
        /// The longest delay of a message, in milliseconds.
        package var delayMs: Int64
        /// A message meets a cut with a chance of one in this number; 0 for never.
        package var cutsOneIn: Int
        /// How long a client waits for an answer before it sends the request again, in milliseconds.
        package var patienceMs: Int64
        /// The longest time that a write takes on the disk, in milliseconds.
        package var diskMs: Int64
    }

    /// The spans of a window, in seconds.
    package struct Spans: Hashable, Sendable, Codable {
        package var before: Int64
        package var after: Int64
        package var settle: Int64
    }

    /// `true` if anybody is about places, visits, courses or files.
    var hasErrands: Bool {
        acts.contains { act in
            switch act.deed {
            case .errand, .app(.upload), .app(.record): true
            default: false
            }
        }
    }

    /// `true` if anybody asks for the weather.
    var hasWeather: Bool { acts.contains { if case .errand(.outlook) = $0.deed { true } else { false } } }

    /// When every story begins.
    static let beginning = Instant(milliseconds: 1_795_246_200_000)
    /// Where all promises meet: on the equator, where metres are simple.
    static let place = Coordinate(latitude: 0, longitude: 127)

    /// One planned act.
    package struct Act: Hashable, Sendable, Codable {
        /// When, in milliseconds since the beginning.
        package var atMs: Int64
        /// The act.
        package var deed: Deed
    }
}

/// The kinds of acts. People, phones and promises are named by their numbers in the story.
package enum Deed: Hashable, Sendable, Codable {
    // MARK: Promises
    case create(promise: Int, by: Int, meetsInSeconds: Int64, radius: Int, penalty: Int32, firstFix: Bool)
    case respond(promise: Int, by: Int, accepts: Bool)
    case leave(promise: Int, by: Int)
    case cancel(promise: Int, by: Int)
    case handOver(promise: Int, by: Int, to: Int)
    case retitle(promise: Int, by: Int)
    case move(promise: Int, by: Int, bySeconds: Int64)
    case remove(promise: Int, by: Int, person: Int)
    case invite(promise: Int, by: Int, person: Int)
    case excuse(promise: Int, by: Int, person: Int)

    // MARK: On the way
    case walk(
        phone: Int,
        promise: Int,
        fromMetres: Double,
        toMetres: Double,
        metresPerSecond: Double,
        staySeconds: Int64
    )
    case share(promise: Int, by: Int, on: Bool)
    case status(promise: Int, by: Int)
    case nudge(promise: Int, by: Int, person: Int)
    case trouble(promise: Int, by: Int)
    case checkIn(promise: Int, by: Int, withCode: Bool)

    // MARK: People
    case block(by: Int, person: Int)
    case unblock(by: Int, person: Int)
    case unfriend(by: Int, person: Int)
    case befriend(by: Int, person: Int)
    case erase(person: Int)
    case lookBack(person: Int)
    case errand(Errand)
    case app(AppDeed)

    // MARK: The world
    case connect(phone: Int)
    /// The connection is gone; the client is back, and the server notices, after a while.
    case cut(phone: Int, backAfterMs: Int64, noticedAfterMs: Int64)
    /// The client reads nothing for a while.
    case stall(phone: Int, ms: Int64)
    case moveClock(phone: Int, byMs: Int64)
    case reboot(phone: Int)
    /// The phone says for a while that it is elsewhere.
    case lie(phone: Int, metres: Double, reports: Int, asMock: Bool)
    /// The process dies and is started again after a while.
    case crash(downMs: Int64)
    /// The next transactions fail, and so do the next writes of files.
    case fault(full: Bool, writes: Int)
    /// A statement fails, counted from the next one that writes.
    case spoil(statement: Int)
    /// The database cannot grow for a while.
    case choke(ms: Int64)
}

/// An act of the person who uses the client library, with its device.
package enum AppDeed: Hashable, Sendable, Codable {
    case walk(promise: Int, fromMetres: Double, toMetres: Double, metresPerSecond: Double, staySeconds: Int64)
    case upload(file: Int, bytes: Int, isPicture: Bool)
    /// Records a way: some points every ten seconds, this many times, then finishes. Once in a story.
    case record(batches: Int)
}
