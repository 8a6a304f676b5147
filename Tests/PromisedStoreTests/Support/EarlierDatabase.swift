import GRDB
import PromisedTestSupport

@testable import PromisedStore

/// A database from before migration 8.
enum EarlierDatabase {
    /// The missing migrations.
    static let unseen = [
        "0008-administration", "0009-links", "0010-tombstone-statuses", "0011-shown-rejections", "0012-nudges",
        "0013-nickname-skeletons", "0014-refresh-families",
        "0015-shares-from",
        "0017-revoked-invites",
        "0018-places",
        "0019-weather",
        "0020-notifications",
        "0021-files",
        "0022-visits",
        "0023-courses",
        "0024-recordings", "0025-counts",
        "0026-visit-columns", "0027-course-columns", "0028-file-totals", "0029-promise-status",
        "0030-shown-statuses", "0031-open-parts",
        "0034-visit-dates",
        "0036-came-together",
        "0037-reshaped-courses",
        "0042-course-people",
        "0044-known-callers",
        "0045-tombstone-traces",
        "0046-erasing",
        "0047-shifted-ends",
        "0048-clean-file",
        "0049-mock-positions",
        "0050-pictures",
        "0051-previews",
    ]

    /// A directory with such a database.
    ///
    /// - Parameter fill: writes with the current version, before the schema is reverted.
    static func make(filledBy fill: (Store) async throws -> Void = { _ in }) async throws -> TemporaryDirectory {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await fill(store)
        try await store.close()
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite")
        try await database.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    DROP TABLE erasing;
                    DROP TABLE came_together;
                    DROP INDEX participant_open;
                    CREATE INDEX participant_by_settling ON participant (user_id, settles_at, promise_id);
                    DROP INDEX participant_with_status;
                    DROP INDEX promise_by_clock;
                    DROP INDEX participant_by_clock;
                    DROP TRIGGER promise_moved;
                    ALTER TABLE participant DROP COLUMN clock;
                    CREATE TRIGGER promise_moved AFTER UPDATE OF meets_at, span_after, span_settle ON promise
                    WHEN NEW.meets_at <> OLD.meets_at OR NEW.settles_at <> OLD.settles_at
                    BEGIN
                        UPDATE participant SET meets_at = NEW.meets_at, settles_at = NEW.settles_at
                        WHERE promise_id = NEW.id;
                    END;
                    DROP TABLE shown_piece;
                    DROP TABLE shown_way;
                    DROP TRIGGER promise_added;
                    DROP TRIGGER promise_changed;
                    DROP TRIGGER promise_removed;
                    DROP TRIGGER user_added;
                    DROP TRIGGER user_changed;
                    DROP TRIGGER user_removed;
                    DROP INDEX promise_by_settling;
                    DROP TABLE recording_chunk;
                    DROP TABLE recording;
                    DROP INDEX promise_by_course;
                    ALTER TABLE promise DROP COLUMN course_id;
                    ALTER TABLE promise DROP COLUMN preview;
                    DROP TABLE course_person;
                    DROP TABLE course_photo;
                    DROP TABLE waypoint;
                    DROP TABLE course_track;
                    DROP TABLE course;
                    DROP TABLE folder;
                    DROP TABLE visit_badge;
                    DROP TABLE visit_mark;
                    DROP TABLE companion;
                    DROP TABLE visit_photo;
                    DROP TABLE visit;
                    ALTER TABLE result_row DROP COLUMN is_mock;
                    DROP TABLE export;
                    DROP TABLE upload;
                    DROP TABLE file;
                    DROP TABLE total;
                    ALTER TABLE user DROP COLUMN visits_from_arrivals;
                    ALTER TABLE user DROP COLUMN picture_id;
                    DROP INDEX promise_by_place;
                    ALTER TABLE promise DROP COLUMN place_id;
                    DROP TABLE favourite;
                    DROP TABLE place;
                    DROP TABLE place_source;
                    ALTER TABLE idempotency_key RENAME TO new_key;
                    DROP INDEX idempotency_key_by_age;
                    CREATE TABLE idempotency_key (
                        owner_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
                        key TEXT NOT NULL,
                        promise_id BLOB NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
                        content_hash BLOB NOT NULL,
                        created_at INTEGER NOT NULL,
                        PRIMARY KEY (owner_id, key)
                    ) STRICT, WITHOUT ROWID;
                    INSERT INTO idempotency_key
                        SELECT owner_id, key, subject_id, content_hash, created_at FROM new_key;
                    DROP TABLE new_key;
                    CREATE INDEX idempotency_key_by_promise ON idempotency_key (promise_id);
                    CREATE INDEX idempotency_key_by_age ON idempotency_key (created_at);
                    DROP TABLE weather_cell;
                    DROP TABLE weather_claim;
                    DROP TABLE weather_request;
                    DROP TABLE weather_turn;
                    DROP TABLE known_caller;
                    DROP TABLE notification;
                    DROP TABLE notification_setting;
                    DROP INDEX user_by_skeleton;
                    ALTER TABLE user DROP COLUMN nickname_skeleton;
                    DROP INDEX refresh_token_by_family;
                    ALTER TABLE refresh_token DROP COLUMN family;
                    ALTER TABLE participant DROP COLUMN shares_from;
                    DROP TABLE nudge;
                    DROP INDEX friendship_shown_rejected;
                    ALTER TABLE friendship DROP COLUMN rejection_shown;
                    DROP TABLE view_link;
                    ALTER TABLE participant DROP COLUMN is_link_sharing;
                    DROP TABLE admin_token;
                    DROP INDEX audit_by_admin;
                    ALTER TABLE audit DROP COLUMN is_admin;
                    DROP INDEX promise_by_meeting;
                    DELETE FROM grdb_migrations WHERE identifier >= '0008';
                    """
            )
        }
        try database.close()
        return directory
    }
}
