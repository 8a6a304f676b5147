import Foundation
import PromisedFormats
import Testing

@Suite struct MappingTests {
    private static func place(_ text: String, _ mapping: PlaceMapping) throws -> PlaceRow {
        let file = try PlaceFile("name,latitude,longitude,a,b\n\(text)\n", mapping: mapping)
        return try #require(file.places.first)
    }

    private static func phone(of a: String, by steps: [MappingStep]) throws -> String {
        var mapping = try PlaceMapping.plain()
        try mapping.map(.phone, to: FieldRule(columns: [Column("a")], steps: steps))
        return try place("N,1,2,\(CSVWriter.record([a])),", mapping).phone
    }

    @Test(arguments: [("x,y", "x"), ("x,", "x"), (",y", "y"), ("\" \",y", "y"), (",", "119")])
    func `uses the first non-empty column, else the constant`(values: String, phone: String) throws {
        var mapping = try PlaceMapping.plain()
        try mapping.map(option: "phone=a|b|=119")
        #expect(try Self.place("N,1,2,\(values)", mapping).phone == phone)
    }

    @Test func `applies steps in order and cleans each result`() throws {
        let split = MappingStep.split(separator: "+")
        let digits = try MappingStep.pick("[0-9 ]+")
        #expect(try Self.phone(of: "a+ 1 +2", by: [split, digits]) == "1")
        #expect(try Self.phone(of: "a+ 1 +2", by: [digits, split]) == "1")
        #expect(try Self.phone(of: "+,x", by: [split, .table([",x": "yes"])]) == "yes")
        #expect(try Self.phone(of: "x", by: [digits]) == "")
        #expect(try Self.phone(of: "(02) 120", by: [try .pick(#"\((\d+)\) (\d+)"#)]) == "02")
        #expect(try Self.phone(of: "(02) 120", by: [try .pick(#"\((\d+)\) (\d+)"#, as: "$1-$2")]) == "02-120")
        #expect(try Self.phone(of: "b", by: [.table(["a": "1", "*": "2"])]) == "2")
        #expect(try Self.phone(of: "b", by: [.table(["a": "1"])]) == "")
        #expect(throws: FormatError.badOption(reason: "the regular expression ( is invalid")) {
            try MappingStep.pick("(")
        }
    }

    @Test func `splits a text like Foundation`() throws {
        for seed in UInt64(1)...300 {
            var numbers = SeededNumbers(seed: seed)
            let text = (0..<12).compactMap { _ in ["-", "x", "·", "한"].randomElement(using: &numbers) }.joined()
            for separator in ["-", "--", "·", "-·", "한x"] {
                var mapping = try PlaceMapping.plain()
                let rule = FieldRule(columns: [Column("a")], steps: [.split(separator: separator)])
                try mapping.map(.fact(key: "parts"), to: rule)
                let parts = text.components(separatedBy: separator).filter { !$0.isEmpty }
                let found = try Self.place("N,1,2,\(text),", mapping).facts.first?.value ?? ""
                #expect(found == parts.joined(separator: ", "), "seed \(seed), \(separator)")
            }
        }
    }

    @Test(arguments: [
        ("Y", "yes"), ("예", "yes"), ("TRUE", "yes"), ("1", "yes"), ("있음", "yes"), ("N", "no"), ("없음", "no"),
        ("0", "no"), ("maybe", ""), ("", ""),
    ])
    func `recognizes the words for yes and no`(text: String, answer: String) throws {
        #expect(try Self.phone(of: text, by: [.yesNo]) == answer)
    }

    @Test(
        arguments: [
            ("매일", "Mo-Su"), ("2일+7일", "day 2,7"), ("5일+10일", "day 5,0"), ("2일+4일+7일+9일", "day 2,4,7,9"),
            ("2, 7", "day 2,7"), ("10일", "day 0"), ("0일", nil), ("11일", nil), ("2일+2일", nil), ("", nil), ("+", nil),
            ("일", nil), ("연중", nil),
        ] as [(String, String?)]
    )
    func `a market's cycle becomes opening hours`(text: String, hours: String?) {
        #expect(MarketCycle(text)?.hours == hours)
    }

    @Test(
        arguments: [
            ("상설장", "매일", ["market/permanent"], "Mo-Su", []),
            ("5일장", "2일+7일", ["market/periodic"], "day 2,7", []),
            ("상설장+5일장", "2일+7일", ["market/permanent", "market/periodic"], "Mo-Su", ["2,7"]),
            ("상설장+5일장", "매일", ["market/permanent", "market/periodic"], "Mo-Su", []),
        ] as [(String, String, [String], String, [String])]
    )
    func `a market of both types is open every day, with its days as a fact`(
        type: String,
        cycle: String,
        categories: [String],
        hours: String,
        days: [String]
    ) throws {
        var mapping = try PlaceMapping.plain()
        let types = ["상설장": "market/permanent", "5일장": "market/periodic"]
        try mapping.map(
            .category,
            to: FieldRule(columns: [Column("a")], steps: [.split(separator: "+"), .table(types)])
        )
        try mapping.map(.hours, to: FieldRule(columns: [Column("b")], steps: [.marketCycle]))
        let place = try Self.place("N,1,2,\(type),\(cycle)", mapping)
        #expect(place.categories == categories)
        #expect(place.hours == hours)
        #expect(place.facts.filter { $0.key == "market-days" }.map(\.value) == days)
    }

    @Test(arguments: [
        ("공기주입기", ["bicycle/air"]), ("자전거 보관대", ["bicycle/parking"]),
        ("거치대와 공기 주입기", ["bicycle/air", "bicycle/parking"]), ("BIKE shop", ["bicycle/repair"]),
        ("벤치", ["other"]), ("공 기", ["other"]),
    ])
    func `rules look for words in a field`(name: String, categories: [String]) throws {
        let rules = [
            "name~공기|주입기=bicycle/air", "name~주차|거치|보관=bicycle/parking", "name~Bike=bicycle/repair",
        ]
        let mapping = try PlaceMapping("name=name", "latitude=latitude", "longitude=longitude", rules: rules)
        #expect(try Self.place("\(name),1,2,,", mapping).categories == categories)
    }

    @Test func `uses the first three categories, each once`() throws {
        var mapping = try PlaceMapping.plain()
        try mapping.map(.category, to: FieldRule(columns: [Column("a")], steps: [.split(separator: "+")]))
        #expect(try Self.place("N,1,2,a+b+a+c+d,", mapping).categories == ["a", "b", "c"])
    }

    @Test(arguments: [
        "name", "title=a", "name=", "name=|a", "name==", "name==x|a", "name:=a", "name:日本=a", "fact:=a", "fact:A=a",
        "fact:abcdefghijklmnopqrstuvwxy=a",
    ])
    func `rejects an invalid mapping`(option: String) throws {
        var mapping = PlaceMapping()
        #expect(throws: FormatError.self) { try mapping.map(option: option) }
    }

    @Test(arguments: ["name", "name~a", "name=a", "title~a=b", "name~=b", "name~a=", "name~a||=", "~a=b"])
    func `rejects an invalid category rule`(option: String) {
        #expect(throws: FormatError.self) { try CategoryRule(option: option) }
    }

    @Test(arguments: [(4, 16, true), (5, 16, false), (4, 17, false)])
    func `a place has up to four further names and sixteen facts`(names: Int, facts: Int, isAllowed: Bool) throws {
        let letters = "abcdefghijklmnopqrst".map(String.init)
        var mapping = PlaceMapping()
        let options = letters.prefix(names).map { "name:x\($0)=a" } + letters.prefix(facts).map { "fact:\($0)=a" }
        var refused = 0
        for option in options {
            do { try mapping.map(option: option) } catch { refused += 1 }
        }
        #expect((refused == 0) == isAllowed)
    }

    @Test(arguments: ["name", "latitude", "longitude"])
    func `rejects a mapping without name or position`(missing: String) throws {
        var mapping = PlaceMapping()
        for field in ["name", "latitude", "longitude"] where field != missing {
            try mapping.map(option: "\(field)=1")
        }
        let error = FormatError.badOption(
            reason: "no column is mapped to \(missing): use --map \(missing)=COLUMN or a preset"
        )
        #expect(throws: error) { try PlaceFile("a\n1\n", mapping: mapping) }
    }
}
