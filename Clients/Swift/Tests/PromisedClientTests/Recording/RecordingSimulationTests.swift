import PromisedProtocol
import Testing

@testable import PromisedClient

/// A recorder's machine with its file, and a server that accepts points once; with lost requests, lost replies and
/// crashes.
@Suite struct RecordingSimulationTests {
    /// The recording device.
    private struct World {
        let directory: TemporaryDirectory
        let time = TestTime()
        var server = RecordingServer()
        var machine: RecordingMachine
        var generator: SeededGenerator
        /// The expected ways, without faults.
        var expected: [[Double]] = []
        var startsSegment = true
        var rejectedCount = 0
        var notices: [RecorderNotice] = []

        init(_ directory: TemporaryDirectory, seed: UInt64) throws {
            self.directory = directory
            generator = SeededGenerator(seed: seed)
            machine = try directory.recording(time: time)
            _ = machine.start(.test(time))
        }

        mutating func record(_ latitude: Double) {
            guard machine.append(.at(latitude).stamped(by: time, age: .zero)) != nil else { return }
            if server.rejects(.at(latitude)) {
                rejectedCount += 1
                return
            }
            if startsSegment { expected.append([]) }
            startsSegment = false
            expected[expected.count - 1].append(latitude)
        }

        mutating func pauseOrResume() {
            if machine.store.head?.phase == .recording {
                notices += machine.pause()
            } else if machine.store.head?.phase == .paused {
                notices += machine.resume()
                startsSegment = true
            }
        }

        /// Drops the machine and restores it from the disk.
        mutating func crash() throws {
            machine = RecordingMachine(RecordingStore(limit: 1, time: time))
            machine = try directory.recording(time: time)
        }

        /// Sends what is due, with or without faults.
        mutating func send(losing: Bool) throws {
            time.advance(by: .seconds(Int.random(in: 0...12, using: &generator)))
            guard let next = machine.next(at: time.uptime), next.at <= time.uptime else { return }
            let request = try #require(machine.request(for: next.step))
            notices += machine.sends(next.step, at: time.uptime)
            let luck = losing ? Int.random(in: 0..<6, using: &generator) : 5
            if luck == 0 { return fail(request) }
            let reply = server.answer(request)
            switch luck {
            case 1: fail(request)
            case 2: try crash()
            default: take(reply, to: request)
            }
        }

        private mutating func fail(_ request: WireRequest) {
            let error = Bool.random(using: &generator) ? ClientError.disconnected : .timedOut
            notices += machine.failed(request, error, at: time.uptime)
        }

        private mutating func take(_ reply: WireContent, to request: WireRequest) {
            if case .error(let error) = reply {
                notices += machine.failed(request, .refused(error), at: time.uptime)
            } else {
                notices += machine.answered(request, reply, at: time.uptime)
            }
        }
    }

    private func disturb(_ world: inout World, latitude: inout Double) throws {
        switch Int.random(in: 0..<10, using: &world.generator) {
        case 0...4:
            for _ in 0..<Int.random(in: 1...30, using: &world.generator) {
                latitude += 1
                world.record(latitude)
            }
        case 5...7: try world.send(losing: true)
        case 8: world.pauseOrResume()
        default: try world.crash()
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `losses and crashes of the app do not change the course`(
        seed: UInt64
    ) throws {
        try withTemporaryDirectory { directory in
            var world = try World(directory, seed: seed)
            if seed.isMultiple(of: 3) { world.server.rejects = { $0.latitude.remainder(dividingBy: 7) == 0 } }
            var latitude = 0.0
            for _ in 0..<60 { try disturb(&world, latitude: &latitude) }
            world.notices += world.machine.end(with: .init(title: "Way"))
            for _ in 0..<20 { try world.send(losing: true) }
            // Finishing again, also after crashes, has no effect.
            world.notices += world.machine.end(with: .init(title: "Way"))
            try world.crash()
            for _ in 0..<200 where world.machine.store.head != nil { try world.send(losing: false) }
            #expect(world.machine.store.head == nil, "seed \(seed)")
            #expect(world.server.way(of: "r1") == world.expected, "seed \(seed)")
            #expect(world.server.reused.isEmpty, "seed \(seed)")
            #expect(world.server.recordings.count == 1 && world.server.courses.count == 1, "seed \(seed)")
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `removes a recording discarded in between from device and server`(seed: UInt64) throws {
        try withTemporaryDirectory { directory in
            var world = try World(directory, seed: seed)
            var latitude = 0.0
            for _ in 0..<Int.random(in: 0..<30, using: &world.generator) { try disturb(&world, latitude: &latitude) }
            let isKnown = world.machine.store.head?.isStartSent == true
            world.notices += world.machine.end(with: nil)
            for _ in 0..<30 { try world.send(losing: true) }
            for _ in 0..<20 where world.machine.store.head != nil { try world.send(losing: false) }
            #expect(world.machine.store.head == nil && world.machine.store.queue.isEmpty, "seed \(seed)")
            #expect(world.server.discarded == (isKnown ? ["r1"] : []), "seed \(seed)")
            try world.crash()
            #expect(world.machine.store.head == nil, "seed \(seed)")
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `the counts and the queue add up to all points after any faults`(seed: UInt64) throws {
        try withTemporaryDirectory { directory in
            var world = try World(directory, seed: seed)
            world.server.rejects = { $0.latitude.remainder(dividingBy: 5) == 0 }
            var latitude = 0.0
            for _ in 0..<60 { try disturb(&world, latitude: &latitude) }
            let store = world.machine.store
            let counts = try #require(store.head?.counts)
            let recorded = world.expected.map(\.count).reduce(0, +) + world.rejectedCount
            #expect(counts.taken + counts.rejected + store.queue.count == recorded, "seed \(seed)")
            #expect(counts.rejected <= world.rejectedCount, "seed \(seed)")
        }
    }
}
