internal import PromisedDomain
package import PromisedSimulation

/// The plan of one run of a world; the rest follows from the rules and the seed.
///
/// A story can be stored and run again. A shorter story of the same seed has fewer acts, and the phones, movements and
/// connections stay the same.
package struct Story: Hashable, Sendable, Codable {
    /// The seed of all unplanned random choices: delays, the order of jobs, ids.
    package var seed: UInt64
    /// The number of people, all friends of each other; person 0 is the owner of the first promise.
    package var people: Int
    /// The phones, at least one for each person.
    package var phones: [Phone]
    package var network: Network
    /// The window of all promises, in seconds.
    package var spans: Spans
    /// The person with the client library on another device; nil for none.
    package var app: Int?
    /// The system whose measured errors the client library's phone makes; nil: small errors.
    package var appErrsLike: MeasuredPhone.System?
    /// The acts, by time.
    package var acts: [Act]

    /// A phone with its clocks and its errors.
    package struct Phone: Hashable, Sendable, Codable {
        package var person: Int
        /// How far its wall clock is ahead, in milliseconds.
        package var wallAheadMs: Int64
        /// `true` if it sends its monotonic clock.
        package var sendsUptime: Bool
        /// `true` if it sends its wall clock.
        package var sendsWall: Bool
        /// The system whose measured errors it makes; nil: small errors.
        package var errsLike: MeasuredPhone.System?
    }

    /// The quality of all connections.
    package struct Network: Hashable, Sendable, Codable {
        /// The longest delay of a message, in milliseconds.
        package var delayMs: Int64
        /// One message in this number loses its connection; 0 for none.
        package var cutsOneIn: Int
        /// How long a client waits for an answer before it repeats the request, in milliseconds.
        package var patienceMs: Int64
        /// The longest duration of a write on the disk, in milliseconds.
        package var diskMs: Int64
    }

    /// The spans of a window, in seconds.
    package struct Spans: Hashable, Sendable, Codable {
        package var before: Int64
        package var after: Int64
        package var settle: Int64
    }

    /// `true` if any act concerns places, visits, courses or files.
    var hasErrands: Bool {
        acts.contains { act in
            switch act.deed {
            case .errand, .app(.upload), .app(.record): true
            default: false
            }
        }
    }

    /// `true` if any act requests the weather.
    var hasWeather: Bool { acts.contains { if case .errand(.outlook) = $0.deed { true } else { false } } }

    /// The beginning of every story.
    static let beginning = Instant(milliseconds: 1_795_246_200_000)
    /// The place of all promises: on the equator, where metres are simple.
    static let place = Coordinate(latitude: 0, longitude: 127)

    package struct Act: Hashable, Sendable, Codable {
        /// The instant, in milliseconds since the beginning.
        package var atMs: Int64
        package var deed: Deed
    }
}

/// The kinds of acts. People, phones and promises are identified by their numbers in the story.
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
    /// Cuts the connection; the client reconnects, and the server detects the end, after a while.
    case cut(phone: Int, backAfterMs: Int64, noticedAfterMs: Int64)
    /// The client reads nothing for a while.
    case stall(phone: Int, ms: Int64)
    /// The client sends this many requests at once, more than it may.
    case flood(phone: Int, requests: Int)
    case moveClock(phone: Int, byMs: Int64)
    case reboot(phone: Int)
    /// The phone reports another position for a while.
    case lie(phone: Int, metres: Double, reports: Int, asMock: Bool)
    /// The process dies and is restarted after a while.
    case crash(downMs: Int64)
    /// The next transactions and the next writes of files fail.
    case fault(full: Bool, writes: Int)
    /// A statement fails, counted from the next one that writes.
    case spoil(statement: Int)
    /// The database cannot grow for a while.
    case choke(ms: Int64)
}

/// An act of the person with the client library, with its device.
package enum AppDeed: Hashable, Sendable, Codable {
    case walk(promise: Int, fromMetres: Double, toMetres: Double, metresPerSecond: Double, staySeconds: Int64)
    case upload(file: Int, bytes: Int, isPicture: Bool)
    /// Records a way: some points every ten seconds, this many times, then finishes. Once in a story.
    case record(batches: Int)
}
