import PromisedFormats
import PromisedTestMarks
import Testing

@testable import PromisedCommandLine

@Suite("The texts of an import")
struct ImportTextTests {
    @Test(
        arguments: [
            (0, 0, nil, "0 rows"), (1, 0, 0.5, "1 row, 50 % of the file"),
            (12_000, 500, nil, "12000 rows, 24000 rows/s"),
            (10, 3_000, 1.0, "10 rows, 3 rows/s, 100 % of the file"),
        ] as [(Int, Int, Double?, String)]
    )
    func `progress has rows, rate and share as far as they are known`(
        rows: Int,
        milliseconds: Int,
        share: Double?,
        text: String
    ) {
        #expect(ProgressLine.text(rows: rows, after: .milliseconds(milliseconds), share: share) == text)
    }

    @Test func `erases only shown progress`() {
        var line = ProgressLine()
        #expect(line.end() == nil)
        #expect(line.update(rows: 1, share: nil)?.hasPrefix("\r\u{1B}[K1 row") == true)
        #expect(line.end() == "\r\u{1B}[K")
        #expect(line.end() == nil)
    }

    @Test func `counts rejected rows by reason and writes them by line`() {
        var refused = RefusedRows()
        refused.add(line: 9, reason: "no-category", field: "categories")
        refused.add(RowRefusal(line: 3, reason: .noName))
        var second = RowRefusal(line: 5, reason: .text, field: "phone")
        second.label = RowLabel(row: 4, ref: "way/2", name: "A, the \"best\"")
        refused.add(second)
        let expected = """
            line,reason,field,row,ref,name,file
            3,no-name,,,,,
            5,text,phone,4,way/2,"A, the ""best\""",
            9,no-category,categories,,,,

            """
        #expect(refused.csv == expected)
        #expect(refused.counts == ["no-category": 1, "no-name": 1, "text": 1])
        #expect(refused.exceed(percent: 29, of: 10) && !refused.exceed(percent: 30, of: 10))
        // Without a usable row an import fails at any allowed share.
        #expect(refused.exceed(percent: 100, of: 3) && !refused.exceed(percent: 100, of: 4))
        #expect(RefusedRows().exceed(percent: 100, of: 0) && !RefusedRows().exceed(percent: 0, of: 1))
    }

    @Test func `writes rejected rows of several files in the order of the files`() {
        var refused = RefusedRows()
        for (row, line, file) in [(12, 2, "b.json"), (3, 9, "a.json"), (11, 1, "b.json")] {
            var refusal = RowRefusal(line: line, reason: .noName)
            refusal.label = RowLabel(row: row)
            refusal.label.file = file
            refused.add(refusal)
        }
        let rows = refused.csv.split(separator: "\n").dropFirst()
        #expect(rows == ["9,no-name,,3,,,a.json", "1,no-name,,11,,,b.json", "2,no-name,,12,,,b.json"])
    }

    @Test func `counts links that were left out`() {
        var summary = PlaceImportSummary(source: "shops", dryRun: false)
        (summary.rows, summary.finished, summary.omittedLinks) = (3, true, 2)
        let remark = summary.remarks(skipBad: 10).first
        #expect(remark?.hasPrefix("2 websites or social links are no web address and were left out") == true)
    }

    @Test(.proves("12.12")) func `explains an import without a usable row`() {
        var summary = PlaceImportSummary(source: "shops", dryRun: false)
        #expect(summary.remarks(skipBad: 100) == ["not finished: the file has no rows; nothing was removed."])
        (summary.rows, summary.refused, summary.refusedBy) = (3, 3, ["no-position": 2, "text": 1])
        let reason = "2 of them are no-position: they have no position; look at the columns of latitude and longitude"
        let all = "not finished: all 3 rows are refused; nothing was removed. Correct the mapping or the file."
        #expect(summary.remarks(skipBad: 100) == [all, reason])
        summary.rows = 9
        #expect(summary.remarks(skipBad: 20).last == reason)
        // A likely mistake is reported in place of the reason.
        summary.advice = "swap them"
        #expect(summary.remarks(skipBad: 20).count == 2 && summary.remarks(skipBad: 20).last == "swap them")
        summary.advice = nil
        for reason in RowRefusal.Reason.allCases {
            summary.refusedBy = [reason.rawValue: 3]
            #expect(summary.remarks(skipBad: 20).last?.hasPrefix("3 of them are \(reason.rawValue): ") == true)
        }
        summary.refusedBy = ["a-later-word": 3]
        #expect(summary.remarks(skipBad: 20).count == 1)
    }

    @Test func `lists reasons with their numbers, the most frequent first`() {
        var summary = PlaceImportSummary(source: "shops", dryRun: true)
        summary.refused = 6
        summary.refusedBy = ["text": 1, "no-name": 4, "columns": 1]
        summary.finished = true
        #expect(summary.fields.last?.value == "6 (4 no-name, 1 columns, 1 text)")
        #expect(summary.remarks(skipBad: 10) == ["dry run: nothing was written"])
    }
}
