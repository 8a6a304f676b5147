import PromisedPlaces

/// Reads the places of one file or several from their bytes, chunk by chunk.
///
/// Memory holds one row, the outcomes of one chunk, and 16 bytes for each accepted place, to detect duplicates.
package struct PlaceReader: ~Copyable {
    private var decoder: TextDecoder
    private var rows: RowReader
    private let mapping: PlaceMapping
    private let area: ImportArea
    /// The name of the file in the labels of rows; empty for a single file.
    package var fileName = ""
    /// Nil until the columns of the file are known.
    private var maker: PlaceRowMaker?
    private var identities: Set<ContentHash> = []
    /// The counts of the rows so far.
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

    /// Continues with the start of another file; its rows are counted and compared with those before.
    ///
    /// - Throws: ``FormatError/missingEncoding(name:)``.
    mutating func beginFile(_ format: RowFormat, encoding: TextEncoding) throws(FormatError) {
        decoder = try TextDecoder(encoding)
        rows = RowReader(format)
        maker = nil
    }

    /// Appends the outcomes of the rows that end in a chunk, in the order of the file.
    ///
    /// - Throws: ``FormatError`` if the file lacks a mapped column, or reading cannot continue; outcomes that were
    ///   appended remain valid.
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
    /// - Throws: ``FormatError/malformed(line:reason:)`` if the file is truncated.
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
        tally.isReadAsDegrees = area.epsg == CoordinateSystem.wgs84.rawValue
        tally.epsg = self.rows.epsg.flatMap { epsg in
            let isSame = epsg == area.epsg || tally.isReadAsDegrees && ImportTally.likeWGS84.contains(epsg)
            return isSame ? nil : epsg
        }
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
            (place.row, place.file) = (number, fileName)
            // The first of equal places counts.
            guard identities.insert(ContentHash(place.ref)).inserted else {
                throw RowRefusal(line: row.line, reason: .duplicate)
            }
            return .taken(place)
        } catch {
            var refusal = error
            refusal.label = maker.label(of: row, number: number)
            refusal.label.file = fileName
            return .refused(refusal)
        }
    }
}

/// Counts the rows of a file by outcome.
package struct ImportTally: Hashable, Sendable {
    /// Rows that became places.
    package private(set) var taken = 0
    /// Refused rows by reason.
    package private(set) var refused: [RowRefusal.Reason: Int] = [:]
    /// Refused positions that would be accepted with latitude and longitude exchanged.
    package private(set) var exchanged = 0
    /// Websites and social links of accepted rows that are no web address.
    package private(set) var omittedLinks = 0
    /// Rows with too many columns, as caused by positions with a decimal comma.
    private var decimalCommas = 0
    /// The EPSG number in the file; nil without one, and if it is the one used for reading.
    var epsg: Int?
    /// `true` for a file that is read as degrees of WGS 84.
    var isReadAsDegrees = true

    /// The EPSG numbers of systems whose degrees are within a metre of those of WGS 84: ETRS89, Korea's KGD2002, and WGS 84
    /// with heights.
    static let likeWGS84: Set = [4258, 4737, 4979]

    /// An empty tally.
    package init() {}

    /// The number of all rows without the header.
    package var rows: Int { taken + refusedRows }

    /// The number of refused rows for any reason.
    package var refusedRows: Int { refused.values.reduce(0, +) }

    /// A sentence about a likely mistake: most positions are refused but would be accepted exchanged, or with a decimal
    /// point; or the file names another coordinate system than the one used for reading. Nil otherwise.
    package var advice: String? {
        let strange = (refused[.badPosition] ?? 0) + (refused[.outside] ?? 0)
        let positions = taken + strange
        if let epsg, strange * 2 > positions || isReadAsDegrees {
            let use =
                CoordinateSystem(rawValue: epsg) == nil
                ? "convert the file to WGS 84 (EPSG:4326)" : "use --crs \(epsg)"
            let found = strange > 0 ? "\(strange) of \(positions) positions are out of range, and the" : "the"
            return "\(found) file says that its coordinates are EPSG:\(epsg): \(use)"
        }
        if decimalCommas * 2 > rows {
            return """
                \(decimalCommas) of \(rows) rows have too many columns, as positions with a decimal comma make them: write \
                numbers with a point or in quotes, or use another delimiter
                """
        }
        guard exchanged * 2 > positions else { return nil }
        return """
            \(exchanged) of \(positions) positions are out of range, but would not be with latitude and longitude \
            exchanged: swap the columns of latitude and longitude in --map or in the preset
            """
    }

    mutating func count(_ outcome: PlaceRowOutcome) {
        switch outcome {
        case .taken(let place):
            taken += 1
            omittedLinks += place.omittedLinks
        case .refused(let refusal):
            refused[refusal.reason, default: 0] += 1
            if refusal.isExchanged { exchanged += 1 }
            if refusal.hasDecimalCommas { decimalCommas += 1 }
        }
    }
}
