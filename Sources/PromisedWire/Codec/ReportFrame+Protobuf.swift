internal import PromisedDomain
internal import PromisedProtocol

extension ReportFrame {
    /// Reads a frame in Protocol Buffers; nil if it is not a plain report, valid or not: then decode it like any other
    /// frame.
    init?(protobuf bytes: [UInt8]) {
        var reader = ProtobufReader(bytes)
        var id: UInt32 = 0
        var content: Content?
        while !reader.isAtEnd {
            switch reader.varint() {
            case Tag.varint(1):
                guard let number = reader.uint32() else { return nil }
                id = number
            case Tag.message(2):
                guard content == nil, let report = reader.message(ReportFrame.content) else { return nil }
                content = report
            default: return nil
            }
        }
        guard let content else { return nil }
        self.init(id: id, content)
    }

    private enum Tag {
        static func varint(_ field: UInt64) -> UInt64 { field << 3 }
        static func double(_ field: UInt64) -> UInt64 { field << 3 | 1 }
        static func message(_ field: UInt64) -> UInt64 { field << 3 | 2 }
    }

    /// `Report` of the schema.
    private static func content(_ reader: inout ProtobufReader) -> Content? {
        var content = Content()
        while !reader.isAtEnd {
            switch reader.varint() {
            case Tag.message(1):
                guard let id = reader.text36(PromiseID.init(ascii:)) else { return nil }
                content.promiseID = id
            case Tag.message(2):
                guard content.fixes.count < Report.fixLimit, let fix = reader.message(fix) else { return nil }
                content.fixes.append(fix)
            case Tag.double(3):
                guard let uptime = reader.double() else { return nil }
                content.sent.uptimeMs = uptime
            case Tag.message(4):
                guard content.sent.wallMs == nil, let reading = reader.message(reading) else { return nil }
                content.sent.wallMs = reading
            default: return nil
            }
        }
        return content
    }

    /// `Fix` of the schema.
    private static func fix(_ reader: inout ProtobufReader) -> Fix? {
        var fix = Fix(seq: 0, coordinate: Coordinate(latitude: 0, longitude: 0))
        while !reader.isAtEnd {
            guard let tag = reader.varint() else { return nil }
            switch tag {
            case Tag.varint(1):
                guard let seq = reader.uint32() else { return nil }
                fix.seq = seq
            case Tag.message(8):
                guard fix.wallMs == nil, let reading = reader.message(reading) else { return nil }
                fix.wallMs = reading
            case Tag.varint(9):
                guard let mock = reader.varint() else { return nil }
                fix.isMock = mock != 0
            default:
                guard tag & 7 == 1, let number = reader.double(), note(number, of: tag >> 3, in: &fix) else {
                    return nil
                }
            }
        }
        return fix
    }

    /// - Returns: `true` if the schema has a field with that number.
    private static func note(_ number: Double, of field: UInt64, in fix: inout Fix) -> Bool {
        switch field {
        case 2: fix.coordinate.latitude = number
        case 3: fix.coordinate.longitude = number
        case 4: fix.accuracyMetres = number
        case 5: fix.speedMps = number
        case 6: fix.courseDegrees = number
        case 7: fix.uptimeMs = number
        case 10: fix.batteryPercent = Fix.battery(number)
        default: return false
        }
        return true
    }

    /// A timestamp as a phone's clock reading.
    private static func reading(_ reader: inout ProtobufReader) -> Double? {
        var seconds: Int64 = 0
        var nanos: Int32 = 0
        while !reader.isAtEnd {
            switch reader.varint() {
            case Tag.varint(1):
                guard let number = reader.varint() else { return nil }
                seconds = Int64(bitPattern: number)
            case Tag.varint(2):
                guard let number = reader.varint() else { return nil }
                nanos = Int32(truncatingIfNeeded: number)
            default: return nil
            }
        }
        return WireTimestamp.readingMs(seconds: seconds, nanos: nanos)
    }
}

extension ProtobufReader {
    /// A number of 32 bits; nil for a larger one.
    fileprivate mutating func uint32() -> UInt32? { varint().flatMap { UInt32(exactly: $0) } }
}
