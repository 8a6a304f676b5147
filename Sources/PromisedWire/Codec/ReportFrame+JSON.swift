internal import PromisedDomain
internal import PromisedProtocol

extension ReportFrame {
    /// Reads a frame in JSON; nil if it is not a plain report, valid or not: then decode it like any other frame.
    /// Repeated names are left to the library, too.
    init?(json bytes: [UInt8]) {
        var reader = JSONReader(bytes)
        var id: UInt32?
        var content: Content?
        let isRead = reader.object { reader in
            // A pattern, because `content == nil` copies the content.
            if case nil = content, reader.skip("\"report\":") {
                guard let report = ReportFrame.content(&reader) else { return false }
                content = report
                return true
            }
            guard id == nil, reader.skip("\"id\":") else { return false }
            id = reader.uint32()
            return id != nil
        }
        guard isRead, reader.isAtEnd, let content else { return nil }
        self.init(id: id ?? 0, content)
    }

    /// `Report` of the schema.
    private static func content(_ reader: inout JSONReader) -> Content? {
        var content = Content()
        let isRead = reader.object { reader in
            if content.fixes.isEmpty, reader.skip("\"fixes\":") {
                return reader.array { reader in
                    guard content.fixes.count < Report.fixLimit, let fix = ReportFrame.fix(&reader) else {
                        return false
                    }
                    content.fixes.append(fix)
                    return true
                }
            }
            if content.promiseID == nil, reader.skip("\"promiseId\":") {
                content.promiseID = reader.id()
                return content.promiseID != nil
            }
            if content.sent.uptimeMs == nil, reader.skip("\"uptimeMs\":") {
                content.sent.uptimeMs = reader.double()
                return content.sent.uptimeMs != nil
            }
            guard content.sent.wallMs == nil, reader.skip("\"sentAt\":") else { return false }
            content.sent.wallMs = reading(&reader)
            return content.sent.wallMs != nil
        }
        return isRead ? content : nil
    }

    /// `Fix` of the schema.
    private static func fix(_ reader: inout JSONReader) -> Fix? {
        var fix = Fix(seq: 0, coordinate: Coordinate(latitude: 0, longitude: 0))
        var known: UInt64 = 0
        var next = 0
        let isRead = reader.object { reader in
            guard let name = FixName.read(from: next, &reader), known & 1 << name.rawValue == 0,
                read(name, of: &fix, &reader)
            else { return false }
            known |= 1 << name.rawValue
            next = Int(name.rawValue) + 1
            return true
        }
        return isRead ? fix : nil
    }

    /// The members of `Fix`, in the usual order of programs.
    private enum FixName: UInt64, CaseIterable {
        case seq, latitude, longitude, accuracyMetres, speedMps, courseDegrees, uptimeMs, recordedAt, batteryPercent,
            mock

        var text: StaticString {
            switch self {
            case .seq: "\"seq\":"
            case .latitude: "\"latitude\":"
            case .longitude: "\"longitude\":"
            case .accuracyMetres: "\"accuracyMetres\":"
            case .speedMps: "\"speedMps\":"
            case .courseDegrees: "\"courseDegrees\":"
            case .uptimeMs: "\"uptimeMs\":"
            case .recordedAt: "\"recordedAt\":"
            case .batteryPercent: "\"batteryPercent\":"
            case .mock: "\"mock\":"
            }
        }

        /// Reads a name; compares it with the names from `first` on before the others.
        static func read(from first: Int, _ reader: inout JSONReader) -> FixName? {
            allCases[first...].first { reader.skip($0.text) } ?? allCases[..<first].first { reader.skip($0.text) }
        }
    }

    private static func read(_ name: FixName, of fix: inout Fix, _ reader: inout JSONReader) -> Bool {
        switch name {
        case .seq:
            guard let seq = reader.uint32() else { return false }
            fix.seq = seq
        case .recordedAt:
            fix.wallMs = reading(&reader)
            return fix.wallMs != nil
        case .mock:
            fix.isMock = reader.skip("true")
            return fix.isMock || reader.skip("false")
        case .latitude, .longitude, .accuracyMetres, .speedMps, .courseDegrees, .uptimeMs, .batteryPercent:
            guard let number = reader.double() else { return false }
            note(number, of: name, in: &fix)
        }
        return true
    }

    private static func note(_ number: Double, of name: FixName, in fix: inout Fix) {
        switch name {
        case .latitude: fix.coordinate.latitude = number
        case .longitude: fix.coordinate.longitude = number
        case .accuracyMetres: fix.accuracyMetres = number
        case .speedMps: fix.speedMps = number
        case .courseDegrees: fix.courseDegrees = number
        case .uptimeMs: fix.uptimeMs = number
        case .batteryPercent: fix.batteryPercent = Fix.battery(number)
        case .seq, .recordedAt, .mock: break
        }
    }

    private static func reading(_ reader: inout JSONReader) -> Double? {
        reader.timestamp().map { WireTimestamp.readingMs(seconds: $0.seconds, nanos: $0.nanos) }
    }
}
