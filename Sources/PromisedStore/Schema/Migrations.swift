/// The steps from an empty file to the current schema.
///
/// Append-only: a released step is never edited or renamed, and a new one gets the next number. `Golden/schema.sql` of
/// the tests shows their sum.
enum Migrations {
    /// A step, which runs in one transaction with those before and after it.
    struct Step: Sendable {
        let name: String
        let work: Work

        init(_ name: String, _ work: Work) {
            self.name = name
            self.work = work
        }

        init(_ name: String, _ script: String) { self.init(name, .script(script)) }
    }

    enum Work: Sendable {
        case script(String)
        case rows(@Sendable (SQLConnection) throws -> Void)
        /// Overwrites the copies of deleted rows in the file.
        case cleanFile
    }

    static let steps: [Step] = [
        Step("0001-accounts", accounts),
        Step("0002-friendships", friendships),
        Step("0003-promises", promises),
        Step("0004-results-and-fixes", resultsAndFixes),
        Step("0005-housekeeping", housekeeping),
        Step("0006-people", people),
        Step("0007-live", live),
        Step("0008-administration", administration),
        Step("0009-links", links),
        Step("0010-tombstone-statuses", tombstoneStatuses),
        Step("0011-shown-rejections", shownRejections),
        Step("0012-nudges", nudges),
        Step(
            "0013-nickname-skeletons",
            .rows { db in
                try db.script(nicknameSkeletons)
                try NicknameSkeleton.fill(db)
            }
        ),
        Step("0014-refresh-families", refreshFamilies),
        Step("0015-shares-from", sharesFrom),
        Step("0017-revoked-invites", revokedInvites),
        Step("0018-places", places),
        Step("0019-weather", weather),
        Step("0020-notifications", notifications),
        Step("0021-files", files),
        Step("0022-visits", visits),
        Step("0023-courses", courses),
        Step("0024-recordings", recordings),
        Step("0025-counts", counts),
        Step("0026-visit-columns", visitColumns),
        Step("0027-course-columns", courseColumns),
        Step("0028-file-totals", fileTotals),
        Step("0029-promise-status", promiseStatus),
        Step("0030-shown-statuses", shownStatuses),
        Step("0031-open-parts", openParts),
        Step("0034-visit-dates", .rows(VisitDates.correct)),
        Step("0036-came-together", cameTogether),
        Step("0037-reshaped-courses", .rows(CourseReshaping.run)),
        Step("0042-course-people", coursePeople),
        Step("0044-known-callers", knownCallers),
        Step("0045-tombstone-traces", tombstoneTraces),
        Step("0046-erasing", erasing),
        Step("0047-shifted-ends", .rows(CourseReshaping.run)),
        Step("0048-clean-file", .cleanFile),
        Step("0049-mock-positions", mockPositions),
        Step("0050-pictures", pictures),
        Step("0051-previews", previews),
    ]
}
