extension Invariant {
    /// The invariants of folders, courses and recordings.
    static let courses = [
        Invariant(
            name: "course-in-own-folder",
            sql: """
                SELECT hex(course.id) FROM course LEFT JOIN folder ON folder.id = folder_id
                WHERE folder.user_id IS NOT course.user_id
                """
        ),
        Invariant(
            name: "track-complete",
            sql: """
                SELECT hex(id) FROM course WHERE points + dropped <>
                    (SELECT coalesce(sum(count), 0) FROM course_track WHERE course_id = course.id)
                UNION ALL
                SELECT hex(course_id) FROM course_track GROUP BY course_id
                HAVING min(segment) <> 0 OR max(segment) <> count(*) - 1
                """
        ),
        Invariant(
            name: "shown-way-complete",
            sql: """
                SELECT hex(course_id) FROM shown_way WHERE points <> (SELECT coalesce(sum(count), 0) FROM shown_piece
                    WHERE shown_piece.course_id = shown_way.course_id AND shown_piece.is_own = shown_way.is_own)
                UNION ALL
                SELECT hex(course_id) FROM shown_piece GROUP BY course_id, is_own
                HAVING min(start) <> 0 OR max(start) <> 1000 * (count(*) - 1)
                """
        ),
        Invariant(
            name: "shown-way-of-its-course",
            sql: """
                SELECT hex(course_id) FROM shown_way JOIN course ON course.id = course_id
                WHERE CASE is_own WHEN 1 THEN user_id IS NULL ELSE shown_way.hide_metres <> course.hide_metres END
                """
        ),
        Invariant(
            name: "secret-of-ends",
            sql: """
                WITH secret AS (SELECT coalesce((SELECT value FROM meta WHERE key = 'ends-secret'), '') AS value)
                SELECT 'meta' FROM secret WHERE value NOT GLOB '[0-9]* [0-9]*' OR value GLOB '*[^0-9 ]*'
                    OR value GLOB '* * *' OR length(value) > 41
                """
        ),
        Invariant(
            name: "waypoints-in-order",
            sql: """
                SELECT hex(course_id) FROM waypoint GROUP BY course_id
                HAVING min(position) <> 1 OR max(position) <> count(*) OR count(*) > 50
                """
        ),
        Invariant(
            name: "people-of-audience",
            sql: """
                SELECT hex(course_id) FROM course_person JOIN course ON course.id = course_id
                GROUP BY course_id HAVING max(audience <> 'people') OR max(course.user_id IS course_person.user_id)
                    OR count(*) > 50
                """
        ),
        Invariant(
            // The schema has the same check, but `integrity_check` skips it on a read-only connection.
            name: "recommended-without-user",
            sql: "SELECT hex(id) FROM course WHERE (user_id IS NULL) <> (source = 'operator')"
        ),
        Invariant(
            name: "promise-of-own-course",
            sql: """
                SELECT hex(promise.id) FROM promise JOIN course ON course.id = promise.course_id
                WHERE course.user_id IS NOT promise.owner_id
                """
        ),
        Invariant(
            name: "chunks-of-open-recording",
            sql: """
                SELECT hex(id) FROM recording WHERE CASE WHEN state = 'finished' THEN 0 ELSE points END <>
                    (SELECT coalesce(sum(count), 0) FROM recording_chunk WHERE recording_id = recording.id)
                """
        ),
        Invariant(
            name: "recording-with-course",
            sql: """
                SELECT hex(recording.id) FROM recording LEFT JOIN course ON course.id = course_id
                WHERE (state = 'finished') <> (course_id IS NOT NULL) OR (state = 'finished') <> (wakes_at IS NULL)
                    OR course_id IS NOT NULL AND course.user_id IS NOT recording.user_id
                """
        ),
        Invariant(
            name: "recordings-bounded",
            sql: "SELECT hex(user_id) FROM recording WHERE wakes_at IS NOT NULL GROUP BY user_id HAVING count(*) > 3"
        ),
    ]
}
