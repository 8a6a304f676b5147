import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedStore

/// Through crashes, losses and restarts the store loses no acknowledged point and counts none twice, and the course
/// equals that of an undisturbed recording.
@Suite(.timeLimit(.minutes(5))) struct RecordingStoryTests {
    /// 2,000 seeds in total, in parallel stores.
    private static let seedsOfPart: UInt64 = 100

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a recording disturbed in every way becomes the course of an undisturbed one`(part: UInt64) async throws {
        var mortal = try await MortalStore()
        var (interruptions, discarded) = (0, 0)
        for seed in part * Self.seedsOfPart..<(part + 1) * Self.seedsOfPart {
            var story = RecordingStory(seed: seed)
            try await story.run(on: &mortal)
            interruptions += story.interruptions
            discarded += story.isDiscarded ? 1 : 0
        }
        #expect(interruptions > 0 && discarded > 0)
        for table in ["recording", "recording_chunk", "course", "course_track"] {
            #expect(try await mortal.store.count(table) == 0, "\(table)")
        }
        #expect(try await mortal.store.upkeep.verify() == [])
        try await mortal.store.close()
    }
}

/// One recording by two devices of user 1, disturbed by seed.
private struct RecordingStory {
    private let seed: UInt64
    private var generator: SeededGenerator
    private var now = Instant.meeting
    private var phones: [RecorderPhone]
    private(set) var interruptions = 0
    private(set) var isDiscarded = false

    init(seed: UInt64) {
        self.seed = seed
        var generator = SeededGenerator(seed: seed)
        let leads = [TimeSpan.zero, .hours(3), -.days(400), .seconds(-20)]
        phones = ["phone", "watch"].map { name in
            let lead = leads.randomElement(using: &generator) ?? .zero
            return RecorderPhone(name, from: .meeting, wallLead: lead, hasUptime: generator.chance(0.7))
        }
        self.generator = generator
    }

    private var id: RecordingID { .recording(seed + 1) }

    mutating func run(on mortal: inout MortalStore) async throws {
        _ = try await mortal.store.start(seed + 1).get()
        for _ in 0..<Int.random(in: 3...10, using: &generator) where !isDiscarded { try await step(on: &mortal) }
        if !isDiscarded { try await finish(on: &mortal) }
        try await expectNothingLeft(in: mortal.store)
    }

    private mutating func step(on mortal: inout MortalStore) async throws {
        let phone = Int.random(in: 0..<2, using: &generator)
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<44: record(phone)
        case 44..<74: try await send(phone, to: mortal.store)
        case 74..<80: phones[phone].restart(at: now)
        case 80..<86: phones[phone].pause()
        case 86..<93: try await wait(.hours(Int64.random(in: 1...20, using: &generator)), on: mortal.store)
        case 93..<96: try await wait(.days(Int64.random(in: 1...2, using: &generator)), on: mortal.store)
        case 96: try await mortal.crash()
        default: if generator.chance(0.5) { try await discard(from: mortal.store) }
        }
        now = now + .seconds(generator.uniform(1...30))
    }

    private mutating func record(_ phone: Int) {
        for _ in 0..<Int.random(in: 1...20, using: &generator) {
            now = now + .milliseconds(Int64.random(in: 900...9_000, using: &generator))
            phones[phone].record(at: now, using: &generator)
        }
    }

    private mutating func wait(_ span: TimeSpan, on store: Store) async throws {
        now = now + span
        for due in try await store.recordings.dueRecordings(at: now) {
            if case .interrupted = try await store.recordings.wakeRecording(due, at: now) { interruptions += 1 }
        }
    }

    /// Sends some points, late ones first or old ones again; the request or the reply may be lost.
    private mutating func send(_ phone: Int, to store: Store) async throws {
        var indices = phones[phone].unacknowledged.filter { _ in generator.chance(0.7) }
        if generator.chance(0.4) { indices += phones[phone].recorded.indices.filter { _ in generator.chance(0.3) } }
        if generator.chance(0.5) { indices.shuffle(using: &generator) }
        if generator.chance(0.9) {
            let taken = try await deliver(Array(indices.prefix(200)), of: phone, to: store)
            if generator.chance(0.8) { phones[phone].acknowledged.formUnion(taken) }
        }
    }

    /// Returns the numbers that the store has afterwards.
    private func deliver(_ indices: [Int], of phone: Int, to store: Store) async throws -> [UInt32] {
        guard !indices.isEmpty else { return [] }
        let batch = phones[phone].batch(indices, at: now)
        let receipt = try await store.recordings.appendRecording(id, of: .user(1), batch, at: now).get().receipt
        #expect(receipt.rejected == [] && receipt.taken == batch.points.map(\.fix.seq), "seed \(seed)")
        return receipt.taken
    }

    private mutating func discard(from store: Store) async throws {
        isDiscarded = true
        _ = try await store.recordings.discardRecording(id, of: .user(1), at: now).get()
    }

    // MARK: - Endings

    private mutating func finish(on mortal: inout MortalStore) async throws {
        let kept = try #require(try await mortal.store.recordings.recordedTrack(of: id, of: .user(1)))
        let acknowledged = phones.reduce(0) { $0 + $1.acknowledged.count }
        #expect(kept.recording.points == kept.track.points.count, "seed \(seed)")
        #expect(kept.recording.points >= acknowledged, "seed \(seed)")
        for phone in phones.indices {
            _ = try await deliver(phones[phone].unacknowledged, of: phone, to: mortal.store)
        }
        let whole = Track(recorded: phones.flatMap(\.truth))
        let recorded = try #require(try await mortal.store.recordings.recordedTrack(of: id, of: .user(1)))
        #expect(recorded.track == whole && recorded.recording.points == whole.points.count, "seed \(seed)")
        let undisturbed = CourseStatistics(of: CleanTrack(whole, at: now))
        let first = try await course(1, of: recorded, in: mortal.store)
        guard undisturbed.counted >= 2 else {
            #expect(first == .failure(.courseTooShort), "seed \(seed)")
            return try await discard(from: mortal.store)
        }
        let made = try #require(try first.get().course)
        #expect(made.way.statistics == undisturbed, "seed \(seed)")
        if generator.chance(0.1) { try await mortal.crash() }
        try await expectClosed(recorded, as: made, in: mortal.store)
        #expect(try await mortal.store.courses.track(of: made.id, seenBy: .user(1))?.raw == whole, "seed \(seed)")
        _ = try await mortal.store.courses.deleteCourse(made.id, of: .user(1), at: now)
    }

    /// Finishes the recording as the first or second course of this seed.
    private func course(
        _ number: UInt64,
        of recorded: RecordedTrack,
        in store: Store
    ) async throws -> Result<RecordingFinish, Refusal> {
        try await store.recordings.finishRecording(
            id,
            of: .user(1),
            as: NewCourse(.sample(recorded.track, title: "Tour", at: now), id: .course(2 * seed + number)),
            measured: recorded.recording.points,
            in: FolderChoice(newID: .folder(1), language: .english),
            at: now
        )
    }

    /// The finished course accepts no points.
    private mutating func expectClosed(_ recorded: RecordedTrack, as made: Course, in store: Store) async throws {
        #expect(try await course(2, of: recorded, in: store).get().course == made, "seed \(seed)")
        phones[0].record(at: now, using: &generator)
        let late = phones[0].batch([phones[0].recorded.count - 1], at: now)
        let taken = try await store.recordings.appendRecording(id, of: .user(1), late, at: now)
        #expect(taken == .failure(.recordingClosed), "seed \(seed)")
        let discarded = try await store.recordings.discardRecording(id, of: .user(1), at: now)
        #expect(discarded == .failure(.recordingClosed), "seed \(seed)")
    }

    private mutating func expectNothingLeft(in store: Store) async throws {
        #expect(try await store.recordings.recording(id, of: .user(1)) == nil, "seed \(seed)")
        phones[0].record(at: now, using: &generator)
        let late = phones[0].batch([phones[0].recorded.count - 1], at: now)
        let taken = try await store.recordings.appendRecording(id, of: .user(1), late, at: now)
        #expect(taken == .failure(.recordingNotFound), "seed \(seed)")
    }
}
