import PromisedDomain
import PromisedJournal
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct RecordingMachineTests {
    private static let start = RandomTrack.start
    private static let course = CourseID(high: 3, low: 3)

    private func recorder(_ count: Int, every span: TimeSpan = .seconds(5)) -> RecorderPhone {
        var generator = SeededGenerator(seed: 1)
        var phone = RecorderPhone("phone", from: RandomTrack.start, wallLead: .hours(1), hasUptime: true)
        for number in 0..<Int64(count) {
            let at = Self.start + .milliseconds(span.milliseconds * number)
            phone.record(at: at, using: &generator)
        }
        return phone
    }

    private func receipt(_ reply: RecordingReply?) throws -> RecordingReceipt {
        guard case .recorded(let receipt) = reply else {
            Issue.record("no receipt: \(String(describing: reply))")
            return RecordingReceipt()
        }
        return receipt
    }

    // MARK: - Points

    @Test(arguments: [(0, false), (1, true), (200, true), (201, false)])
    func `a batch has 1 to 200 points`(count: Int, isTaken: Bool) {
        let phone = recorder(201)
        var world = RecordingWorld(at: Self.start)
        let now = Self.start + .minutes(20)
        let reply = world.send(.append(phone.batch(0..<count, at: now)), at: now)
        #expect((reply == .refused(.invalid(field: "points"))) == !isTaken)
        #expect(world.kept.count == (isTaken ? count : 0))
    }

    @Test(.defends("lying-clocks"))
    func `accepts points up to thirty days back and a minute ahead, with one answer each`() throws {
        var phone = recorder(5)
        let now = Self.start + .days(31)
        let dates = [
            now - .days(30), now - .days(30) - .milliseconds(1), now, now + .seconds(60), now + .milliseconds(60_001),
        ]
        for (index, date) in dates.enumerated() {
            phone.recorded[index].point.fix.uptimeMs = phone.readings(at: date).uptimeMs
        }
        var world = RecordingWorld(at: Self.start)
        let receipt = try receipt(world.send(.append(phone.batch(0..<5, at: now)), at: now))
        #expect(receipt.taken == [1, 3, 4])
        #expect(receipt.rejected.map(\.seq) == [2, 5])
        #expect(receipt.rejected.map(\.reason) == [.positionOutsideWindow, .positionInFuture])
        #expect(receipt.lastSeq == 4)
        // A point ahead of the server's clock was made now at the latest.
        #expect(world.kept.compactMap(\.point.time) == [now - .days(30), now, now])
    }

    @Test(
        .proves("5.28"),
        arguments: [(0.0, -7_168.0 * 86_400), (300, 300 - 7_168 * 86_400), (180, 0), (-3_600, 0), (0, 3_600)]
            as [(Double, Double)]
    )
    func `keeps the times of points after a rollover of the week`(system: Double, receiver: Double) throws {
        var world = RecordingWorld(at: Self.start)
        for batch in 0..<3 {
            let now = Self.start + .seconds(10 * Double(batch + 1))
            let points = (1...10).map { number in
                let made = now - .seconds(Double(10 - number))
                return RecordedPoint(
                    Fix.sample(
                        seq: UInt32(batch * 10 + number),
                        metres: Double(number) * 3,
                        wallMs: Double((made + .seconds(receiver)).milliseconds)
                    )
                )
            }
            let sent = ClockReadings(wallMs: Double((now + .seconds(system)).milliseconds))
            let device = DeviceKey(deviceID: "phone", bootID: "1")
            let sending = RecordedBatch(device: device, points: points, sent: sent)
            #expect(try receipt(world.send(.append(sending), at: now)).rejected == [])
        }
        #expect(world.kept.compactMap(\.point.time) == (1...30).map { Self.start + .seconds(Double($0)) })
    }

    /// Points of one place and instant with these numbers.
    private func batch(_ numbers: some Sequence<UInt32>, of device: String = "phone") -> RecordedBatch {
        let wallMs = Double(Self.start.milliseconds)
        let coordinate = Coordinate(latitude: 37.5, longitude: 127)
        return RecordedBatch(
            device: DeviceKey(deviceID: device, bootID: "1"),
            points: numbers.map { RecordedPoint(Fix(seq: $0, coordinate: coordinate, wallMs: wallMs)) },
            sent: ClockReadings(wallMs: wallMs)
        )
    }

    @Test func `limits the ranges of numbers to ten thousand, but fills gaps and extends the last one`() throws {
        var world = RecordingWorld(at: Self.start)
        let most = UInt32(Recording.mostRanges)
        for first in stride(from: 2, through: 2 * most, by: 400) {
            let batch = batch(stride(from: first, to: first + 400, by: 2))
            #expect(try receipt(world.send(.append(batch), at: Self.start)).rejected.isEmpty)
        }
        #expect(world.stored.devices["phone"]?.taken.rangeCount == Recording.mostRanges)
        let beyond = try receipt(world.send(.append(batch([2 * most + 2, 2 * most + 1, 3, 4])), at: Self.start))
        #expect(beyond.rejected.map(\.seq) == [2 * most + 2])
        #expect(beyond.rejected.map(\.reason) == [.positionLimit])
        #expect(beyond.taken == [2 * most + 1, 3, 4])
        // The filled gap leaves room for a range.
        #expect(try receipt(world.send(.append(batch([2 * most + 5])), at: Self.start)).rejected.isEmpty)
    }

    @Test func `accepts points of at most sixteen devices`() throws {
        var world = RecordingWorld(at: Self.start)
        for device in 0..<Recording.mostDevices {
            #expect(try receipt(world.send(.append(batch([1], of: "phone \(device)")), at: Self.start)).taken == [1])
        }
        let receipt = try receipt(world.send(.append(batch([1, 2], of: "another")), at: Self.start))
        #expect(receipt.rejected.map(\.reason) == [.positionLimit, .positionLimit])
        #expect(world.stored.devices.count == Recording.mostDevices)
        #expect(try self.receipt(world.send(.append(batch([2], of: "phone 3")), at: Self.start)).taken == [2])
    }

    @Test func `rejects invalid points and drops impossible altitudes`() throws {
        var phone = recorder(4)
        phone.recorded[0].point.fix.coordinate.latitude = 90.1
        phone.recorded[1].point.fix.accuracyMetres = -1
        phone.recorded[2].point.altitudeMetres = .infinity
        var world = RecordingWorld(at: Self.start)
        let receipt = try receipt(world.send(.append(phone.batch(0..<4, at: Self.start)), at: Self.start))
        #expect(receipt.rejected.map(\.reason) == [.positionInvalid, .positionInvalid])
        #expect(world.kept.map { $0.point.altitudeMetres != nil } == [false, true])
        var batch = phone.batch([3], at: Self.start)
        batch.sent.uptimeMs = .nan
        #expect(world.send(.append(batch), at: Self.start) == .refused(.invalid(field: "uptimeMs")))
        batch.sent = ClockReadings(wallMs: 1e300)
        #expect(world.send(.append(batch), at: Self.start) == .refused(.invalid(field: "sentAt")))
    }

    @Test(.proves("17.6"))
    func `points two days late, in parts, duplicated and out of order give the same way`() {
        let phone = recorder(700)
        var world = RecordingWorld(at: Self.start)
        var late = Self.start + .days(2)
        for first in [600, 100, 300, 100, 500, 200, 0, 400, 600] {
            world.send(.append(phone.batch((first..<first + 100).reversed(), at: late)), at: late)
            late = late + .minutes(3)
        }
        #expect(world.track == Track(recorded: phone.truth))
        #expect(world.stored.points == 700 && world.stored.lastSeq == 700)
        #expect(world.stored.lastPointAt == phone.recorded.last?.at)
    }

    @Test func `dates a delayed batch by the least delayed one`() {
        let phone = recorder(3)
        var world = RecordingWorld(at: Self.start)
        world.send(.append(phone.batch([0], at: Self.start)), at: Self.start)
        let sent = Self.start + .minutes(2)
        world.send(.append(phone.batch([1, 2], at: sent)), at: sent + .seconds(30))
        #expect(world.kept.compactMap(\.point.time) == phone.recorded.map(\.at))
    }

    @Test func `dates a batch without sending clocks by a syncClock of the last ten minutes`() {
        let phone = recorder(2)
        let now = Self.start + .minutes(30)
        for (age, isDated) in [(TimeSpan.minutes(10), true), (.minutes(10) + .milliseconds(1), false)] {
            var world = RecordingWorld(at: Self.start)
            var batch = phone.batch(0..<2, at: now)
            batch.sent = ClockReadings()
            batch.syncs = [ClockSync(readings: phone.readings(at: now - age), receivedAt: now - age)]
            world.send(.append(batch), at: now)
            #expect(world.kept.compactMap(\.point.time) == (isDated ? phone.recorded.map(\.at) : [now, now]))
        }
    }

    @Test func `keeps the segments of two devices apart`() {
        let phone = recorder(3)
        var world = RecordingWorld(at: Self.start)
        var watch = RecorderPhone("watch", from: RandomTrack.start, wallLead: .hours(1), hasUptime: false)
        watch.recorded = phone.recorded
        world.send(.append(phone.batch(0..<3, at: Self.start)), at: Self.start + .seconds(60))
        world.send(.append(watch.batch(0..<3, at: Self.start)), at: Self.start + .seconds(60))
        #expect(world.stored.points == 6)
        #expect(world.track.segments.map(\.count) == [3, 3])
    }

    @Test func `sorts ways with equal starts by device`() {
        let names = (1...8).map { "device \($0)" }
        let kept = names.enumerated().map { index, name in
            let place = Coordinate(latitude: Double(index), longitude: 0)
            return KeptPoint(deviceID: name, seq: 1, point: TrackPoint(place, time: Self.start))
        }
        let track = Track(recorded: kept.shuffled())
        #expect(track.points.map(\.coordinate.latitude) == (0..<8).map(Double.init))
        #expect(track.segments.count == 8)
    }

    @Test func `a late point does not extend the estimate`() {
        let phone = recorder(100)
        var world = RecordingWorld(at: Self.start)
        let now = Self.start + .minutes(10)
        world.send(.append(phone.batch(50..<100, at: now)), at: now)
        let before = world.stored.distanceMetres
        world.send(.append(phone.batch(0..<50, at: now)), at: now)
        #expect(world.stored.distanceMetres == before)
        #expect(world.stored.points == 100)
    }

    @Test func `the distance during recording equals the course's, except for late points`() {
        let phone = recorder(150)
        var world = RecordingWorld(at: Self.start)
        for first in stride(from: 0, to: 150, by: 50) {
            let now = phone.recorded[first + 49].at
            world.send(.append(phone.batch(first..<first + 50, at: now)), at: now)
        }
        let length = world.statistics(at: Self.start + .hours(1)).distanceMetres
        #expect(abs(world.stored.distanceMetres - length) <= 40)
        let before = world.stored.distanceMetres
        world.send(.append(phone.batch(0..<150, at: Self.start + .hours(1))), at: Self.start + .hours(1))
        #expect(world.stored.distanceMetres == before)
    }

    // MARK: - Time

    @Test(.proves("17.6")) func `six hours without a point interrupt a recording, and a later point continues it`() {
        let phone = recorder(3)
        var world = RecordingWorld(at: Self.start)
        world.send(.append(phone.batch([0], at: Self.start)), at: Self.start + .minutes(1))
        world.pass(to: Self.start + .hours(6) + .milliseconds(59_999))
        #expect(world.stored.state == .recording && world.interruptions == 0)
        world.pass(to: Self.start + .hours(6) + .minutes(1))
        #expect(world.stored.state == .interrupted && world.interruptions == 1)
        let later = Self.start + .days(29)
        world.pass(to: later)
        // A repeated point continues no recording.
        world.send(.append(phone.batch([0], at: later)), at: later)
        #expect(world.stored.state == .interrupted)
        world.send(.append(phone.batch([1], at: later)), at: later)
        #expect(world.stored.state == .recording)
        world.pass(to: later + .hours(6))
        #expect(world.stored.state == .interrupted && world.interruptions == 2)
    }

    @Test(.proves("17.6"), arguments: [(0, nil), (1, nil), (2, 49.0), (2, 51.0), (100, nil)] as [(Int, Double?)])
    func `becomes a course after thirty days, or is deleted below two points or 50 m`(count: Int, metres: Double?) {
        var phone = recorder(count)
        if let metres {
            phone.recorded[1].point.fix.coordinate = phone.recorded[0].point.fix.coordinate
            phone.recorded[1].point.fix.coordinate.latitude += metres / Coordinate.earthRadiusMetres * 180 / .pi
        }
        var world = RecordingWorld(at: Self.start)
        if count > 0 { world.send(.append(phone.batch(0..<count, at: Self.start)), at: Self.start) }
        world.pass(to: Self.start + .days(30) - .milliseconds(1))
        #expect(world.courses.isEmpty && !world.isRemoved)
        world.pass(to: Self.start + .days(30))
        let becomesCourse = count == 100 || metres == 51
        #expect(world.courses.isEmpty == !becomesCourse)
        #expect(world.isRemoved == !becomesCourse)
        #expect(world.stored.state == (becomesCourse ? .finished : .interrupted))
    }

    @Test func `makes the course at once after a month of downtime, without an interruption`() {
        let phone = recorder(100)
        var world = RecordingWorld(at: Self.start)
        world.send(.append(phone.batch(0..<100, at: Self.start)), at: Self.start)
        world.crash(at: Self.start + .days(45))
        #expect(world.interruptions == 0 && world.courses.count == 1)
        world.crash(at: Self.start + .days(46))
        #expect(world.courses.count == 1)
    }

    @Test func `a point received while an expired way is measured keeps the recording open`() {
        let phone = recorder(100)
        let late = Self.start + .days(31)
        var machine = RecordingMachine(
            Recording(id: RecordingID(high: 1, low: 1), activity: .ride, startedAt: Self.start)
        )
        _ = machine.receive(.append(phone.batch(0..<50, at: Self.start)), at: Self.start)
        #expect(machine.receive(.wake, at: late) == [.measure])
        var fresh = phone
        for index in 50..<100 { fresh.recorded[index].point.fix.uptimeMs = phone.readings(at: late).uptimeMs }
        _ = machine.receive(.append(fresh.batch(50..<100, at: late)), at: late)
        let measured = CourseStatistics(of: CleanTrack(Track(recorded: phone.truth), at: late))
        #expect(machine.receive(.expire(as: Self.course, measured), at: late).isEmpty)
        #expect(machine.recording.state == .recording && machine.recording.courseID == nil)
    }

    // MARK: - Endings

    @Test(arguments: [0, 1, 2])
    func `a course has at least two counted points`(count: Int) {
        let phone = recorder(2)
        var world = RecordingWorld(at: Self.start)
        let now = Self.start + .minutes(1)
        if count > 0 { world.send(.append(phone.batch(0..<count, at: now)), at: now) }
        let reply = world.send(.finish(as: Self.course, world.statistics(at: now)), at: now)
        #expect(reply == (count < 2 ? .refused(.tooShort) : .course(Self.course)))
        #expect(world.stored.state == (count < 2 ? .recording : .finished))
        // A recording that is too short continues, or is discarded.
        #expect(world.send(.discard, at: now) == (count < 2 ? .done : .refused(.closed)))
        #expect(world.isRemoved == (count < 2))
    }

    @Test func `stores points and state before the reply`() {
        let phone = recorder(2)
        var machine = RecordingMachine(
            Recording(id: RecordingID(high: 1, low: 1), activity: .run, startedAt: Self.start)
        )
        let effects = machine.receive(.append(phone.batch(0..<2, at: Self.start)), at: Self.start)
        guard case .keep = effects[0], case .save = effects[1], case .reply = effects[2] else {
            Issue.record("another order: \(effects)")
            return
        }
        #expect(effects.count == 4 && effects[3] == .wake(at: Self.start + .hours(6)))
        let finish = RecordingEvent.finish(as: Self.course, CourseStatistics([TrackPoint](phone.truth.map(\.point))))
        let last = machine.receive(finish, at: Self.start)
        #expect(last == [.makeCourse(Self.course), .save(machine.recording), .reply(.course(Self.course))])
        #expect(machine.nextWake == nil)
    }
}
