import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct FixIntakeTests {
    static let promise = Promise.sample()
    static let now = Instant.meeting
    static let millisecond = TimeSpan.milliseconds(1)

    /// The intake's result for a fix that the phone dates `lead` after its receipt at `now`.
    static func settle(
        _ change: (inout Fix) -> Void = { _ in },
        lead: TimeSpan = .zero,
        at now: Instant = now,
        mock: ArrivalRule.MockPolicy = .flag
    ) throws(Refusal) -> SettledFix {
        let phone = PhoneClock()
        var clock = DeviceClock()
        let sent = phone.readings(at: now)
        clock.observe(sent, at: now)
        var fix = phone.fix(at: now + lead)
        change(&fix)
        return try FixIntake(window: promise.window, mock: mock).settle(fix, clock: clock, sent: sent, at: now)
    }

    // MARK: - Time

    struct Lead: CustomTestStringConvertible, Sendable {
        var lead: TimeSpan
        /// Nil: refused as in the future.
        var kept: TimeSpan?
        var testDescription: String { "\(lead.seconds) s ahead" }
    }

    static let leads: [Lead] = [
        Lead(lead: -.seconds(100), kept: -.seconds(100)),
        Lead(lead: .zero, kept: .zero),
        // 5 s: the time is stored unchanged up to here.
        Lead(lead: .seconds(5) - millisecond, kept: .seconds(5) - millisecond),
        Lead(lead: .seconds(5), kept: .seconds(5)),
        Lead(lead: .seconds(5) + millisecond, kept: .zero),
        // 60 s: up to here it becomes the receive time.
        Lead(lead: .seconds(60) - millisecond, kept: .zero),
        Lead(lead: .seconds(60), kept: .zero),
        Lead(lead: .seconds(60) + millisecond, kept: nil),
        // A fix 10 days ahead.
        Lead(lead: .days(10), kept: nil),
    ]

    @Test(.proves("5.10", "position.in-future"), arguments: leads)
    func `accepts a fix ahead of the server, sets it to its receipt or rejects it`(_ row: Lead) throws {
        if let kept = row.kept {
            let settled = try Self.settle(lead: row.lead)
            #expect(settled.time == Self.now + kept)
            #expect(settled.receivedAt == Self.now)
        } else {
            #expect(throws: Refusal.positionInFuture) { try Self.settle(lead: row.lead) }
        }
    }

    struct Dating: CustomTestStringConvertible, Sendable {
        var name: String
        var madeAt: Instant
        var receivedAt: Instant
        var isTaken: Bool
        var testDescription: String { name }
    }

    static let opening = promise.opensAt
    static let end = promise.closesAt

    static let datings: [Dating] = [
        // The start is included.
        Dating(name: "1 ms before", madeAt: opening - millisecond, receivedAt: opening, isTaken: false),
        Dating(name: "at the start", madeAt: opening, receivedAt: opening, isTaken: true),
        Dating(name: "1 ms after", madeAt: opening + millisecond, receivedAt: opening + millisecond, isTaken: true),
        // The end is excluded; earlier fixes are accepted while settling.
        Dating(name: "1 ms before the end", madeAt: end - millisecond, receivedAt: end + .minutes(14), isTaken: true),
        Dating(name: "at the end", madeAt: end, receivedAt: end, isTaken: false),
        Dating(name: "1 ms after the end", madeAt: end + millisecond, receivedAt: end + millisecond, isTaken: false),
        // A lead moves the fix into the window, or out of it.
        Dating(name: "6 s ahead, 1 s to go", madeAt: end + .seconds(5), receivedAt: end - .seconds(1), isTaken: true),
        Dating(name: "5 s ahead, 5 s to go", madeAt: end, receivedAt: end - .seconds(5), isTaken: false),
        Dating(name: "5 s ahead of the start", madeAt: opening, receivedAt: opening - .seconds(5), isTaken: true),
    ]

    @Test(.proves("5.2", "5.10", "position.outside-window"), arguments: datings)
    func `accepts only fixes dated inside the window`(_ row: Dating) throws {
        let lead = row.madeAt - row.receivedAt
        if row.isTaken {
            #expect(Self.promise.window.contains(try Self.settle(lead: lead, at: row.receivedAt).time))
        } else {
            #expect(throws: Refusal.positionOutsideWindow) { try Self.settle(lead: lead, at: row.receivedAt) }
        }
    }

    // MARK: - Plausibility

    struct Field: CustomTestStringConvertible, Sendable {
        var name: String
        var change: @Sendable (inout Fix) -> Void
        var isTaken: Bool
        var testDescription: String { name }

        init(_ name: String, isTaken: Bool, _ change: @escaping @Sendable (inout Fix) -> Void) {
            self.name = name
            self.isTaken = isTaken
            self.change = change
        }
    }

    static let fields: [Field] = [
        // Coordinates.
        Field("(0, 0)", isTaken: false) { $0.coordinate = Coordinate(latitude: 0, longitude: 0) },
        Field("(0, −0)", isTaken: false) { $0.coordinate = Coordinate(latitude: 0, longitude: -0.0) },
        Field("beside (0, 0)", isTaken: true) { $0.coordinate = Coordinate(latitude: 0, longitude: 1e-9) },
        Field("NaN latitude", isTaken: false) { $0.coordinate.latitude = .nan },
        Field("NaN longitude", isTaken: false) { $0.coordinate.longitude = .nan },
        Field("infinite latitude", isTaken: false) { $0.coordinate.latitude = .infinity },
        Field("infinite longitude", isTaken: false) { $0.coordinate.longitude = -.infinity },
        Field("180° east", isTaken: true) { $0.coordinate.longitude = 180 },
        Field("180° west", isTaken: true) { $0.coordinate.longitude = -180 },
        Field("beyond 180°", isTaken: false) { $0.coordinate.longitude = (180.0).nextUp },
        Field("the north pole", isTaken: true) { $0.coordinate.latitude = 90 },
        Field("the south pole", isTaken: true) { $0.coordinate.latitude = -90 },
        Field("beyond the pole", isTaken: false) { $0.coordinate.latitude = (-90.0).nextDown },
        // Accuracy: below 0, 0, 10 km and beyond.
        Field("no accuracy", isTaken: true) { $0.accuracyMetres = nil },
        Field("accuracy just below 0", isTaken: false) { $0.accuracyMetres = -0.001 },
        Field("accuracy 0", isTaken: true) { $0.accuracyMetres = 0 },
        Field("accuracy just above 0", isTaken: true) { $0.accuracyMetres = 0.001 },
        Field("accuracy just below 10 km", isTaken: true) { $0.accuracyMetres = 9_999.999 },
        Field("accuracy 10 km", isTaken: true) { $0.accuracyMetres = 10_000 },
        Field("accuracy just above 10 km", isTaken: false) { $0.accuracyMetres = 10_000.001 },
        Field("accuracy NaN", isTaken: false) { $0.accuracyMetres = .nan },
        Field("accuracy infinite", isTaken: false) { $0.accuracyMetres = .infinity },
        // Speeds and clocks.
        Field("no speed", isTaken: true) { $0.speedMps = nil },
        Field("speed −1, unknown on iOS", isTaken: true) { $0.speedMps = -1 },
        Field("speed NaN", isTaken: false) { $0.speedMps = .nan },
        Field("speed infinite", isTaken: false) { $0.speedMps = .infinity },
        Field("uptime NaN", isTaken: false) { $0.uptimeMs = .nan },
        Field("uptime beyond all bounds", isTaken: false) { $0.uptimeMs = 1e300 },
        Field("wall clock NaN", isTaken: false) { $0.wallMs = .nan },
        Field("wall clock beyond all bounds", isTaken: false) { $0.wallMs = -1e300 },
    ]

    @Test(.proves("5.11", "position.invalid"), arguments: fields)
    func `rejects invalid input`(_ row: Field) throws {
        if row.isTaken {
            #expect(try Self.settle(row.change).seq == 1)
        } else {
            #expect(throws: Refusal.positionInvalid) { try Self.settle(row.change) }
        }
    }

    @Test func `rejects an absurd uptime as in the future or outside the window`() {
        #expect(throws: Refusal.positionInFuture) { try Self.settle { $0.uptimeMs = 1e15 } }
        #expect(throws: Refusal.positionOutsideWindow) { try Self.settle { $0.uptimeMs = -1e15 } }
    }

    @Test func `stores an unknown speed as none`() throws {
        #expect(try Self.settle { $0.speedMps = -1 }.speedMps == nil)
        #expect(try Self.settle { $0.speedMps = 0 }.speedMps == 0)
    }

    @Test(.proves("5.21", "position.mock")) func `flags or rejects a simulated fix as the promise requires`() throws {
        let settled = try Self.settle({ $0.isMock = true }, mock: .flag)
        #expect(settled.isMock)
        #expect(throws: Refusal.positionMock) { try Self.settle({ $0.isMock = true }, mock: .reject) }
        #expect(try !Self.settle(mock: .reject).isMock)
    }

    // MARK: - Error and freshness

    @Test(
        .proves("5.12"),
        arguments: [
            (nil, 50.0), (0, 50), (0.1, 5), (4.9, 5), (5, 5), (5.1, 5.1), (50, 50), (10_000, 10_000),
        ]
    )
    func `the error is the accuracy, at least 5 m, and 50 m where unknown`(accuracy: Double?, error: Double) {
        #expect(SettledFix.sample(seq: 1, at: Self.now, metres: 0, accuracy: accuracy).errorMetres == error)
    }

    @Test(arguments: [(-5_000, true), (0, true), (14_999, true), (15_000, true), (16_000, false)])
    func `a fix is live when received within 15 s of its time`(delay: Int, isLive: Bool) {
        let fix = SettledFix.sample(seq: 1, at: Self.now, metres: 0, delay: .milliseconds(Int64(delay)))
        #expect(fix.isLive == isLive)
    }

    @Test func `sorts fixes by time, then by number`() {
        let first = SettledFix.sample(seq: 9, at: Self.now, metres: 5)
        let second = SettledFix.sample(seq: 1, at: Self.now + Self.millisecond, metres: 3)
        let third = SettledFix.sample(seq: 2, at: Self.now + Self.millisecond, metres: 1)
        #expect([third, second, first].sorted() == [first, second, third])
    }
}
