internal import PromisedDomain

/// Reads the places of a file from its bytes, chunk by chunk.
///
/// In memory are one row, the outcomes of one chunk, and 16 bytes of each place taken so far, by which repeated ones are
/// found.
package struct PlaceReader: ~Copyable {
    private var decoder: TextDecoder
    private var rows: RowReader
    private let mapping: PlaceMapping
    private let area: ImportArea
    /// Nil until the columns of the file are known.
    private var maker: PlaceRowMaker?
    private var identities: Set<ContentHash> = []
    /// The rows so far.
    package private(set) var tally = ImportTally()

    /// A reader at the start of a file.
    ///
    /// - Throws: ``FormatError/missingEncoding(name:)``.
    package init(
        _ format: RowFormat,
        encoding: TextEncoding,
        mapping: PlaceMapping,
        area: ImportArea
    ) throws(FormatError) {
        decoder = try TextDecoder(encoding)
        rows = RowReader(format)
        self.mapping = mapping
        self.area = area
    }

    /// Appends the outcomes of the rows that end in a chunk, in the order of the file.
    ///
    /// - Throws: ``FormatError`` if the file lacks a mapped column, or nothing can be read any more; outcomes that were
    ///   appended stay valid.
    package mutating func read(_ chunk: [UInt8], into outcomes: inout [PlaceRowOutcome]) throws(FormatError) {
        var text: [UInt8] = []
        decoder.decode(chunk, into: &text)
        var found: [SourceRow] = []
        let fault = Self.fault { () throws(FormatError) in try rows.read(text, into: &found) }
        try take(found, into: &outcomes)
        if let fault { throw fault }
    }

    /// Appends the outcome of a last row without a line end.
    ///
    /// - Throws: ``FormatError/malformed(line:reason:)`` if the file breaks off.
    package mutating func finish(into outcomes: inout [PlaceRowOutcome]) throws(FormatError) {
        var text: [UInt8] = []
        decoder.finish(into: &text)
        var found: [SourceRow] = []
        let fault = Self.fault { () throws(FormatError) in
            try rows.read(text, into: &found)
            try rows.finish(into: &found)
        }
        try take(found, into: &outcomes)
        if let fault { throw fault }
    }

    private static func fault(of body: () throws(FormatError) -> Void) -> FormatError? {
        do throws(FormatError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private mutating func take(_ rows: [SourceRow], into outcomes: inout [PlaceRowOutcome]) throws(FormatError) {
        guard let maker = try currentMaker() else { return }
        tally.epsg = self.rows.epsg.flatMap { $0 == area.epsg || CoordinateSystem(rawValue: $0) == nil ? nil : $0 }
        for row in rows {
            let outcome = self.outcome(of: row, by: maker)
            tally.count(outcome)
            outcomes.append(outcome)
        }
    }

    /// Nil while the columns of the file are unknown.
    private mutating func currentMaker() throws(FormatError) -> PlaceRowMaker? {
        if maker == nil, let columns = rows.columns {
            maker = try PlaceRowMaker(mapping, columns: columns, area: area)
        }
        return maker
    }

    private mutating func outcome(of row: SourceRow, by maker: PlaceRowMaker) -> PlaceRowOutcome {
        let number = tally.rows + 1
        do throws(RowRefusal) {
            var place = try maker.place(of: row)
            place.row = number
            // Of equal places the first counts.
            guard identities.insert(ContentHash(place.ref)).inserted else {
                throw RowRefusal(line: row.line, reason: .duplicate)
            }
            return .taken(place)
        } catch {
            var refusal = error
            refusal.label = maker.label(of: row, number: number)
            return .refused(refusal)
        }
    }
}

/// The rows of a file by their outcome.
package struct ImportTally: Hashable, Sendable {
    /// Rows that became places.
    package private(set) var taken = 0
    /// Refused rows by reason.
    package private(set) var refused: [RowRefusal.Reason: Int] = [:]
    /// Refused positions that would be taken with latitude and longitude exchanged.
    package private(set) var exchanged = 0
    /// The EPSG number that the file names for its coordinates; nil without one.
    var epsg: Int?

    /// A tally of no rows.
    package init() {}

    /// All rows but the header.
    package var rows: Int { taken + refusedRows }

    /// Refused rows for any reason.
    package var refusedRows: Int { refused.values.reduce(0, +) }

    /// A sentence if most positions are refused but would be taken exchanged, or in the coordinates that the file names; nil
    /// otherwise.
    package var advice: String? {
        let strange = (refused[.badPosition] ?? 0) + (refused[.outside] ?? 0)
        let positions = taken + strange
        if let epsg, strange * 2 > positions {
            return """
                \(strange) of \(positions) positions are out of range, and the file says that its coordinates are EPSG:\(epsg): \
                use --crs \(epsg)
                """
        }
        guard exchanged * 2 > positions else { return nil }
        return """
            \(exchanged) of \(positions) positions are out of range, but would not be with latitude and longitude \
            exchanged: swap the columns of latitude and longitude in --map or in the preset
            """
    }

    /// `true` if more of the rows are refused than a share allows, in percent.
    package func exceeds(percent: Int) -> Bool { refusedRows * 100 > rows * percent }

    /// Counts a row.
    mutating func count(_ outcome: PlaceRowOutcome) {
        switch outcome {
        case .taken: taken += 1
        case .refused(let refusal):
            refused[refusal.reason, default: 0] += 1
            if refusal.isExchanged { exchanged += 1 }
        }
    }
}
