import Foundation
import PromisedDomain
import Testing

@testable import PromisedFormats

/// Several files as one import, as services give their rows in pages.
@Suite struct PlaceFilesTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID())")

    /// The outcome of files with the given contents, read as one import.
    private struct Reading {
        var places: [PlaceRow] = []
        var refusals: [RowRefusal] = []
        var tally = ImportTally()
        var shares: [Double?] = []
        var error: FormatError?
    }

    private func read(
        _ contents: [String],
        format: RowFormat = .json(rows: ["list", "row"]),
        missing: Int? = nil
    ) throws -> Reading {
        defer {
            // A temporary folder: the system removes it if this fails.
            try? FileManager.default.removeItem(at: folder)
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var paths: [String] = []
        for (index, content) in contents.enumerated() {
            let file = folder.appending(path: "page-\(index + 1).json")
            if index != missing { try Data(content.utf8).write(to: file) }
            paths.append(file.path)
        }
        var preset = ImportPreset()
        preset.source.name = "pages"
        preset.format = format
        for option in ["ref=id", "name=name", "latitude=y", "longitude=x", "category==cafe"] {
            try preset.mapping.map(option: option)
        }
        var reading = Reading()
        do throws(FormatError) {
            var reader = try PlaceFileReader(PlaceFilePlan(paths: paths, preset: preset, bounds: nil))
            defer { reading.tally = reader.tally }
            while let outcomes = try reader.next() {
                for outcome in outcomes {
                    switch outcome {
                    case .taken(let place): reading.places.append(place)
                    case .refused(let refusal): reading.refusals.append(refusal)
                    }
                }
                reading.shares.append(reader.share)
            }
        } catch {
            reading.error = error
        }
        return reading
    }

    private func page(_ rows: [(Int, String)]) -> String {
        let texts = rows.map { #"{"id":\#($0.0),"name":"\#($0.1)","y":37.5,"x":127}"# }
        return #"{"list":{"RESULT":{"CODE":"INFO-000","MESSAGE":"정상"},"row":[\#(texts.joined(separator: ","))]}}"#
    }

    @Test func `pages are one import: rows are counted on, equal ones of two pages are duplicates`() throws {
        let pages = [page([(1, "A"), (2, "")]), page([(3, "B"), (1, "A")]), page([(4, "C")])]
        let reading = try read(pages)
        #expect(reading.error == nil && reading.places.map(\.ref) == ["1", "3", "4"])
        #expect(reading.places.map(\.row) == [1, 3, 5])
        #expect(reading.tally.rows == 5 && reading.tally.refused == [.noName: 1, .duplicate: 1])
        // Named although each page is one line.
        #expect(reading.refusals.map(\.label.ref) == ["2", "1"])
        #expect(reading.refusals.map(\.label.row) == [2, 4])
        #expect(reading.refusals.map(\.label.file) == ["page-1.json", "page-2.json"])
        #expect(reading.shares.last == 1)
        let shares = reading.shares.compactMap(\.self)
        #expect(shares == shares.sorted() && shares.count == reading.shares.count)
    }

    @Test func `a single file has no name in the labels of its rows`() throws {
        let reading = try read([page([(1, "")])])
        #expect(reading.refusals.map(\.label.file) == [""])
    }

    @Test func `each file of CSV has its header`() throws {
        let reading = try read(["id,name,y,x\n1,A,1,2\n", "x,y,name,id\n2,1,B,2\n"], format: .csv)
        #expect(reading.places.map(\.name) == ["A", "B"] && reading.places.map(\.ref) == ["1", "2"])
        #expect(reading.places.map(\.coordinate.latitude) == [1, 1])
        let lacking = try read(["id,name,y,x\n1,A,1,2\n", "id,name,y\n2,B,1\n"], format: .csv)
        #expect(lacking.places.count == 1)
        #expect(lacking.error?.description.contains("page-2.json: the file has no column x for longitude") == true)
    }

    @Test func `a missing file is found before the first row`() throws {
        let reading = try read([page([(1, "A")]), page([(2, "B")])], missing: 1)
        #expect(reading.places.isEmpty && reading.shares.isEmpty)
        #expect(reading.error?.description.contains("page-2.json: cannot read the file") == true)
    }

    @Test func `an empty, truncated or foreign page ends the import with its name`() throws {
        for (second, reason) in [
            ("", "page-2.json: the file is empty"), (String(page([(2, "B")]).dropLast(3)), "breaks off"),
            ("id,name\n", "the file is a text, not JSON"), (#"{"other":{}}"#, "no array of rows at list.row"),
        ] {
            let reading = try read([page([(1, "A")]), second])
            #expect(reading.error?.description.contains(reason) == true, "\(String(describing: reading.error))")
            #expect(reading.places.first?.name == "A")
        }
    }

    // MARK: - A service's own error

    /// Errors of data.seoul.go.kr and data.go.kr, with the status 200.
    private static let errors = [
        (
            #"{"RESULT":{"CODE":"ERROR-300","MESSAGE":"필수 값이 누락되어 있습니다."}}"#,
            "ERROR-300: 필수 값이 누락되어 있습니다."
        ),
        (
            #"{"list":{"RESULT":{"CODE":"INFO-100","MESSAGE":"인증키가 유효하지 않습니다.\n다시"}}}"#,
            "INFO-100: 인증키가 유효하지 않습니다. 다시"
        ),
        (
            "<RESULT>\n<CODE>ERROR-500</CODE>\n<MESSAGE><![CDATA[서버 오류입니다.]]></MESSAGE>\n</RESULT>",
            "ERROR-500: 서버 오류입니다."
        ),
        (
            #"{"response":{"header":{"resultCode":"22","resultMsg":"LIMITED NUMBER OF SERVICE REQUESTS EXCEEDS ERROR"}}}"#,
            "22: LIMITED NUMBER OF SERVICE REQUESTS EXCEEDS ERROR"
        ),
        (
            """
            <?xml version="1.0" encoding="UTF-8"?><OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>SERVICE ERROR</errMsg>\
            <returnAuthMsg>SERVICE_KEY_IS_NOT_REGISTERED_ERROR</returnAuthMsg><returnReasonCode>30</returnReasonCode>\
            </cmmMsgHeader></OpenAPI_ServiceResponse>
            """,
            "30: SERVICE_KEY_IS_NOT_REGISTERED_ERROR"
        ),
        (#"{"list":{"RESULT":{"CODE":"ERROR-336","MESSAGE":"최대 1000건"},"row":[]}}"#, "ERROR-336: 최대 1000건"),
    ]

    @Test(arguments: errors)
    func `a service's own error is told in its words, on the first page and on a later one`(
        reply: String,
        words: String
    ) throws {
        for pages in [[reply], [page([(1, "A")]), reply]] {
            let reading = try read(pages)
            let expected = "page-\(pages.count).json: the service answered with an error in place of rows: \(words)"
            #expect(reading.error?.description.hasSuffix(expected) == true, "\(String(describing: reading.error))")
        }
    }

    @Test(arguments: [
        #"{"RESULT":{"CODE":"INFO-200","MESSAGE":"해당하는 데이터가 없습니다."}}"#,
        #"{"response":{"header":{"resultCode":"03","resultMsg":"NODATA_ERROR"}}}"#,
        "<RESULT><CODE>INFO-200</CODE><MESSAGE>해당하는 데이터가 없습니다.</MESSAGE></RESULT>",
    ])
    func `no data is the end of pages, but an error of the first one`(reply: String) throws {
        let pages = try read([page([(1, "A")]), reply, page([(2, "B")])])
        #expect(pages.error == nil && pages.places.map(\.name) == ["A", "B"])
        let first = try read([reply])
        #expect(first.error?.description.contains("the service answered with an error") == true)
    }

    @Test func `an empty page with the code of success is no error`() throws {
        let reading = try read([page([(1, "A")]), page([])])
        #expect(reading.error == nil && reading.places.count == 1)
    }

    @Test(arguments: [
        "", "{", "[]", "<", "<CODE>", "<CODE></CODE><MESSAGE></MESSAGE>", #"{"message":[]}"#, #"{"code":"1"}"#,
        #"{"RESULT":{"CODE":"INFO-000","MESSAGE":"ok"}}"#, "name,code,message",
        #"{"a":{"b":{"c":{"d":{"message":"x"}}}}}"#,
        "<MESSAGE>x", "\u{FEFF}",
    ])
    func `other replies are no errors of a service`(reply: String) {
        #expect(ServiceError(in: Array(reply.utf8)) == nil)
    }

    @Test func `a long message is cut`() {
        let reply = #"{"CODE":"1","MESSAGE":"\#(String(repeating: "가", count: 5_000))"}"#
        #expect(ServiceError(in: Array(reply.utf8))?.message.count == 200)
    }

    // MARK: - Standard input

    @Test func `standard input becomes a file of this user`() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("name\nA\n".utf8))
        try pipe.fileHandleForWriting.close()
        let path = try StandardInput.copied(from: pipe.fileHandleForReading)
        defer {
            // A temporary file: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: path)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "name\nA\n")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test func `standard input needs a format, and can be read once`() throws {
        var preset = ImportPreset()
        preset.source.name = "pages"
        let nameless = #expect(throws: FormatError.self) {
            try PlaceFilePlan(paths: ["-"], preset: preset, bounds: nil)
        }
        #expect(nameless?.description.contains("standard input has no name that tells its format") == true)
        preset.format = .csv
        #expect(try PlaceFilePlan(paths: ["-"], preset: preset, bounds: nil).format == .csv)
        let twice = #expect(throws: FormatError.self) {
            try PlaceFilePlan(paths: ["-", "-"], preset: preset, bounds: nil)
        }
        #expect(twice?.description.contains("can be read only once") == true)
        #expect(throws: FormatError.self) { try PlaceFilePlan(paths: [], preset: preset, bounds: nil) }
    }
}
