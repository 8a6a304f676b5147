extension Report {
    /// What came of an import. Bad rows are fine where they are to be skipped, but not where nothing came of them.
    static func imported(_ outcome: AccountImport.Outcome, onlyChecked: Bool, skipsBad: Bool) -> Report {
        let isFine = outcome.bad.isEmpty || (skipsBad && !onlyChecked)
        return Report(
            Document(outcome),
            items: outcome.bad.map { Document($0) },
            status: isFine ? .done : .refused
        ) { style in
            var table = Table([.number("LINE"), .text("PROBLEM")], whenEmpty: "")
            for row in outcome.bad { table.add(["\(row.line)", Table.Cell(row.problem, .bad)]) }
            let count = MeasureText.count(outcome.imported, "user")
            let bad = MeasureText.count(outcome.bad.count, "bad row")
            let done = onlyChecked ? "\(count) could be imported" : "\(count) imported"
            guard !outcome.bad.isEmpty else { return style.paint(done, .good) }
            let hint = isFine || onlyChecked || outcome.imported > 0 ? "" : "; --skip-bad imports the others"
            return "\(table.text(style))\n\n\(done), \(bad)\(hint)"
        }
    }
}
