internal import PromisedSimulation

/// Makes a story from a seed.
package struct StoryMaker {
    private static let minute: Int64 = 60_000

    private var random: SeededGenerator
    /// Chooses the phones' errors alone, so that they shift no other choice.
    private var errors: SeededGenerator
    private let seed: UInt64
    private let people: Int
    private var phones: [Story.Phone] = []
    private var acts: [Story.Act] = []
    private var spans = Story.Spans(before: 1_800, after: 1_200, settle: 300)
    /// When the promises meet, in milliseconds since the beginning.
    private var meetings: [Int64] = []

    package static func story(seed: UInt64) -> Story {
        var maker = StoryMaker(seed: seed)
        return maker.make()
    }

    private init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        errors = SeededGenerator(seed: seed ^ 0x6D65_6173)
        people = random.chance(0.02) ? Int.random(in: 12...24, using: &random) : Int.random(in: 2...5, using: &random)
    }

    private mutating func make() -> Story {
        addPhones()
        spans.after = pick([600, 1_200, 2_400])
        spans.settle = pick([120, 300, 900])
        addPromises()
        for promise in meetings.indices { addJourneys(to: promise) }
        for promise in meetings.indices { addTurns(of: promise) }
        addPeople()
        addMishaps()
        if random.chance(0.1) { addSilence() }
        addErrands()
        let app = app()
        if app != nil { addDeedsOfApp() }
        acts.sort { $0.atMs < $1.atMs }
        return Story(
            seed: seed,
            people: people,
            phones: phones,
            network: network(),
            spans: spans,
            app: app,
            appErrsLike: app == nil ? nil : errsLike(),
            acts: acts
        )
    }

    private func app() -> Int? {
        var random = SeededGenerator(seed: seed ^ 0x6170_70)
        return random.chance(0.1) ? Int.random(in: 0..<people, using: &random) : nil
    }

    private mutating func network() -> Story.Network {
        Story.Network(
            delayMs: pick([5, 80, 600, 4_000]),
            cutsOneIn: pick([0, 0, 150, 40]),
            patienceMs: pick([3_000, 8_000, 15_000]),
            diskMs: pick([0, 10, 60, 900])
        )
    }

    private mutating func addPhones() {
        for person in 0..<people {
            phones.append(phone(of: person))
            if random.chance(0.15) { phones.append(phone(of: person)) }
        }
        for phone in phones.indices { add(Int64.random(in: 0...20_000, using: &random), .connect(phone: phone)) }
    }

    private mutating func phone(of person: Int) -> Story.Phone {
        let sendsUptime = random.chance(0.8)
        return Story.Phone(
            person: person,
            wallAheadMs: random.chance(0.3) ? Int64.random(in: -7_200_000...7_200_000, using: &random) : 0,
            sendsUptime: sendsUptime,
            sendsWall: !sendsUptime || random.chance(0.5),
            errsLike: errsLike()
        )
    }

    /// Half of all phones make measured errors.
    private mutating func errsLike() -> MeasuredPhone.System? {
        let (isMeasured, isIPhone) = (errors.chance(0.5), errors.chance(0.5))
        return isMeasured ? (isIPhone ? .iPhone : .android) : nil
    }

    private mutating func addPromises() {
        let count = random.chance(0.15) ? 2 : 1
        for promise in 0..<count {
            let owner = promise % people
            let created = Int64.random(in: 30_000...90_000, using: &random)
            let meetsIn = Int64.random(in: 1_830...2_100, using: &random)
            meetings.append(created + meetsIn * 1_000)
            add(
                created,
                .create(
                    promise: promise,
                    by: owner,
                    meetsInSeconds: meetsIn,
                    radius: pick([20, 50, 50, 100]),
                    penalty: random.chance(0.5) ? 500 : 0,
                    firstFix: random.chance(0.1)
                )
            )
            for person in 0..<people where person != owner && !random.chance(0.06) {
                let answer = created + Int64.random(in: 2_000...120_000, using: &random)
                add(answer, .respond(promise: promise, by: person, accepts: !random.chance(0.05)))
            }
        }
    }

    // MARK: - On the way

    private mutating func addJourneys(to promise: Int) {
        let meeting = meetings[promise]
        for (phone, _) in phones.enumerated() where !random.chance(0.1) {
            let arrival = meeting + Int64((random.normal() * 60).rounded()) * 1_000
            let speed = pick([1.4, 1.4, 4.5, 11.0])
            let distance = pick([60.0, 120.0, 200.0])
            let start = max(0, arrival - Int64(distance / speed) * 1_000)
            let stays: Int64 = pick([0, 10, 25, 40])
            add(start, walk(phone, promise, from: distance, to: pick([0.0, 0.0, 10.0, 60.0]), speed, stays))
            // A drive-by, or a short absence.
            if random.chance(0.2) {
                let turn = arrival + Int64.random(in: 5_000...200_000, using: &random)
                add(turn, walk(phone, promise, from: 5, to: pick([90.0, 200.0]), pick([1.4, 8.0]), 5))
            }
        }
    }

    private func walk(
        _ phone: Int,
        _ promise: Int,
        from: Double,
        to: Double,
        _ speed: Double,
        _ stay: Int64
    ) -> Deed {
        .walk(phone: phone, promise: promise, fromMetres: from, toMetres: to, metresPerSecond: speed, staySeconds: stay)
    }

    private mutating func addTurns(of promise: Int) {
        let owner = promise % people
        for _ in 0..<Int.random(in: 2...7, using: &random) {
            let person = Int.random(in: 0..<people, using: &random)
            let other = Int.random(in: 0..<people, using: &random)
            let at = instant(near: promise)
            switch Int.random(in: 0..<16, using: &random) {
            case 0: add(at, .leave(promise: promise, by: person))
            case 1 where random.chance(0.3): add(at, .cancel(promise: promise, by: owner))
            case 2 where other != owner: add(at, .handOver(promise: promise, by: owner, to: other))
            case 3: add(at, .retitle(promise: promise, by: owner))
            case 4: add(early(promise), .move(promise: promise, by: owner, bySeconds: pick([60, 300])))
            case 5: add(early(promise), .remove(promise: promise, by: owner, person: other))
            case 6: add(early(promise), .invite(promise: promise, by: owner, person: other))
            case 7, 8:
                let excused = random.chance(0.5) ? at : afterwards(promise)
                add(excused, .excuse(promise: promise, by: owner, person: other))
            case 9, 14:
                let pause: Int64 = pick([5_000, 60_000, 900_000])
                add(at, .share(promise: promise, by: person, on: false))
                add(
                    at + Int64.random(in: 1_000...pause, using: &random),
                    .share(promise: promise, by: person, on: true)
                )
            case 10: add(at, .status(promise: promise, by: person))
            case 11: add(at, .nudge(promise: promise, by: person, person: other))
            case 12: add(at, .trouble(promise: promise, by: person))
            case 13: add(at, .checkIn(promise: promise, by: person, withCode: true))
            default: add(at, .checkIn(promise: promise, by: person, withCode: false))
            }
        }
    }

    // MARK: - People and failures

    private mutating func addPeople() {
        guard people > 1 else { return }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let person = Int.random(in: 0..<people, using: &random)
            let other = (person + Int.random(in: 1..<people, using: &random)) % people
            let at = random.chance(0.3) ? early(0) : instant(near: 0)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3:
                add(at, .block(by: person, person: other))
                if random.chance(0.4) { add(at + 120_000, .unblock(by: person, person: other)) }
            case 4: add(at, .unfriend(by: person, person: other))
            case 5: add(at + 1_000, .befriend(by: person, person: other))
            case 6, 7: add(at, .erase(person: person))
            default: add(at, .lookBack(person: person))
            }
        }
    }

    private mutating func addMishaps() {
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let phone = Int.random(in: 0..<phones.count, using: &random)
            let at = random.chance(0.3) ? early(0) : instant(near: 0)
            switch Int.random(in: 0..<13, using: &random) {
            case 0...2:
                let back = Int64.random(in: 200...90_000, using: &random)
                add(at, .cut(phone: phone, backAfterMs: back, noticedAfterMs: random.chance(0.5) ? 45_000 : 10))
            case 3: add(at, .stall(phone: phone, ms: Int64.random(in: 500...30_000, using: &random)))
            case 4: add(at, .moveClock(phone: phone, byMs: Int64.random(in: -600_000...600_000, using: &random)))
            case 5: add(at, .reboot(phone: phone))
            case 6:
                let far = pick([300.0, 3_000.0, 0.0])
                add(at, .lie(phone: phone, metres: far, reports: pick([1, 2, 6]), asMock: random.chance(0.5)))
            case 7: add(at, .flood(phone: phone, requests: pick([45, 70, 70, 120])))
            case 8...10: add(at, .crash(downMs: Int64.random(in: 50...20_000, using: &random)))
            default: add(at, .fault(full: random.chance(0.5), writes: pick([1, 1, 2, 5])))
            }
        }
    }

    /// Switches all phones off around the end of the window, and usually stops the server: no client's request loads
    /// the promise.
    private mutating func addSilence() {
        let end = meetings[0] + spans.after * 1_000
        let at = end + Int64.random(in: -30_000...spans.settle * 1_000, using: &random)
        for phone in phones.indices { add(at, .cut(phone: phone, backAfterMs: 7_200_000, noticedAfterMs: 10)) }
        if random.chance(0.8) { add(at + 5_000, .crash(downMs: Int64.random(in: 50...30_000, using: &random))) }
    }

    private mutating func addErrands() {
        let end = meetings[0] + (spans.after + spans.settle) * 1_000
        acts += ErrandMaker.acts(seed: seed, people: people, phones: phones, end: end)
        // A separate generator, as for errands.
        random = SeededGenerator(seed: seed ^ 0x7370_6F69)
        guard random.chance(0.3) else { return }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let at = instant(near: 0)
            let isOne = random.chance(0.7)
            let size = Int64.random(in: 1...25, using: &random)
            add(at, isOne ? .spoil(statement: Int(size)) : .choke(ms: size * 2_000))
        }
    }

    /// Adds the acts of the client library, by a separate generator, as for errands.
    private mutating func addDeedsOfApp() {
        random = SeededGenerator(seed: seed ^ 0x6C69_6272)
        for promise in meetings.indices where random.chance(0.8) {
            let arrival = meetings[promise] + Int64((random.normal() * 60).rounded()) * 1_000
            let (speed, distance) = (pick([1.4, 4.5]), pick([60.0, 200.0, 900.0]))
            let walk = AppDeed.walk(
                promise: promise,
                fromMetres: distance,
                toMetres: pick([0.0, 0.0, 60.0]),
                metresPerSecond: speed,
                staySeconds: pick([10, 40, 200])
            )
            add(arrival - Int64(distance / speed) * 1_000, .app(walk))
        }
        for file in 1...2 where random.chance(0.5) {
            let size = Int.random(in: 700...6_000, using: &random)
            add(instant(near: 0), .app(.upload(file: file, bytes: size, isPicture: random.chance(0.5))))
        }
        if random.chance(0.6) { add(instant(near: 0), .app(.record(batches: Int.random(in: 3...12, using: &random)))) }
    }

    /// An instant before the window opens.
    private mutating func early(_ promise: Int) -> Int64 {
        let opening = meetings[promise] - spans.before * 1_000
        return Int64.random(in: min(60_000, opening - 1_000)...opening, using: &random)
    }

    /// An instant after the result is final.
    private mutating func afterwards(_ promise: Int) -> Int64 {
        let end = meetings[promise] + (spans.after + spans.settle) * 1_000
        return end + Int64.random(in: 5_000...90_000, using: &random)
    }

    /// Usually an instant while people arrive, sometimes later, up to after the result.
    private mutating func instant(near promise: Int) -> Int64 {
        let meeting = meetings[promise]
        if random.chance(0.75) { return meeting + Int64.random(in: -120_000...180_000, using: &random) }
        let end = meeting + (spans.after + spans.settle) * 1_000
        return Int64.random(in: meeting...(end + 60_000), using: &random)
    }

    private mutating func add(_ atMs: Int64, _ deed: Deed) { acts.append(Story.Act(atMs: max(0, atMs), deed: deed)) }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }
}
