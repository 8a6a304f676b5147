/// A query that finds violations: each row's single column names one.
struct Invariant: Sendable {
    /// A short stable name.
    var name: String
    var sql: String

    /// All invariants between tables that the schema does not enforce.
    static let all = promises + visits + courses + totals

    /// The invariants of accounts, promises and places. Events of finished promises are kept for only a day.
    private static let promises = [
        Invariant(
            name: "events-gapless",
            sql: """
                SELECT hex(promise_id) FROM promise_event JOIN promise ON promise.id = promise_id GROUP BY promise_id
                HAVING max(seq) - min(seq) + 1 <> count(*) OR min(seq) <> 1 AND mark < 5 AND cancelled_at IS NULL
                """
        ),
        Invariant(
            name: "last-event-remembered",
            sql: """
                SELECT hex(id) FROM promise
                WHERE last_seq < (SELECT max(seq) FROM promise_event WHERE promise_id = promise.id)
                OR mark < 5 AND cancelled_at IS NULL AND last_seq <>
                    (SELECT coalesce(max(seq), 0) FROM promise_event WHERE promise_id = promise.id)
                """
        ),
        Invariant(
            name: "result-when-final",
            sql: """
                SELECT hex(id) FROM promise
                WHERE (mark = 5) <> EXISTS (SELECT 1 FROM result WHERE promise_id = promise.id)
                """
        ),
        Invariant(
            name: "no-result-when-cancelled",
            sql: """
                SELECT hex(id) FROM promise JOIN result ON result.promise_id = promise.id
                WHERE cancelled_at IS NOT NULL
                """
        ),
        Invariant(
            name: "inbox-bounded",
            sql: "SELECT hex(user_id) FROM notification GROUP BY user_id HAVING count(*) > 200"
        ),
        Invariant(
            name: "notification-once",
            sql: "SELECT hex(user_id) FROM notification GROUP BY user_id, id HAVING count(*) > 1"
        ),
        Invariant(
            name: "one-row-per-person",
            sql: """
                SELECT hex(participant.promise_id) || ' ' || hex(participant.user_id)
                FROM result JOIN promise ON promise.id = result.promise_id
                JOIN participant ON participant.promise_id = result.promise_id
                WHERE (membership = 'accepted' OR membership IN ('left', 'removed')
                    AND accepted_at IS NOT NULL AND coalesce(ended_at, 0) >= opens_at)
                <> EXISTS (SELECT 1 FROM result_row WHERE result_row.promise_id = participant.promise_id
                    AND result_row.user_id = participant.user_id)
                """
        ),
        Invariant(
            name: "owner-takes-part",
            sql: """
                SELECT hex(id) FROM promise WHERE NOT EXISTS (SELECT 1 FROM participant
                    WHERE promise_id = promise.id AND user_id = owner_id AND membership = 'accepted')
                """
        ),
        Invariant(
            name: "participant-in-step",
            sql: """
                SELECT hex(promise.id) || ' ' || hex(user_id) FROM promise
                JOIN participant ON promise_id = promise.id
                WHERE participant.meets_at <> promise.meets_at OR participant.settles_at <> promise.settles_at
                    OR participant.clock <> \(PromiseClock.sql)
                """
        ),
        Invariant(
            name: "picture-kept",
            sql: """
                SELECT hex(id) FROM user WHERE picture_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM file
                    WHERE file.id = picture_id AND user_id = user.id AND kind = 'picture' AND used_at IS NOT NULL)
                """
        ),
        Invariant(
            name: "tombstone-empty",
            sql: """
                SELECT hex(id) FROM user WHERE deleted_at IS NOT NULL AND id NOT IN (SELECT id FROM erasing) AND (
                    avatar <> '' OR picture_id IS NOT NULL OR locale <> '' OR time_zone <> ''
                    OR EXISTS (SELECT 1 FROM credential WHERE user_id = user.id)
                    OR EXISTS (SELECT 1 FROM known_caller WHERE user_id = user.id)
                    OR EXISTS (SELECT 1 FROM friendship WHERE first = user.id OR second = user.id)
                    OR EXISTS (SELECT 1 FROM favourite WHERE user_id = user.id)
                    OR EXISTS (SELECT 1 FROM notification WHERE user_id = user.id)
                    OR EXISTS (SELECT 1 FROM notification_setting WHERE user_id = user.id)
                    OR EXISTS (SELECT 1 FROM visit WHERE user_id = user.id)
                    OR EXISTS (SELECT 1 FROM visit_mark WHERE user_id = user.id)
                    OR EXISTS (SELECT 1 FROM visit_badge WHERE user_id = user.id)
                    OR EXISTS (SELECT 1 FROM file WHERE user_id = user.id)
                    OR EXISTS (SELECT 1 FROM upload WHERE user_id = user.id)
                    OR EXISTS (SELECT 1 FROM export WHERE user_id = user.id)
                    OR EXISTS (SELECT 1 FROM folder WHERE user_id = user.id)
                    OR EXISTS (SELECT 1 FROM course WHERE user_id = user.id)
                    OR EXISTS (SELECT 1 FROM course_person WHERE user_id = user.id)
                    OR EXISTS (SELECT 1 FROM recording WHERE user_id = user.id)
                    OR EXISTS (SELECT 1 FROM participant WHERE user_id = user.id
                        AND (status_text <> '' OR emoji <> '')))
                """
        ),
        Invariant(
            name: "abandoned-promise-empty",
            sql: """
                SELECT hex(id) FROM promise
                WHERE (title <> '' OR note <> '' OR place_name <> '' OR place_address <> '' OR cancel_reason <> ''
                    OR latitude <> 0 OR longitude <> 0) AND NOT EXISTS (\(TraceRecord.readers))
                    AND NOT EXISTS (SELECT 1 FROM participant JOIN erasing ON erasing.id = participant.user_id
                        WHERE participant.promise_id = promise.id)
                    AND NOT EXISTS (SELECT 1 FROM participant JOIN user ON user.id = participant.user_id
                        WHERE participant.promise_id = promise.id AND user.deleting_at IS NOT NULL)
                """
        ),
        Invariant(
            name: "tombstone-without-device",
            sql: """
                SELECT hex(promise_id) || ' ' || hex(user_id) FROM arrival JOIN user ON user.id = user_id
                WHERE deleted_at IS NOT NULL AND user.id NOT IN (SELECT id FROM erasing)
                    AND (json_extract(evidence, '$.device.deviceID') <> '' OR json_extract(evidence, '$.device.bootID') <> '')
                """
        ),
        Invariant(
            name: "places-counted",
            sql: """
                SELECT name FROM place_source WHERE places <>
                    (SELECT count(*) FROM place WHERE source_id = place_source.id AND removed_at IS NULL)
                """
        ),
        Invariant(
            name: "revision-in-range",
            sql: """
                SELECT hex(id) FROM place WHERE revision > coalesce(
                    (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'directory-version'), 0)
                """
        ),
        Invariant(
            // The schema has the same check, but `integrity_check` skips it on a read-only connection.
            name: "coordinates-in-range",
            sql: """
                SELECT hex(id) FROM place
                WHERE latitude NOT BETWEEN -90 AND 90 OR longitude NOT BETWEEN -180 AND 180
                UNION ALL
                SELECT hex(id) FROM favourite
                WHERE latitude NOT BETWEEN -90 AND 90 OR longitude NOT BETWEEN -180 AND 180
                UNION ALL
                SELECT hex(id) FROM visit
                WHERE latitude NOT BETWEEN -90 AND 90 OR longitude NOT BETWEEN -180 AND 180
                UNION ALL
                SELECT hex(course_id) FROM waypoint
                WHERE latitude NOT BETWEEN -90 AND 90 OR longitude NOT BETWEEN -180 AND 180
                """
        ),
        Invariant(
            name: "present-place-of-present-source",
            sql: """
                SELECT hex(place.id) FROM place JOIN place_source ON place_source.id = source_id
                WHERE place.removed_at IS NULL AND place_source.removed_at IS NOT NULL
                """
        ),
    ]
}
