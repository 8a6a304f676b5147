internal import PromisedSimulation

/// Makes the errands of a story. It has its own generator, so that the rest of a story does not depend on them.
struct ErrandMaker {
    /// The number of places in the directory of every story.
    static let places = 3
    /// The share of all stories with errands.
    private static let share = 0.4

    private var random: SeededGenerator
    private let people: Int
    private let phones: [Story.Phone]
    /// When the first promise is final, in milliseconds since the beginning.
    private let end: Int64
    private var acts: [Story.Act] = []
    private var lastFile = 0
    private var lastRecording = 0

    /// The errands around a promise.
    ///
    /// - Parameter end: when it is final, in milliseconds since the beginning.
    static func acts(seed: UInt64, people: Int, phones: [Story.Phone], end: Int64) -> [Story.Act] {
        var maker = ErrandMaker(seed: seed, people: people, phones: phones, end: end)
        return maker.make()
    }

    private init(seed: UInt64, people: Int, phones: [Story.Phone], end: Int64) {
        random = SeededGenerator(seed: seed ^ 0x6572_7261)
        (self.people, self.phones, self.end) = (people, phones, end)
    }

    private mutating func make() -> [Story.Act] {
        guard random.chance(Self.share) else { return [] }
        if random.chance(0.5) { addPlaces() }
        if random.chance(0.5) { addFiles() }
        if random.chance(0.5) { addRecordings() }
        if random.chance(0.6) { addKeepsakes() }
        if random.chance(0.3) { addExports() }
        if random.chance(0.25) { addImport() }
        if random.chance(0.25) { addWeather() }
        if random.chance(0.25) { addNotices() }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let (by, other) = (person(), person())
            add(random.chance(0.5) ? late() : any(), .peek(by: by, person: other))
        }
        return acts
    }

    private mutating func addPlaces() {
        if random.chance(0.5) { add(early(), .relocate(promise: 0, by: 0, place: place())) }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            switch Int.random(in: 0..<7, using: &random) {
            case 0, 1: add(any(), .lookUp(by: person(), place: place()))
            case 2, 3: add(any(), .favour(by: person(), place: random.chance(0.7) ? place() : nil))
            case 4: add(any(), .unfavour(by: person()))
            case 5: add(any(), .alter(place: place(), closes: random.chance(0.5)))
            default: add(any(), .remove(place: place()))
            }
        }
    }

    private mutating func addFiles() {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            lastFile += 1
            let file = lastFile
            let phone = phone()
            let isPicture = random.chance(0.7)
            let upload = Errand.upload(
                phone: phone,
                file: file,
                bytes: Int.random(in: 700...6_000, using: &random),
                isPicture: isPicture,
                lies: random.chance(0.15)
            )
            let begins = any()
            add(begins, upload)
            // Resumed after a failure, or requested again.
            add(begins + Int64.random(in: 20_000...200_000, using: &random), upload)
            guard isPicture, random.chance(0.7) else { continue }
            let (by, at) = (phones[phone].person, begins + 240_000)
            add(at, .note(visit: file, by: by, place: random.chance(0.5) ? place() : nil, picture: file))
            add(at + 30_000, .edit(by: by, order: 0, audience: watchers()))
            add(at + 60_000, .peek(by: person(), person: by))
            if random.chance(0.4) { add(at + 90_000, .discard(by: by, order: 0)) }
        }
    }

    private mutating func addRecordings() {
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            lastRecording += 1
            let recording = lastRecording
            let phone = phone()
            let (by, begins) = (phones[phone].person, any())
            let batches = Int.random(in: 2...5, using: &random)
            add(begins, .record(phone: phone, recording: recording, batches: batches, finishes: random.chance(0.6)))
            // The person's other phone joins in, if there is one.
            if let other = phones.indices.last(where: { phones[$0].person == by && $0 != phone }) {
                add(begins + 5_000, .record(phone: other, recording: recording, batches: batches, finishes: false))
            }
            let ends = begins + Int64(batches) * 10_000 + Int64.random(in: 1_000...60_000, using: &random)
            if random.chance(0.6) { add(ends, .finish(phone: phone, recording: recording)) }
            if random.chance(0.15) { add(ends, .drop(phone: phone, recording: recording)) }
            guard random.chance(0.6) else { continue }
            let other = person()
            add(ends + 40_000, .share(by: by, order: 0, audience: watchers(), person: other))
            if random.chance(0.5) {
                add(ends + Int64.random(in: 41_000...90_000, using: &random), .copy(by: other, person: by, order: 0))
            }
            if random.chance(0.4) { add(ends + 60_000, .carry(promise: 0, by: by, order: 0)) }
            add(ends + 80_000, .peek(by: person(), person: by))
            if random.chance(0.3) { add(ends + 100_000, .delete(by: by, order: 0)) }
        }
    }

    /// A person requests the archive of their data, possibly while some of it is deleted, and later checks whether it
    /// is ready.
    private mutating func addExports() {
        let (by, begins) = (person(), random.chance(0.7) ? late() : any())
        add(begins, .export(by: by))
        for _ in 0..<2 { add(begins + Int64.random(in: 500...90_000, using: &random), .export(by: by)) }
        let ends = begins + Int64.random(in: 0...6_000, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1: add(ends, .discard(by: by, order: 0))
        case 2: add(ends, .delete(by: by, order: 0))
        default: break
        }
        if random.chance(0.1) { acts.append(Story.Act(atMs: ends, deed: .erase(person: by))) }
    }

    /// People request the weather, mostly before they meet; some of them lack permission.
    private mutating func addWeather() {
        for _ in 0..<Int.random(in: 3...9, using: &random) {
            let at = random.chance(0.6) ? Int64.random(in: 100_000...2_200_000, using: &random) : any()
            add(at, .outlook(promise: 0, by: person()))
        }
    }

    /// A person switches notifications off for a while, and people read theirs.
    private mutating func addNotices() {
        let (by, off) = (person(), random.chance(0.5) ? late() : any())
        add(off - 60_000, .mute(by: by, on: true))
        let on = off + Int64.random(in: 240_000...600_000, using: &random)
        if random.chance(0.5) { add(on, .mute(by: by, on: false)) }
        for _ in 0..<Int.random(in: 1...3, using: &random) { add(any(), .inbox(by: person())) }
    }

    /// The operator imports places while people meet, possibly with disk failures.
    private mutating func addImport() {
        let begins = any()
        let count = Int.random(in: 3...9, using: &random)
        add(begins, .load(count: count, without: place(), replaces: random.chance(0.4)))
        guard random.chance(0.5) else { return }
        let fails = begins + Int64.random(in: 100...3_000, using: &random)
        acts.append(Story.Act(atMs: fails, deed: .fault(full: random.chance(0.5), writes: 1)))
    }

    /// Adds errands after the end of the promise: storing, editing, sharing and deleting.
    private mutating func addKeepsakes() {
        for _ in 0..<Int.random(in: 2...5, using: &random) {
            let by = person()
            switch Int.random(in: 0..<6, using: &random) {
            case 0: add(late(), .keepWay(promise: 0, by: by))
            case 1, 2:
                let at = late()
                add(at, .edit(by: by, order: 0, audience: watchers()))
                add(at + 30_000, .peek(by: person(), person: by))
            case 3: add(late(), .discard(by: by, order: 0))
            case 4: add(late(), .share(by: by, order: 0, audience: watchers(), person: person()))
            default: add(late(), .delete(by: by, order: 0))
            }
        }
    }

    // MARK: - Parts

    private mutating func person() -> Int { Int.random(in: 0..<people, using: &random) }
    private mutating func phone() -> Int { Int.random(in: 0..<phones.count, using: &random) }
    private mutating func place() -> Int { Int.random(in: 0..<Self.places, using: &random) }

    private mutating func watchers() -> Errand.Watchers {
        let all = Errand.Watchers.allCases
        return all[Int.random(in: 0..<all.count, using: &random)]
    }

    /// An instant before the window opens.
    private mutating func early() -> Int64 { Int64.random(in: 100_000...200_000, using: &random) }

    /// Any instant, up to after the result.
    private mutating func any() -> Int64 { Int64.random(in: 60_000...(end + 120_000), using: &random) }

    /// An instant after the result is final.
    private mutating func late() -> Int64 { end + Int64.random(in: 5_000...240_000, using: &random) }

    private mutating func add(_ atMs: Int64, _ errand: Errand) {
        acts.append(Story.Act(atMs: max(0, atMs), deed: .errand(errand)))
    }
}
