import PromisedProtocol

extension Report {
    /// What was looked at, with what to do.
    static func health(_ diagnosis: Diagnosis) -> Report {
        Report(
            Document(diagnosis.health),
            items: diagnosis.checks.map { Document($0) },
            status: diagnosis.status
        ) { style in
            var table = Table(
                [.text("CHECK"), .text("STATE"), .text("FOUND"), .text("WHAT TO DO")],
                whenEmpty: "nothing was looked at"
            )
            for check in diagnosis.checks {
                table.add([
                    "\(check.name)", Table.Cell(check.state.word, check.state.tone), "\(check.detail)",
                    "\(check.advice)",
                ])
            }
            return table.text(style)
        }
    }
}
