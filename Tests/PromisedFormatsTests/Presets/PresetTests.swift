import Foundation
import PromisedFormats
import Testing

@Suite(.enabled(if: SharedFiles.root != nil, "the repository is absent"))
struct PresetTests {
    @Test(arguments: [
        "example", "markets-kr", "markets-kr-service", "festivals-kr", "festivals-kr-service", "bikes-seoul",
        "bookshops-seoul", "bicycle-seoul", "osm-geojson",
    ])
    func `each preset of the repository is valid and names its source`(name: String) throws {
        let preset = try ImportPreset.shipped(name)
        #expect(!preset.source.name.isEmpty && !preset.source.title.isEmpty && !preset.source.licence.isEmpty)
        #expect(preset.format != nil)
        #expect(preset.mapping.rules[.name] != nil)
    }

    @Test func `the example behaves as its comments say`() throws {
        let preset = try ImportPreset.shipped("example")
        let text = """
            shop_no,shop,shop_en,north,east,road_address,lot_address,district,kind,open,tel,home,insta,goods,toilet,since
            7,상점,Shop,37.5,127,,산 1,종로구,coffee+used books,Mo 09:00-10:00,119,a.kr,@a,x+y,Y,since 1999
            8,Green,,37.6,127,길 2,,,green,,,,,,?,
            9,도서관,,37.7,127,길 3,,,,,,,,,,
            10,Box,,37.8,127,길 4,,,boxes,,,,,,,
            """
        let format = try #require(preset.format)
        let file = try PlaceFile(text, format, mapping: preset.mapping)
        #expect(file.refusals.isEmpty)
        let place = try #require(file.places.first)
        #expect(place.ref == "7" && place.name == "상점" && place.names.map(\.name) == ["Shop"])
        #expect(place.address == "산 1" && place.region == "KR-11/종로구")
        #expect(place.hours == "Mo 09:00-10:00" && place.phone == "119")
        #expect(place.website == "http://a.kr" && place.social == "https://www.instagram.com/a")
        #expect(place.facts.map { "\($0.key)=\($0.value)" } == ["goods=x, y", "toilet=yes", "opened=1999"])
        #expect(
            file.places.map(\.categories) == [["cafe", "bookshop/used"], ["park"], ["library"], ["other"]]
        )
    }

    @Test(arguments: [
        ("", 0, "the preset is empty"), ("- a", 1, "pairs of key and value"), ("fields: [", 2, "is not YAML"),
        ("source:\n  name: a", 0, "the preset has no fields"), ("colour: red", 1, "colour is unknown: use source"),
        ("fields:\n  title: a", 2, "the field title is unknown"), ("fields:\n  name:", 2, "a text is needed"),
        ("fields:\n  name: a\n  name: b", 2, "a mapping has name twice"),
        ("fields:\n  name: {}", 2, "needs a column or a constant"),
        ("fields:\n  name:\n    column: a\n    cut: b", 4, "cut is unknown: use column"),
        ("fields:\n  name: {column: a, pick: \"(\"}", 2, "the regular expression ( is invalid"),
        ("fields:\n  name: {column: a, pick: {as: b}}", 2, "pick needs a pattern"),
        ("fields:\n  name: {column: a, yes-no: perhaps}", 2, "yes or no is needed"),
        ("fields:\n  hours: {column: a, korean-hours: perhaps}", 2, "yes or no is needed"),
        ("fields:\n  hours: {constant: a, until: b}", 2, "until needs a column with the first day"),
        ("fields:\n  social: {column: a, handle: cyworld}", 2, "the network cyworld is unknown: use one of instagram"),
        ("fields: {name: a}\nfile:\n  format: xml", 3, "the format xml is unknown"),
        ("fields: {name: a}\nfile:\n  encoding: klingon", 3, "the encoding klingon is unknown"),
        ("fields: {name: a}\nfile:\n  format: csv\n  delimiter: ab", 4, "the delimiter ab is invalid"),
        ("fields: {name: a}\nfile:\n  format: csv\n  rows: a", 4, "rows is for format: json"),
        ("fields: {name: a}\nfile:\n  format: geojson\n  rows: a", 4, "rows is for format: json"),
        ("fields: {name: a}\nfile:\n  format: json\n  header: no", 4, "delimiter and header are for"),
        ("fields: {name: a}\nfile:\n  delimiter: \";\"", 3, "need a format"),
        ("fields: {name: a}\nfile:\n  crs: sphere", 3, "a whole number"),
        ("fields: {name: a}\ncategory-rules:\n- {category: b, field: name}", 3, "contains or equals"),
        ("fields: {name: a}\ncategory-rules:\n- {category: b, contains: c}", 3, "a field or a column"),
        ("fields: {name: a}\ncategory-rules:\n- {field: name, contains: c}", 3, "needs a category"),
    ])
    func `rejects an invalid preset with its line`(yaml: String, line: Int, reason: String) {
        let error = #expect(throws: FormatError.self) { try ImportPreset(yaml: yaml) }
        guard case .badPreset(line, let found) = error, found.contains(reason) else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `rejects a preset of more than 64 KiB`() throws {
        let head = "fields: {name: a}\n"
        for (length, isRead) in [(65_535, true), (65_536, true), (65_537, false)] {
            let yaml = head + "#" + String(repeating: "x", count: length - head.utf8.count - 1)
            #expect(((try? ImportPreset(yaml: yaml)) != nil) == isRead)
        }
    }

    @Test func `a format has its delimiter, header and rows`() throws {
        let csv = try ImportPreset(yaml: "fields: {name: a}\nfile: {format: csv, delimiter: tab, header: no}")
        #expect(csv.format == .csv(delimiter: 9, hasHeader: false))
        let json = try ImportPreset(yaml: "fields: {name: a}\nfile: {format: json, rows: a.b, crs: 5179}")
        #expect(json.format == .json(rows: ["a", "b"]))
        #expect(json.crs == 5_179)
    }
}

extension ImportPreset {
    /// A preset of the repository.
    static func shipped(_ name: String) throws -> ImportPreset {
        guard let root = SharedFiles.root else { throw FormatError.unreadable(reason: "no repository") }
        let path = root.appending(path: "config/places/\(name).yaml")
        return try ImportPreset(yaml: String(contentsOf: path, encoding: .utf8))
    }
}
