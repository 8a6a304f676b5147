import PromisedClient
import PromisedCommandLine
import PromisedProtocol

extension Report {
    /// Promises in the server's memory.
    static func sessions(_ page: WireAdminSessions) -> Report {
        list(
            page,
            of: page.sessions,
            [
                "MEETS", "STATUS", "TITLE", .number("ACCEPTED"), .number("ARRIVED"),
                .number("FOLLOWED BY"), .number("FIXES"), "PROMISE",
            ],
            whenEmpty: "no promises in memory"
        ) { session in
            [
                Table.Cell(MomentText.full(session.meetsAt)),
                Table.Cell(session.status.word, session.status.tone), "\(session.title)", "\(session.accepted)",
                "\(session.arrivals)", "\(session.subscribers)", "\(session.fixes)",
                Table.Cell(session.promiseID, .faint),
            ]
        }
    }

    /// One promise in the server's memory.
    static func session(_ session: WireAdminSession) -> Report {
        Report(Document(session)) { style in
            var fields = FieldList()
            fields.add("title", session.title, .heading)
            fields.add("promise", session.promiseID)
            fields.add("status", session.status.word, session.status.tone)
            fields.add("meets", MomentText.full(session.meetsAt))
            fields.add("accepted", "\(session.accepted)")
            fields.add("arrived", "\(session.arrivals)")
            fields.add("followed by", MeasureText.count(Int(session.subscribers), "connection"))
            fields.add("fixes", "\(session.fixes)")
            fields.add("last event", "\(session.seq)")
            return fields.text(style)
        }
    }

    static func stats(_ stats: WireAdminStats) -> Report {
        Report(Document(stats)) { style in
            var fields = FieldList()
            fields.add("version", stats.version)
            fields.add("uptime", MomentText.span(milliseconds: stats.uptimeMs))
            fields.add("users", "\(stats.users)")
            for count in stats.promises { fields.add("promises \(count.status.word)", "\(count.count)") }
            fields.add("live sessions", "\(stats.liveSessions)")
            fields.add("connections", "\(stats.connections)")
            fields.add("requests/s", MeasureText.number(stats.requestsPerSecond, decimals: 1))
            fields.add("reports/s", MeasureText.number(stats.reportsPerSecond, decimals: 1))
            fields.add("deliveries/s", MeasureText.number(stats.deliveriesPerSecond, decimals: 1))
            fields.add("commit", commits(stats))
            fields.add("database", MeasureText.bytes(stats.databaseBytes))
            fields.add("memory", MeasureText.bytes(stats.memoryBytes))
            fields.add("files", "\(stats.files), \(MeasureText.bytes(stats.fileBytes))")
            fields.add("open recordings", "\(stats.recordings)")
            fields.add("courses", "\(stats.courses)")
            fields.add("exports to make", "\(stats.exports)")
            if stats.hasJob { fields.add("in progress", progress(of: stats.job)) }
            return fields.text(style)
        }
    }

    /// The progress of a backup or a check.
    static func progress(of job: WireAdminJob) -> String {
        let percent = MeasureText.number(job.progress * 100, decimals: 0)
        return "\(job.form), \(percent) % since \(MomentText.full(job.startedAt))"
    }

    private static func commits(_ stats: WireAdminStats) -> String {
        guard stats.hasCommitMedianMs else { return "none recently" }
        let median = "median \(MeasureText.number(stats.commitMedianMs, decimals: 1)) ms"
        guard stats.hasCommitP99Ms else { return median }
        return "\(median), 99 % below \(MeasureText.number(stats.commitP99Ms, decimals: 1)) ms"
    }

    /// The actions of administrators.
    static func audit(_ page: WireAdminAudit) -> Report {
        list(page, of: page.entries, ["AT", "WHO", "WHAT", "TO", "DETAIL"], whenEmpty: "no actions") { entry in
            [
                Table.Cell(MomentText.full(entry.at)), "\(entry.actor)", "\(entry.action)", "\(entry.subject)",
                "\(entry.detail)",
            ]
        }
    }

    /// The path of the copy.
    static func backup(_ backup: WireAdminBackup) -> Report {
        Report(Document(backup)) { _ in
            let size = MeasureText.bytes(backup.bytes)
            let time = MomentText.span(milliseconds: backup.tookMs)
            return
                "\(backup.path.printable): \(size) in \(time), with every write before \(MomentText.full(backup.startedAt))"
        }
    }

    /// The violations found in the database.
    static func verification(_ verification: WireAdminVerification) -> Report {
        let breaches = verification.breaches
        return Report(
            Document(verification),
            items: breaches.map { Document($0) },
            status: breaches.isEmpty ? .done : .refused
        ) { style in
            let time = MomentText.span(milliseconds: verification.tookMs)
            let erasing = verification.erasing.isEmpty ? [] : [waiting(verification.erasing).text(style)]
            guard !breaches.isEmpty else {
                return ([style.paint("no violations found in \(time)", .good)] + erasing).joined(separator: "\n")
            }
            let table = Table(["CHECK", "WHERE"], of: breaches) { [Table.Cell($0.check, .bad), "\($0.detail)"] }
            return ([table.text(style)] + erasing).joined(separator: "\n")
        }
    }

    /// Deletions that are still being erased.
    private static func waiting(_ erasing: [WireAdminErasing]) -> Table {
        Table(["BEING ERASED", "ID", "DELETED AT", "LEFT"], of: erasing) { item in
            let left = item.kind == "folder" ? "\(item.left) courses" : "\(item.left) files"
            return ["\(item.kind)", "\(item.id)", Table.Cell(MomentText.full(item.deletedAt)), "\(left)"]
        }
    }

    /// The checks, with advice.
    static func health(_ diagnosis: Diagnosis) -> Report {
        Report(
            Document(diagnosis.health),
            items: diagnosis.checks.map { Document($0) },
            status: diagnosis.status
        ) { style in
            Table(["CHECK", "STATE", "FOUND", "WHAT TO DO"], whenEmpty: "no checks", of: diagnosis.checks) { check in
                ["\(check.name)", Table.Cell(check.state.word, check.state.tone), "\(check.detail)", "\(check.advice)"]
            }.text(style)
        }
    }

    static func check(_ address: ServerAddress, _ finding: ReachabilityProbe.Finding) -> Report {
        let (handshake, answer) = (finding.handshake.tenthsOfMilliseconds, finding.answer.tenthsOfMilliseconds)
        let document = CheckDocument(answerMs: answer, handshakeMs: handshake, url: address.description)
        return Report(Document(document)) { _ in
            "\(address) is reachable: handshake \(handshake) ms, answer \(answer) ms"
        }
    }
}

/// The result of a probe, for machines.
private struct CheckDocument: Encodable {
    let answerMs: Double
    let handshakeMs: Double
    let url: String
}

extension Duration {
    var tenthsOfMilliseconds: Double {
        let (seconds, attoseconds) = components
        return (Double(seconds) * 10_000 + Double(attoseconds) / 1e14).rounded() / 10
    }
}
