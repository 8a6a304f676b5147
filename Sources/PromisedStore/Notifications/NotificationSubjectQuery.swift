internal import PromisedDomain

/// Reads the names of a notification's subject.
enum NotificationSubjectQuery {
    /// The names that `user`, who has the notification, may see now. Primary keys.
    static func names(
        of topic: NotificationTopic,
        for user: UserID,
        from db: SQLConnection
    ) throws -> NotificationNames {
        let row: SQLRow? =
            switch topic.subject {
            case .promise(let id): try db.row(promise, [id, user])
            case .visit(let id): try db.row(visit, [id, user])
            case .recording(let id): try db.row(recording, [id, user])
            case .course(let id): try db.rows(course, named: ["course": id, "viewer": user]).first
            case .user, .account: nil
            }
        guard let row else { return NotificationNames() }
        return NotificationNames(title: try row.value("title"), place: try row.value("place_name"))
    }

    /// Of a promise that the user is in, or in whose result they have a row.
    static let promise = """
        SELECT title, place_name FROM promise JOIN participant ON participant.promise_id = promise.id
        WHERE promise.id = ?1 AND participant.user_id = ?2 AND (participant.membership IN ('invited', 'accepted')
            OR EXISTS (SELECT 1 FROM result_row WHERE result_row.promise_id = ?1 AND result_row.user_id = ?2))
        """

    static let visit = "SELECT title, place_name FROM visit WHERE id = ? AND user_id = ?"

    static let recording = "SELECT title, '' AS place_name FROM recording WHERE id = ? AND user_id = ?"

    static let course = "SELECT course.title AS title, '' AS place_name \(CourseQuery.seen(":course"))"
}
