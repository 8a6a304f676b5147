import PromisedDomain
import PromisedJournal
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(2))) struct ShownWayTests {
    /// Random ways, all visible changes, and parts of all kinds: each stored part equals the newly computed one.
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `a stored way equals a newly computed one`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        try await withStore(users: 1...2) { store async throws in
            try await store.befriend(1, 2)
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.createCourse(number, draft: .sample(.wandering(using: &generator)))
                try await store.share(number, with: .friends)
            }
            for step in 1...12 {
                let number = UInt64.random(in: 1...2, using: &generator)
                try await store.change(number, using: &generator)
                let viewer = UInt64.random(in: 1...2, using: &generator)
                let whole = try #require(try await store.courses.track(of: .course(number), seenBy: .user(viewer))).seen
                for _ in 1...6 {
                    let part = TrackPart.random(using: &generator)
                    let kept = try await store.courses.shownPart(part, of: .course(number), seenBy: .user(viewer))
                    if kept == .unknown {
                        try await store.keepShown(number, seenBy: viewer)
                    } else {
                        #expect(kept == .page(part.page(of: whole)), "seed \(seed), step \(step): \(part)")
                    }
                }
            }
        }
    }

    @Test func `new hidden ends discard the stored view permanently`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.befriend(1, 2)
            try await store.createCourse(1)
            try await store.share(1, with: .friends)
            let old = try await store.packed(1, seenBy: 2)
            for viewer in [1, 2] as [UInt64] { try await store.keepShown(1, seenBy: viewer) }
            try await store.hide(300, of: 1)
            #expect(try await store.shown(1, to: 2) == .unknown)
            #expect(try await [store.count("shown_way"), store.count("shown_piece")] == [1, 1])
            // It was computed before the change.
            try await store.courses.keep(old, of: .course(1))
            #expect(try await store.shown(1, to: 2) == .unknown)
            try await store.keepShown(1, seenBy: 2)
            #expect(try await store.shown(1, to: 2) != .unknown)
            #expect(try await store.shown(1, to: 1) != .unknown)
        }
    }

    @Test func `shows a way only to those who currently see the course`() async throws {
        try await withStore(users: 1...3) { store async throws in
            try await store.befriend(1, 2)
            try await store.createCourse(1)
            try await store.share(1, with: .friends)
            try await store.keepShown(1, seenBy: 2)
            #expect(try await store.shown(1, to: 3) == .hidden)
            #expect(try await store.shown(9, to: 1) == .hidden)
            // The user's own way is not the one of others.
            #expect(try await store.shown(1, to: 1) == .unknown)
            try await store.share(1, with: .onlyMe)
            #expect(try await store.shown(1, to: 2) == .hidden)
            try await store.share(1, with: .friends)
            _ = try await store.friendships.block(.user(2), by: .user(1), at: .meeting)
            #expect(try await store.shown(1, to: 2) == .hidden)
        }
    }

    @Test(.proves("17.8"))
    func `stores a preview only for the course's distance and shows it only to its user`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.befriend(1, 2)
            try await store.createCourse(1)
            try await store.share(1, with: .friends)
            func preview(_ metres: Int, by viewer: UInt64 = 1) async throws -> ShownPart {
                try await store.courses.shownPart(TrackPart(), of: .course(1), seenBy: .user(viewer), hiding: metres)
            }
            #expect(try await preview(200) == .unknown)
            for viewer in [1, 2] as [UInt64] { try await store.keepShown(1, seenBy: viewer) }
            #expect(try await preview(200) == store.shown(1, to: 2))
            for metres in [0, 199, 201] { #expect(try await preview(metres) == .unknown) }
            for metres in [0, 200] { #expect(try await preview(metres, by: 2) == .hidden) }
            try await store.hide(300, of: 1)
            for metres in [200, 300] { #expect(try await preview(metres) == .unknown) }
        }
    }

    @Test(arguments: [false, true])
    func `deletes a way with its course or user`(isAccount: Bool) async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.befriend(1, 2)
            try await store.createCourse(1)
            try await store.share(1, with: .friends)
            for viewer in [1, 2] as [UInt64] { try await store.keepShown(1, seenBy: viewer) }
            let late = try await store.packed(1, seenBy: 2)
            if isAccount {
                try await store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            } else {
                _ = try await store.courses.deleteCourse(.course(1), of: .user(1), at: .meeting)
            }
            try await store.courses.keep(late, of: .course(1))
            #expect(try await [store.count("shown_way"), store.count("shown_piece")] == [0, 0])
            #expect(try await store.shown(1, to: 2) == .hidden)
        }
    }

    @Test func `stores only long ways`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.createCourse(1, draft: .sample(.sample(2_000)))
            try await store.createCourse(2, draft: .sample(.sample(2_000 + 1)))
            for (number, isKept) in [(1, false), (2, true)] as [(UInt64, Bool)] {
                let track = try #require(try await store.courses.track(of: .course(number), seenBy: .user(1)))
                #expect((ShownWay(track.seen, of: track) != nil) == isKept)
            }
        }
    }

    @Test func `rejects truncated and unknown pieces and outlines`() throws {
        let piece = try #require(TrackPiece.all(of: .sample()).first)
        #expect(try piece.points() == Track.sample().points)
        for end in piece.bytes.indices {
            let cut = TrackPiece(start: 0, count: piece.count, bytes: Array(piece.bytes[..<end]))
            #expect(throws: StoreError.self) { _ = try cut.points() }
        }
        let bytes = OutlineCoding.encode(OutlineSteps(of: .sample()))
        for end in bytes.indices {
            let cut = Array(bytes[..<end])
            #expect(throws: StoreError.self) { _ = try OutlineCoding.page(TrackPart(), of: 9, from: cut) }
        }
        #expect(throws: StoreError.self) { _ = try OutlineCoding.page(TrackPart(), of: 9, from: bytes + [0]) }
    }

    @Test func `rejects impossible numbers of ways`() {
        let beyond = Array(repeating: 0x80 as UInt8, count: 9) + [1]
        let outlines: [[UInt8]] = [[1] + beyond + [0], [1, 2, 1, 0] + Array(repeating: 0, count: 8) + beyond + [0]]
        for bytes in outlines {
            #expect(throws: StoreError.self) { _ = try OutlineCoding.page(TrackPart(), of: 9, from: bytes) }
        }
        #expect(throws: StoreError.self) {
            _ = try TrackPiece(start: 0, count: 0, bytes: [1] + beyond + [0]).points()
        }
    }
}

