import PromisedDomain
import PromisedJournal
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Through crashes, losses and restarts no acknowledged point is lost or counted twice, and the course equals that of
/// an undisturbed recording.
@Suite struct RecordingPropertyTests {
    private static let seeds: UInt64 = 2_000

    @Test(.proves("17.6")) func `a disturbed recording becomes the course of an undisturbed one`() {
        var (interruptions, discarded) = (0, 0)
        for seed in 0..<Self.seeds {
            var story = RecordingStory(seed: seed)
            story.run()
            interruptions += story.world.interruptions
            if story.isDiscarded {
                discarded += 1
                story.expectNothingLeft()
            } else {
                story.finish()
            }
        }
        print("\(Self.seeds) recordings: \(interruptions) interruptions, \(discarded) discarded")
        #expect(interruptions > 500 && discarded > 100)
    }
}

/// One recording by two devices of one user, disturbed by seed.
private struct RecordingStory {
    private let seed: UInt64
    private var generator: SeededGenerator
    private var now = RandomTrack.start
    private var phones: [RecorderPhone]
    private(set) var world: RecordingWorld
    private(set) var isDiscarded = false

    init(seed: UInt64) {
        self.seed = seed
        var generator = SeededGenerator(seed: seed)
        let leads = [TimeSpan.zero, .hours(3), -.days(400), .seconds(-20)]
        phones = ["phone", "watch"].map { name in
            let lead = leads.randomElement(using: &generator) ?? .zero
            return RecorderPhone(name, from: RandomTrack.start, wallLead: lead, hasUptime: generator.chance(0.7))
        }
        self.generator = generator
        world = RecordingWorld(at: now)
    }

    mutating func run() {
        for _ in 0..<Int.random(in: 5...40, using: &generator) where !isDiscarded { step() }
    }

    private mutating func step() {
        let phone = Int.random(in: 0..<2, using: &generator)
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<40: record(phone)
        case 40..<70: send(phone)
        case 70..<76: world.crash(at: now)
        case 76..<80: phones[phone].restart(at: now)
        case 80..<86: phones[phone].pause()
        case 86..<92: wait(.hours(Int64.random(in: 1...20, using: &generator)))
        case 92..<94: wait(.days(Int64.random(in: 1...2, using: &generator)))
        case 94..<98: resendAll(phone)
        default: if generator.chance(0.2) { discard() }
        }
        wait(.seconds(generator.uniform(1...30)))
    }

    private mutating func wait(_ span: TimeSpan) {
        now = now + span
        world.pass(to: now)
    }

    private mutating func record(_ phone: Int) {
        for _ in 0..<Int.random(in: 1...60, using: &generator) {
            wait(.milliseconds(Int64.random(in: 900...9_000, using: &generator)))
            phones[phone].record(at: now, using: &generator)
        }
    }

    /// Sends some points, late ones first or old ones again; the request or the reply may be lost.
    private mutating func send(_ phone: Int) {
        var indices = phones[phone].unacknowledged.filter { _ in generator.chance(0.7) }
        if generator.chance(0.3) { indices += phones[phone].recorded.indices.filter { _ in generator.chance(0.2) } }
        if generator.chance(0.5) { indices.shuffle(using: &generator) }
        deliver(Array(indices.prefix(200)), of: phone, isLossy: true)
    }

    private mutating func resendAll(_ phone: Int) {
        for start in stride(from: 0, to: phones[phone].recorded.count, by: 200) {
            deliver(Array(phones[phone].recorded.indices.dropFirst(start).prefix(200)), of: phone, isLossy: true)
        }
    }

    private mutating func deliver(_ indices: [Int], of phone: Int, isLossy: Bool) {
        guard !indices.isEmpty else { return }
        let event = RecordingEvent.append(phones[phone].batch(indices, at: now))
        if isLossy, generator.chance(0.1) { return world.crash(during: event, at: now) }
        let reply = world.send(event, at: now)
        if isLossy, generator.chance(0.1) { return world.crash(at: now) }
        guard case .recorded(let receipt) = reply else {
            Issue.record("seed \(seed): \(String(describing: reply))")
            return
        }
        #expect(receipt.rejected.isEmpty, "seed \(seed)")
        #expect(receipt.taken == indices.map { phones[phone].recorded[$0].point.fix.seq }, "seed \(seed)")
        if isLossy, generator.chance(0.15) { return }
        phones[phone].acknowledged.formUnion(receipt.taken)
    }

    private mutating func discard() {
        isDiscarded = true
        #expect(world.send(.discard, at: now) == .done, "seed \(seed)")
    }

    // MARK: - Endings

    mutating func expectNothingLeft() {
        #expect(world.kept.isEmpty && world.courses.isEmpty && world.isRemoved, "seed \(seed)")
        #expect(world.send(.discard, at: now) == .refused(.notFound), "seed \(seed)")
        let finish = RecordingEvent.finish(as: CourseID(high: 1, low: 2), world.statistics(at: now))
        #expect(world.send(finish, at: now) == .refused(.notFound), "seed \(seed)")
        phones[0].record(at: now, using: &generator)
        let late = RecordingEvent.append(phones[0].batch([0], at: now))
        #expect(world.send(late, at: now) == .refused(.notFound), "seed \(seed)")
    }

    mutating func finish() {
        for phone in phones.indices {
            let kept = Set(world.kept.filter { $0.deviceID == phones[phone].deviceID })
            #expect(kept.isSubset(of: phones[phone].truth), "seed \(seed)")
            #expect(phones[phone].acknowledged.isSubset(of: kept.map(\.seq)), "seed \(seed)")
            var rest = phones[phone].unacknowledged
            while !rest.isEmpty {
                deliver(Array(rest.prefix(200)), of: phone, isLossy: false)
                rest.removeFirst(min(200, rest.count))
            }
        }
        let whole = Track(recorded: phones.flatMap(\.truth))
        #expect(world.kept.count == whole.points.count && world.stored.points == whole.points.count, "seed \(seed)")
        #expect(world.track == whole, "seed \(seed)")
        expectOneCourse(like: CourseStatistics(of: CleanTrack(whole, at: now)))
    }

    private mutating func expectOneCourse(like undisturbed: CourseStatistics) {
        let statistics = world.statistics(at: now)
        #expect(statistics == undisturbed, "seed \(seed)")
        let (first, second) = (CourseID(high: 1, low: 1), CourseID(high: 1, low: 2))
        let reply = world.send(.finish(as: first, statistics), at: now)
        guard undisturbed.counted >= 2 else {
            #expect(reply == .refused(.tooShort) && world.courses.isEmpty, "seed \(seed)")
            return
        }
        #expect(reply == .course(first), "seed \(seed)")
        if generator.chance(0.5) { world.crash(at: now) }
        #expect(world.send(.finish(as: second, statistics), at: now) == .course(first), "seed \(seed)")
        #expect(world.send(.discard, at: now) == .refused(.closed), "seed \(seed)")
        phones[0].record(at: now, using: &generator)
        let late = RecordingEvent.append(phones[0].batch([phones[0].recorded.count - 1], at: now))
        #expect(world.send(late, at: now) == .refused(.closed), "seed \(seed)")
        wait(.days(40))
        #expect(world.courses == [first] && world.stored.courseID == first && !world.isRemoved, "seed \(seed)")
        #expect(world.stored.distanceMetres == undisturbed.distanceMetres, "seed \(seed)")
    }
}
