/// Finds notifications whose cause still exists. Others are not announced, listed or counted.
package enum NotificationCause {
    /// A condition on a row of `notification`: the account of the user who caused it exists, and
    ///
    /// - an invitation is valid: the user is still invited or has answered, and the promise was not cancelled before;
    /// - an event in a promise: the user is still a participant; a result needs no condition;
    /// - a friend request is open or was accepted;
    /// - a course is still shared with the user by its owner, a friend.
    ///
    /// A notification that concerns only the user is always valid. Primary keys.
    package static let lasts = """
        (notification.kind = 'resultFinal' OR (other_id IS NULL OR EXISTS (SELECT 1 FROM user
            WHERE user.id = notification.other_id AND user.deleted_at IS NULL AND user.deleting_at IS NULL))
        AND CASE notification.kind
            WHEN 'invited' THEN NOT EXISTS (SELECT 1 FROM participant
                WHERE participant.promise_id = notification.subject AND participant.user_id = notification.user_id
                    AND (participant.membership IN ('left', 'removed') OR participant.invited_at > notification.at
                        OR participant.membership = 'invited' AND participant.clock = 'cancelled'))
            WHEN 'friendRequested' THEN EXISTS (SELECT 1 FROM friendship
                WHERE friendship.first = min(notification.user_id, notification.subject)
                    AND friendship.second = max(notification.user_id, notification.subject)
                    AND (friendship.state = 'friends' OR friendship.requester = notification.subject
                        AND friendship.since <= notification.at))
            WHEN 'courseShared' THEN EXISTS (SELECT 1 FROM course JOIN friendship
                    ON friendship.first = min(course.user_id, notification.user_id)
                    AND friendship.second = max(course.user_id, notification.user_id)
                WHERE course.id = notification.subject AND friendship.state = 'friends'
                    AND (course.audience = 'friends' OR course.audience = 'people'
                        AND EXISTS (SELECT 1 FROM course_person WHERE course_person.course_id = course.id
                            AND course_person.user_id = notification.user_id)))
            WHEN 'visitMade' THEN 1
            WHEN 'recordingInterrupted' THEN 1
            WHEN 'exportReady' THEN 1
            ELSE NOT EXISTS (SELECT 1 FROM participant
                WHERE participant.promise_id = notification.subject AND participant.user_id = notification.user_id
                    AND participant.membership IN ('left', 'removed'))
        END)
        """
}
