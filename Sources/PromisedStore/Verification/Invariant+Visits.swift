extension Invariant {
    /// The invariants of visits and files.
    static let visits = [
        Invariant(
            name: "file-of-item",
            sql: """
                SELECT hex(id) FROM file WHERE item_kind = 'visit' AND NOT EXISTS
                    (SELECT 1 FROM visit_photo WHERE file_id = file.id AND visit_id = item_id)
                UNION ALL
                SELECT hex(file.id) FROM visit_photo JOIN visit ON visit.id = visit_id JOIN file ON file.id = file_id
                WHERE item_id IS NOT visit_id OR file.user_id <> visit.user_id OR file.kind <> 'photo'
                UNION ALL
                SELECT hex(id) FROM file WHERE item_kind = 'course' AND NOT EXISTS
                    (SELECT 1 FROM course_photo WHERE file_id = file.id AND course_id = item_id)
                UNION ALL
                SELECT hex(file.id) FROM course_photo JOIN course ON course.id = course_id
                JOIN file ON file.id = file_id
                WHERE item_id IS NOT course_id OR file.user_id IS NOT course.user_id OR file.kind <> 'photo'
                """
        ),
        Invariant(
            name: "photos-in-order",
            sql: """
                SELECT hex(visit_id) FROM visit_photo GROUP BY visit_id
                HAVING min(position) <> 1 OR max(position) <> count(*)
                UNION ALL
                SELECT hex(course_id) FROM course_photo GROUP BY course_id
                HAVING min(position) <> 1 OR max(position) <> count(*)
                """
        ),
        Invariant(
            name: "photos-bounded",
            sql: """
                SELECT hex(visit_id) FROM visit_photo GROUP BY visit_id HAVING count(*) > 10
                UNION ALL
                SELECT hex(course_id) FROM course_photo GROUP BY course_id HAVING count(*) > 10
                """
        ),
        Invariant(
            name: "companions-in-order",
            sql: """
                SELECT hex(visit_id) FROM companion GROUP BY visit_id
                HAVING min(position) <> 1 OR max(position) <> count(*) OR count(*) > 20
                """
        ),
        Invariant(
            name: "together-noted",
            sql: """
                SELECT hex(id) FROM visit WHERE is_together <>
                    (promise_id IS NOT NULL AND EXISTS (SELECT 1 FROM companion WHERE visit_id = visit.id))
                """
        ),
        Invariant(
            name: "visit-or-mark",
            sql: """
                SELECT hex(id) FROM visit JOIN visit_mark
                    ON visit_mark.user_id = visit.user_id AND visit_mark.promise_id = visit.promise_id
                """
        ),
    ]
}
