import PromisedDomain
import PromisedProtocol
import PromisedSimulation
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

/// Reports read by hand, beside the library.
@Suite struct ReportFrameTests {
    private static let promise = "01934c5e-0a00-7abc-8123-456789abcdef"

    /// The report in a frame as the library decodes it.
    private func plain(_ bytes: [UInt8], _ codec: WireCodec) -> ReportFrame? {
        (try? codec.decodeClientFrame(bytes)).flatMap(ReportFrame.init)
    }

    /// Compares the texts, because a report may contain NaN, which does not equal itself.
    private func expectEqual(_ one: ReportFrame?, _ other: ReportFrame?, _ note: String) {
        #expect(one.map { "\($0)" } == other.map { "\($0)" }, "\(note)")
    }

    @Test func `reads a report of any content like the library`() throws {
        var generator = SeededGenerator(seed: 11)
        var count = 0
        for round in 0..<4_000 {
            let frame = WireClientFrame(id: generator.next(), request: .report(report(using: &generator)))
            let bytes = try WireCodec.protobuf.encode(frame)
            let read = WireCodec.protobuf.decodeReport(bytes)
            expectEqual(read, plain(bytes, .protobuf), "round \(round)")
            if read != nil { count += 1 }
        }
        #expect(count > 1_000, "The others are to be refused: no promise, or a clock that shows no time")
    }

    @Test func `reads a usual report in JSON like the library`() throws {
        var generator = SeededGenerator(seed: 13)
        for round in 0..<4_000 {
            var report = report(using: &generator, isUsual: true)
            report.promiseID = PromiseID(high: generator.next(), low: generator.next()).wireText
            if report.fixes.isEmpty { report.fixes = [fix(using: &generator, isUsual: true)] }
            let bytes = try WireCodec.json.encode(WireClientFrame(id: generator.next(), request: .report(report)))
            let read = WireCodec.json.decodeReport(bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(read != nil, "round \(round): \(text)")
            expectEqual(read, plain(bytes, .json), "round \(round): \(text)")
        }
    }

    @Test(arguments: WireCodec.allCases)
    func `reads unusual bytes like the library or leaves them to it`(codec: WireCodec) throws {
        var generator = SeededGenerator(seed: 12)
        var count = 0
        for round in 0..<20_000 {
            let report = report(using: &generator, isUsual: Bool.random(using: &generator))
            let frame = WireClientFrame(id: generator.next(), request: .report(report))
            // JSON cannot represent some timestamps.
            guard var bytes = try? codec.encode(frame) else { continue }
            let changes = Int.random(in: 0...3, using: &generator)
            for _ in 0..<changes {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0...4, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes[index] = Array("0123456789.-+eE\",:{}[]TZ ".utf8).randomElement(using: &generator) ?? 0
                case 2 where bytes.count > 1: bytes.remove(at: index)
                case 3 where bytes.count > 1: bytes.removeLast()
                default: bytes.insert(bytes[index], at: index)
                }
            }
            guard let read = codec.decodeReport(bytes) else { continue }
            if changes > 0 { count += 1 }
            expectEqual(read, plain(bytes, codec), "round \(round): \(bytes)")
        }
        #expect(count > 300, "Too few of the changed frames are still reports")
    }

