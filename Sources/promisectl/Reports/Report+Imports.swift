import PromisedCommandLine

extension Report {
    /// The numbers of an import of places. An unfinished import is a failure.
    static func placesImported(_ summary: PlaceImportSummary, skipBad: Int) -> Report {
        Report(Document(summary), status: summary.finished ? .done : .refused) { style in
            var fields = FieldList()
            for field in summary.fields { fields.add(field.name, field.value) }
            let tone = summary.finished ? Tone.warning : .bad
            let remarks = summary.remarks(skipBad: skipBad).map { style.paint($0.printable, tone) }
            return ([fields.text(style)] + remarks).joined(separator: "\n")
        }
    }

    /// An import that was interrupted by a signal.
    ///
    /// - Parameter wasFinishing: `true` if the server had been requested to remove missing places, which it continues.
    static func importInterrupted(_ status: ExitStatus, wasFinishing: Bool) -> Report {
        let outcome =
            wasFinishing ? "the server finishes the import" : "nothing was removed, and the places that were taken stay"
        return Report(Document(["interrupted": true]), status: status) { style in
            style.paint("interrupted: \(outcome); run it again", .warning)
        }
    }
}