extension Track {
    /// A way that passes its ends repeatedly, in several segments; some points lack some fields.
    fileprivate static func wandering(using generator: inout SeededGenerator) -> Track {
        var (points, segment, time) = ([TrackPoint](), 0, Instant.meeting - .hours(9))
        var coordinate = Coordinate.meetingPlace
        for _ in 0..<Int.random(in: 60...2_600, using: &generator) {
            coordinate.latitude += generator.uniform(-1...1) * 0.000_3
            coordinate.longitude += generator.uniform(-1...1) * 0.000_3
            time = time + .milliseconds(Int64.random(in: 5_000...60_000, using: &generator))
            if Int.random(in: 0..<200, using: &generator) == 0 { segment += 1 }
            points.append(
                TrackPoint(
                    coordinate,
                    altitudeMetres: Bool.random(using: &generator) ? generator.uniform(0...100) : nil,
                    time: Int.random(in: 0..<9, using: &generator) == 0 ? nil : time,
                    accuracyMetres: generator.uniform(1...120),
                    segment: segment
                )
            )
        }
        return Track(points)
    }
}

extension TrackPart {
    fileprivate static func random(using generator: inout SeededGenerator) -> TrackPart {
        let sizes = [nil, 2, 3, 17, 200, Int.random(in: 2...5_000, using: &generator)]
        return TrackPart(
            of: sizes[Int.random(in: sizes.indices, using: &generator)],
            from: Bool.random(using: &generator) ? 0 : Int.random(in: 0...2_700, using: &generator),
            limit: Int.random(in: 1...2_700, using: &generator)
        )
    }
}

extension Store {
    /// Makes one of the changes that may affect the visible way.
    fileprivate func change(_ number: UInt64, using generator: inout SeededGenerator) async throws {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: try await hide([0, 20, 200, 1_000][Int.random(in: 0..<4, using: &generator)], of: number)
        case 1:
            let course = try #require(try await courses.course(.course(number), seenBy: .user(1)))
            let track = try #require(try await courses.track(of: .course(number), seenBy: .user(1)))
            var edit = CourseEdit(version: course.version)
            edit.waypoints = track.placing([.note("A", metres: generator.uniform(0...500))])
            _ = try await courses.updateCourse(.course(number), of: .user(1), edit, at: .meeting).get()
        case 2: try await share(number, with: .people, [2])
        default: try await share(number, with: .friends)
        }
    }

    /// Hides another part of the ends of a course of user 1 from others.
    fileprivate func hide(_ metres: Int, of number: UInt64) async throws {
        let course = try #require(try await courses.course(.course(number), seenBy: .user(1)))
        let track = try #require(try await courses.track(of: .course(number), seenBy: .user(1)))
        _ = try await courses.shareCourse(
            .course(number),
            of: .user(1),
            with: .friends,
            hiding: track.hiding(metres, named: course.named, names: Cafes()),
            at: .meeting
        ).get()
    }

    /// The way of a course, packed for a user, whatever its length.
    fileprivate func packed(_ number: UInt64, seenBy viewer: UInt64) async throws -> ShownWay {
        let track = try #require(try await courses.track(of: .course(number), seenBy: .user(viewer)))
        return ShownWay(packing: track.seen, isOwn: track.isOwn, hideMetres: track.hideMetres)
    }

    /// Stores the way of a course for a user.
    func keepShown(_ number: UInt64, seenBy viewer: UInt64) async throws {
        try await courses.keep(packed(number, seenBy: viewer), of: .course(number))
    }

    fileprivate func shown(_ number: UInt64, to viewer: UInt64) async throws -> ShownPart {
        try await courses.shownPart(TrackPart(), of: .course(number), seenBy: .user(viewer))
    }
}