    @Test(arguments: [
        // Numbers.
        ("{\"seq\":4294967295}", true), ("{\"seq\":4294967296}", false), ("{\"seq\":12345678901}", false),
        ("{\"seq\":07}", false), ("{\"seq\":0}", true), ("{\"seq\":-1}", false), ("{\"seq\":\"7\"}", false),
        ("{\"seq\":7.0}", false),
        ("{\"latitude\":-0}", true), ("{\"latitude\":-0.0}", true), ("{\"latitude\":.5}", false),
        ("{\"latitude\":5.}", false), ("{\"latitude\":1e2}", false), ("{\"latitude\":00.5}", false),
        ("{\"latitude\":37.123456789012345678901234567890}", true), ("{\"latitude\":9007199254740993}", true),
        ("{\"latitude\":0.00000000000000000000012}", true), ("{\"latitude\":\"NaN\"}", false),
        ("{\"latitude\":123456789012345678901234567890}", true), ("{\"latitude\":-}", false),
        ("{\"latitude\":18446744073709551617.5}", true),
        // Times.
        ("{\"recordedAt\":\"2024-02-29T23:59:59Z\"}", true), ("{\"recordedAt\":\"2023-02-29T23:59:59Z\"}", false),
        ("{\"recordedAt\":\"0001-01-01T00:00:00Z\"}", true), ("{\"recordedAt\":\"0000-12-31T00:00:00Z\"}", false),
        ("{\"recordedAt\":\"9999-12-31T23:59:59.999999999Z\"}", true),
        ("{\"recordedAt\":\"2024-01-01T00:00:00.0000000001Z\"}", false),
        ("{\"recordedAt\":\"2024-01-01T00:00:00.Z\"}", false), ("{\"recordedAt\":\"2024-01-01T24:00:00Z\"}", false),
        ("{\"recordedAt\":\"2024-01-01T00:00:60Z\"}", false), ("{\"recordedAt\":\"2024-01-01T00:00:00+01:00\"}", false),
        ("{\"recordedAt\":\"2024-01-01t00:00:00z\"}", false), ("{\"recordedAt\":null}", false),
        ("{\"recordedAt\":\"2024-01-01T00:00:00.5Z\"}", true), ("{\"recordedAt\":\"2024-13-01T00:00:00Z\"}", false),
        // The rest.
        ("{\"mock\":true}", true), ("{\"mock\":false}", true), ("{\"mock\":1}", false), ("{\"mock\":tru}", false),
        ("{\"seq\":1,\"seq\":2}", false), ("{\"seq\":1,}", false), ("{\"seq\": 1}", false), ("{}", false),
        ("{\"battery_percent\":5}", false), ("{\"batteryPercent\":101}", true), ("{\"unknown\":1}", false),
    ])
    func `reads plain JSON by hand and leaves all else to the library`(fix: String, isRead: Bool) {
        let text = "{\"id\":1,\"report\":{\"promiseId\":\"\(Self.promise)\",\"fixes\":[\(fix)]}}"
        let read = WireCodec.json.decodeReport(Array(text.utf8))
        #expect((read != nil) == isRead, "\(text)")
        if isRead { expectEqual(read, plain(Array(text.utf8), .json), text) }
        for cut in 0..<text.utf8.count { #expect(WireCodec.json.decodeReport(Array(text.utf8.prefix(cut))) == nil) }
    }

    @Test func `reads a report in JSON in any order and without an id`() {
        let fix = "{\"latitude\":1.5,\"seq\":2}"
        let id = "\"promiseId\":\"\(Self.promise.uppercased())\""
        for text in [
            "{\"report\":{\"fixes\":[\(fix)],\(id)},\"id\":5}",
            "{\"report\":{\(id),\"uptimeMs\":1,\"fixes\":[\(fix),\(fix)]}}",
        ] {
            let read = WireCodec.json.decodeReport(Array(text.utf8))
            #expect(read != nil, "\(text)")
            expectEqual(read, plain(Array(text.utf8), .json), text)
        }
        for text in [
            "{\"id\":1,\"id\":2,\"report\":{\(id),\"fixes\":[\(fix)]}}", "{\"report\":{\(id),\"fixes\":[]}}",
            "{\"report\":{\(id),\"fixes\":[\(fix)],\(id)}}", "{\"report\":{\(id),\"fixes\":[\(fix)]}} ",
            "{\"report\":{\(id),\"fixes\":[\(fix)]},\"hello\":{}}", "{\"report\":{\"fixes\":[\(fix)]}}",
        ] { #expect(WireCodec.json.decodeReport(Array(text.utf8)) == nil, "\(text)") }
    }

    @Test func `leaves other requests to the library`() throws {
        for codec in WireCodec.allCases {
            for request in RequestSamples.all {
                if case .report = request { continue }
                let bytes = try codec.encode(WireClientFrame(id: 7, request: request))
                #expect(codec.decodeReport(bytes) == nil)
            }
            #expect(codec.decodeReport([]) == nil)
        }
    }

    @Test(arguments: [(0, false), (1, true), (200, true), (201, false)])
    func `a report has 1 to 200 fixes`(count: Int, isRead: Bool) throws {
        var report = WireReport()
        report.promiseID = Self.promise
        report.fixes = Array(repeating: WireFix(), count: count)
        for index in report.fixes.indices { report.fixes[index].seq = UInt32(index + 1) }
        for codec in WireCodec.allCases {
            let bytes = try codec.encode(WireClientFrame(id: 1, request: .report(report)))
            #expect((codec.decodeReport(bytes) != nil) == isRead)
            #expect((plain(bytes, codec) != nil) == isRead)
        }
    }

    struct Case: Sendable {
        var name: String
        var change: @Sendable (inout WireReport) -> Void
        var isRead: Bool
    }

    @Test(arguments: [
        Case(name: "as it is", change: { _ in }, isRead: true),
        Case(name: "no promise", change: { $0.clearPromiseID() }, isRead: false),
        Case(name: "an empty promise", change: { $0.promiseID = "" }, isRead: false),
        Case(
            name: "a promise that is none",
            change: { $0.promiseID = "01934c5e00a00-7abc-8123-456789abcdef" },
            isRead: false
        ),
        Case(name: "a promise in capitals", change: { $0.promiseID = promise.uppercased() }, isRead: true),
        Case(name: "a clock that shows no time", change: { $0.uptimeMs = .nan }, isRead: false),
        Case(name: "a clock at its end", change: { $0.uptimeMs = 1e15 }, isRead: true),
        Case(name: "a clock beyond it", change: { $0.uptimeMs = 1.1e15 }, isRead: false),
        Case(name: "a time beyond all calendars", change: { $0.sentAt.seconds = .max }, isRead: false),
        Case(name: "an empty timestamp", change: { $0.sentAt = WireTimestamp() }, isRead: true),
    ])
    func `leaves invalid frames to the library`(row: Case) throws {
        var report = WireReport()
        report.promiseID = Self.promise
        report.fixes = [WireFix()]
        row.change(&report)
        let bytes = try WireCodec.protobuf.encode(WireClientFrame(id: 3, request: .report(report)))
        #expect((WireCodec.protobuf.decodeReport(bytes) != nil) == row.isRead, "\(row.name)")
        expectEqual(WireCodec.protobuf.decodeReport(bytes), plain(bytes, .protobuf), row.name)
    }

    @Test(arguments: [
        ("", 126, true), ("", 127, true), ("", 128, false), ("-", 127, true), ("-", 128, false), ("", 400, false),
    ])
    func `reads numbers in JSON of any length that the library accepts`(sign: String, length: Int, isRead: Bool) {
        let digits = length - sign.count
        for number in [String(repeating: "7", count: digits), "0." + String(repeating: "7", count: digits - 2)] {
            let fix = "{\"latitude\":\(sign)\(number)}"
            let text = "{\"report\":{\"promiseId\":\"\(Self.promise)\",\"fixes\":[\(fix)]}}"
            let read = WireCodec.json.decodeReport(Array(text.utf8))
            #expect((read != nil) == isRead, "\(text)")
            expectEqual(read, plain(Array(text.utf8), .json), text)
        }
    }

    /// Behind a fix with the fields of the first text, in a report with those of the second.
    @Test(
        .proves("10.4"),
        arguments: [
            // Numbers of more bytes than they need, of ten and of eleven.
            ("08 81 00", "", true), ("08 FF FF FF FF FF FF FF FF FF 01", "", false),
            ("48 FF FF FF FF FF FF FF FF FF 01", "", true),
            ("48 FF FF FF FF FF FF FF FF FF FF 01", "", false), ("88 00 01", "", true), ("42 82 00 08 01", "", true),
            ("42 0B 08 FF FF FF FF FF FF FF FF FF 01", "", true), ("42 0B 10 FF FF FF FF FF FF FF FF FF 01", "", true),
            // A repeated field: the last value counts, except for messages, which would be merged.
            ("08 01 08 02", "", true), ("48 01 48 00", "", true), ("42 02 08 01 42 02 10 01", "", false),
            ("", "19 00 00 00 00 00 00 F0 3F 19 00 00 00 00 00 00 00 40", true), ("", "22 00 22 00", false),
            // A layout other than the schema's, or an invalid one.
            ("0D 01 00 00 00", "", false), ("10 01", "", false), ("0A 00", "", false), ("0B 0C", "", false),
            ("0F", "", false),
            ("", "18 01", false), ("", "20 01", false), ("", "08 01", false), ("00", "", false), ("58 01", "", false),
            // Shorter than their stated length.
            ("42 05 08 01", "", false), ("11 00 00", "", false), ("", "22 7F 08", false), ("08", "", false),
        ]
    )
    func `reads unusual fields like the library or leaves them to it`(fix: String, report: String, isRead: Bool) {
        func bytes(_ text: String) -> [UInt8] { text.split(separator: " ").compactMap { UInt8($0, radix: 16) } }
        let fix = bytes(fix)
        let content = [0x0A, 36] + Array(Self.promise.utf8) + [0x12, UInt8(fix.count)] + fix + bytes(report)
        let frame = [0x12, UInt8(content.count)] + content
        let read = WireCodec.protobuf.decodeReport(frame)
        #expect((read != nil) == isRead)
        if isRead { expectEqual(read, plain(frame, .protobuf), "\(frame)") }
    }

    @Test func `leaves a second report, an unknown field and an excessive number to the library`() throws {
        let report = WireReport.with {
            $0.promiseID = Self.promise
            $0.fixes = [WireFix()]
        }
        let bytes = try WireCodec.protobuf.encode(WireClientFrame(id: 0, request: .report(report)))
        #expect(WireCodec.protobuf.decodeReport(bytes) != nil)
        #expect(WireCodec.protobuf.decodeReport(bytes + bytes) == nil)
        #expect(WireCodec.protobuf.decodeReport(bytes + [0xF8, 0x3F, 0x01]) == nil)
        #expect(WireCodec.protobuf.decodeReport(bytes + [0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F])?.id == .max)
        #expect(WireCodec.protobuf.decodeReport(bytes + [0x08, 0x80, 0x80, 0x80, 0x80, 0x10]) == nil)
    }

    // MARK: - Random reports

    private func report(using generator: inout SeededGenerator, isUsual: Bool = false) -> WireReport {
        var report = WireReport()
        if Int.random(in: 0..<8, using: &generator) > 0 {
            let id = PromiseID(high: generator.next(), low: generator.next())
            report.promiseID = Bool.random(using: &generator) ? id.wireText : id.wireText.uppercased()
        }
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            report.fixes.append(fix(using: &generator, isUsual: isUsual))
        }
        if Bool.random(using: &generator) { report.uptimeMs = number(using: &generator, isUsual: isUsual) }
        if Bool.random(using: &generator) { report.sentAt = timestamp(using: &generator, isUsual: isUsual) }
        return report
    }

    private func fix(using generator: inout SeededGenerator, isUsual: Bool = false) -> WireFix {
        var fix = WireFix()
        fix.seq = generator.next()
        fix.latitude = number(using: &generator, isUsual: isUsual)
        fix.longitude = number(using: &generator, isUsual: isUsual)
        if Bool.random(using: &generator) { fix.accuracyMetres = number(using: &generator, isUsual: isUsual) }
        if Bool.random(using: &generator) { fix.speedMps = number(using: &generator, isUsual: isUsual) }
        if Bool.random(using: &generator) { fix.courseDegrees = number(using: &generator, isUsual: isUsual) }
        if Bool.random(using: &generator) { fix.uptimeMs = number(using: &generator, isUsual: isUsual) }
        if Bool.random(using: &generator) { fix.recordedAt = timestamp(using: &generator, isUsual: isUsual) }
        if Bool.random(using: &generator) { fix.mock = Bool.random(using: &generator) }
        if Bool.random(using: &generator) { fix.batteryPercent = number(using: &generator, isUsual: isUsual) }
        return fix
    }

    private func number(using generator: inout SeededGenerator, isUsual: Bool) -> Double {
        let odd: [Double] = [0, -0.0, .nan, .infinity, -.infinity, 1e300, 1e15, -1e15]
        if !isUsual, Int.random(in: 0..<12, using: &generator) == 0 { return odd.randomElement(using: &generator) ?? 0 }
        var number = Double.random(in: -200...200, using: &generator)
        // Smaller ones are written with an exponent, which is left to the library.
        if isUsual, number.magnitude < 0.001 { number += 1 }
        // As sent by phones, and with all digits.
        return Bool.random(using: &generator) ? number : (number * 1e7).rounded() / 1e7
    }

    private func timestamp(using generator: inout SeededGenerator, isUsual: Bool) -> WireTimestamp {
        if !isUsual, Int.random(in: 0..<6, using: &generator) == 0 {
            let seconds: [Int64] = [.min, .max, -1, 0, -62_135_596_800, 253_402_300_799]
            let nanos: [Int32] = [.min, .max, -1, 0, 999_999_999]
            return WireTimestamp(
                seconds: seconds.randomElement(using: &generator) ?? 0,
                nanos: nanos.randomElement(using: &generator) ?? 0
            )
        }
        return WireTimestamp(
            seconds: Int64.random(in: -2_000_000_000...2_000_000_000, using: &generator),
            nanos: Int32.random(in: 0..<1_000_000_000, using: &generator)
        )
    }
}
