internal import PromisedSimulation

extension Story {
    /// The most acts of an input.
    private static let mostActs = 60

    /// Decodes a fuzzer's bytes: any valid acts, in any order. All bytes are valid; equal bytes give equal stories.
    ///
    /// ```
    /// story = seed (2 bytes), people, network, phones, penalty, acts…
    /// act   = deed, time, person, other, amount                        five bytes each; a last one may be shorter
    /// ```
    /// People, phones and promises are numbers modulo the existing ones. At first everyone connects, person 0 makes a
    /// promise, and the others accept it.
    package init(bytes: [UInt8]) {
        var reader = ActReader(bytes)
        seed = UInt64(reader.byte()) << 8 | UInt64(reader.byte())
        people = 2 + reader.below(3)
        let quality = reader.byte()
        network = Network(
            delayMs: [5, 80, 600, 4_000][Int(quality & 3)],
            cutsOneIn: [0, 0, 150, 40][Int(quality >> 2 & 3)],
            patienceMs: [3_000, 8_000, 15_000, 8_000][Int(quality >> 4 & 3)],
            diskMs: [0, 10, 60, 900][Int(quality >> 6)]
        )
        spans = Spans(before: 1_800, after: 600, settle: 120)
        let habits = reader.byte()
        // Person 1 may have a second phone.
        let owners = Array(0..<people) + (habits & 1 == 1 ? [1] : [])
        phones = owners.enumerated().map { number, person in
            let isOdd = habits >> UInt8(number + 1) & 1 == 1
            return Phone(
                person: person,
                wallAheadMs: isOdd ? -3_600_000 : 0,
                sendsUptime: !isOdd,
                sendsWall: isOdd,
                errsLike: [nil, .iPhone, .android, number % 2 == 0 ? nil : .iPhone][Int(habits >> 6)]
            )
        }
        acts = Story.opening(people: people, phones: phones.count, penalty: reader.isHeads() ? 500 : 0)
        var creators = [0]
        while !reader.isAtEnd, acts.count < Story.mostActs {
            acts.append(reader.act(people: people, phones: phones.count, creators: &creators))
        }
        acts.sort { $0.atMs < $1.atMs }
    }

    private static func opening(people: Int, phones: Int, penalty: Int32) -> [Act] {
        var acts = (0..<phones).map { Act(atMs: Int64($0) * 1_000, deed: .connect(phone: $0)) }
        acts.append(
            Act(
                atMs: 30_000,
                deed: .create(promise: 0, by: 0, meetsInSeconds: 1_830, radius: 50, penalty: penalty, firstFix: false)
            )
        )
        for person in 1..<people {
            acts.append(Act(atMs: 60_000 + Int64(person) * 100, deed: .respond(promise: 0, by: person, accepts: true)))
        }
        return acts
    }
}

/// Reads acts from bytes; zeros after their end.
private struct ActReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }

    mutating func byte() -> UInt8 {
        guard !isAtEnd else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func below(_ bound: Int) -> Int { Int(byte()) % bound }

    mutating func isHeads() -> Bool { byte() & 1 == 1 }

    /// The next act.
    ///
    /// - Parameter creators: the creators of the promises so far; one more if this act creates one.
    mutating func act(people: Int, phones: Int, creators: inout [Int]) -> Story.Act {
        let kind = below(32)
        let atMs = time()
        let (person, other) = (below(people), below(people))
        let amount = byte()
        if kind == 0, creators.count < 3 {
            creators.append(person)
            let meetsIn = 1_830 + Int64(amount)
            return Story.Act(
                atMs: min(atMs, 120_000),
                deed: .create(
                    promise: creators.count - 1,
                    by: person,
                    meetsInSeconds: meetsIn,
                    radius: 50,
                    penalty: 500,
                    firstFix: amount & 1 == 1
                )
            )
        }
        let promise = Int(amount >> 6) % creators.count
        // A creator takes part from the start: nothing could show that an answer was stored.
        if kind == 1, person != creators[promise] {
            let accepts = amount & 1 == 0
            return Story.Act(atMs: atMs, deed: .respond(promise: promise, by: person, accepts: accepts))
        }
        let deed =
            deed(kind, promise, person, other, amount)
            ?? mishap(kind, phone: (person + Int(amount)) % phones, promise, amount)
        return Story.Act(atMs: atMs, deed: deed)
    }

    /// An early instant, or one around the opening of the window, the meeting, the end of the window and the result.
    private mutating func time() -> Int64 {
        let code = Int64(byte())
        let meeting: Int64 = 1_860_000
        switch code >> 6 {
        case 0: return 60_000 + code * 1_000
        case 1: return meeting - 120_000 + (code & 63) * 2_000
        case 2: return meeting + (code & 63) * 3_000
        default: return meeting + 540_000 + (code & 63) * 5_000
        }
    }

    /// An act of a person; nil for other kinds.
    private func deed(_ kind: Int, _ promise: Int, _ by: Int, _ person: Int, _ amount: UInt8) -> Deed? {
        switch kind {
        case 1, 2: .leave(promise: promise, by: by)
        case 3: .cancel(promise: promise, by: by)
        case 4 where by != person: .handOver(promise: promise, by: by, to: person)
        case 5: .retitle(promise: promise, by: by)
        case 6: .move(promise: promise, by: by, bySeconds: 60 + Int64(amount & 63))
        case 7: .remove(promise: promise, by: by, person: person)
        case 8: .invite(promise: promise, by: by, person: person)
        case 9: .excuse(promise: promise, by: by, person: person)
        case 10, 11: .share(promise: promise, by: by, on: kind == 11)
        case 12: .status(promise: promise, by: by)
        case 13: .nudge(promise: promise, by: by, person: person)
        case 14: .trouble(promise: promise, by: by)
        case 15: .checkIn(promise: promise, by: by, withCode: amount & 1 == 1)
        case 16 where by != person: .block(by: by, person: person)
        case 17 where by != person: .unblock(by: by, person: person)
        case 18 where by != person: .unfriend(by: by, person: person)
        case 19 where by != person: .befriend(by: by, person: person)
        case 20: .erase(person: by)
        case 21: .lookBack(person: by)
        default: nil
        }
    }

    /// A way, or a failure.
    private func mishap(_ kind: Int, phone: Int, _ promise: Int, _ amount: UInt8) -> Deed {
        let small = Int64(amount & 63)
        switch kind {
        case 22:
            return .cut(phone: phone, backAfterMs: 200 + small * 1_000, noticedAfterMs: small % 2 == 0 ? 45_000 : 10)
        case 23: return .stall(phone: phone, ms: 500 + small * 400)
        case 24: return .moveClock(phone: phone, byMs: (small - 32) * 15_000)
        case 25: return .reboot(phone: phone)
        case 26:
            let far: Double = small < 32 ? 300 : 0
            return .lie(phone: phone, metres: far, reports: 1 + Int(small % 4), asMock: small % 2 == 0)
        case 27: return .crash(downMs: 50 + small * 300)
        case 28: return .fault(full: small % 2 == 0, writes: 1 + Int(small % 3))
        case 29: return .flood(phone: phone, requests: 40 + Int(small))
        default:
            let isArrival = kind < 31
            return .walk(
                phone: phone,
                promise: promise,
                fromMetres: isArrival ? 90 : 5,
                toMetres: isArrival ? 0 : 120,
                metresPerSecond: small < 32 ? 4.5 : 11,
                staySeconds: isArrival ? small : 5
            )
        }
    }
}
