CREATE TABLE admin_token (
    id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX admin_token_by_hash ON admin_token (hash);

CREATE TABLE arrival (
    promise_id BLOB NOT NULL,
    user_id BLOB NOT NULL,
    stage TEXT NOT NULL,
    credited_at INTEGER NOT NULL,
    source TEXT NOT NULL,
    evidence TEXT, check_in TEXT,
    PRIMARY KEY (promise_id, user_id),
    FOREIGN KEY (promise_id, user_id) REFERENCES participant (promise_id, user_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL
, is_admin INTEGER NOT NULL DEFAULT 0 CHECK (is_admin IN (0, 1))) STRICT;

CREATE INDEX audit_by_admin ON audit (id) WHERE is_admin = 1;

CREATE INDEX audit_by_time ON audit (at);

CREATE TABLE auth_session (
    id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    device_label TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX auth_session_by_user ON auth_session (user_id);

CREATE TABLE came_together (
    promise_id BLOB NOT NULL,
    first_id BLOB NOT NULL,
    second_id BLOB NOT NULL,
    median_distance_metres REAL NOT NULL,
    limit_metres REAL NOT NULL,
    moment_count INTEGER NOT NULL,
    credited_at INTEGER NOT NULL,
    PRIMARY KEY (promise_id, first_id, second_id),
    FOREIGN KEY (promise_id, first_id) REFERENCES participant (promise_id, user_id) ON DELETE CASCADE,
    FOREIGN KEY (promise_id, second_id) REFERENCES participant (promise_id, user_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE companion (
    visit_id BLOB NOT NULL REFERENCES visit (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position > 0),
    user_id BLOB REFERENCES user (id),
    name TEXT,
    PRIMARY KEY (visit_id, position),
    CHECK ((user_id IS NULL) <> (name IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX companion_by_user ON companion (user_id, visit_id) WHERE user_id IS NOT NULL;

CREATE TRIGGER course_added AFTER INSERT ON course BEGIN
    INSERT INTO total (thing, kind, count, amount) VALUES ('course', NEW.source, 1, NEW.points + NEW.dropped)
        ON CONFLICT DO UPDATE SET count = count + 1, amount = amount + excluded.amount;
END;

CREATE TRIGGER course_changed AFTER UPDATE OF source, points, dropped ON course BEGIN
    UPDATE total SET count = count - 1, amount = amount - OLD.points - OLD.dropped
        WHERE thing = 'course' AND kind = OLD.source;
    INSERT INTO total (thing, kind, count, amount) VALUES ('course', NEW.source, 1, NEW.points + NEW.dropped)
        ON CONFLICT DO UPDATE SET count = count + 1, amount = amount + excluded.amount;
END;

CREATE TRIGGER course_removed AFTER DELETE ON course BEGIN
    UPDATE total SET count = count - 1, amount = amount - OLD.points - OLD.dropped
        WHERE thing = 'course' AND kind = OLD.source;
END;

CREATE TABLE course (
    id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    user_id BLOB REFERENCES user (id) ON DELETE CASCADE,
    folder_id BLOB REFERENCES folder (id),
    audience TEXT NOT NULL CHECK (audience IN ('private', 'friends', 'people')),
    changed_at INTEGER NOT NULL,
    south REAL NOT NULL,
    west REAL NOT NULL,
    north REAL NOT NULL,
    east REAL NOT NULL,
    others_south REAL,
    others_west REAL,
    others_north REAL,
    others_east REAL,
    version INTEGER NOT NULL CHECK (version > 0),
    source TEXT NOT NULL,
    activity TEXT NOT NULL,
    hide_metres INTEGER NOT NULL CHECK (hide_metres BETWEEN 0 AND 1000),
    promise_id BLOB REFERENCES promise (id),
    cleaned_at INTEGER NOT NULL,
    started_at INTEGER,
    points INTEGER NOT NULL CHECK (points >= 0),
    dropped INTEGER NOT NULL CHECK (dropped >= 0),
    counted INTEGER NOT NULL CHECK (counted >= 2),
    distance_metres REAL NOT NULL,
    duration_ms INTEGER NOT NULL,
    moving_ms INTEGER NOT NULL,
    top_speed_mps REAL,
    ascent_metres REAL,
    descent_metres REAL,
    min_altitude_metres REAL,
    max_altitude_metres REAL,
    attribution_source TEXT,
    attribution_licence TEXT,
    region TEXT,
    title_key TEXT NOT NULL,
    title TEXT NOT NULL,
    outlines TEXT NOT NULL,
    waypoints BLOB NOT NULL,
    stops BLOB NOT NULL,
    others_outlines TEXT NOT NULL,
    others_waypoints BLOB NOT NULL,
    memo TEXT NOT NULL, others_statistics BLOB NOT NULL DEFAULT x'',
    CHECK ((user_id IS NULL) = (folder_id IS NULL)),
    CHECK ((user_id IS NULL) = (source = 'operator')),
    CHECK ((others_south IS NULL) = (others_west IS NULL)),
    CHECK ((others_south IS NULL) = (others_north IS NULL)),
    CHECK ((others_south IS NULL) = (others_east IS NULL)),
    CHECK ((attribution_source IS NULL) = (attribution_licence IS NULL))
) STRICT;

CREATE INDEX course_by_change ON course (user_id, changed_at, id, points, dropped, south, west, north, east);

CREATE INDEX course_by_folder ON course (folder_id, changed_at, id, distance_metres, south, west, north, east);

CREATE INDEX course_by_promise ON course (promise_id) WHERE promise_id IS NOT NULL;

CREATE UNIQUE INDEX course_by_title ON course (folder_id, title_key);

CREATE INDEX course_recommended
    ON course (user_id, changed_at, id, others_south, others_west, others_north, others_east)
    WHERE user_id IS NULL;

CREATE INDEX course_shared
    ON course (user_id, changed_at, id, audience, others_south, others_west, others_north, others_east)
    WHERE audience <> 'private';

CREATE TABLE course_person (
    course_id BLOB NOT NULL REFERENCES course (id) ON DELETE CASCADE,
    user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position > 0),
    PRIMARY KEY (course_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX course_person_by_user ON course_person (user_id);

CREATE TABLE course_photo (
    course_id BLOB NOT NULL REFERENCES course (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position > 0),
    file_id BLOB NOT NULL REFERENCES file (id),
    caption TEXT NOT NULL,
    PRIMARY KEY (course_id, position)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX course_photo_by_file ON course_photo (file_id);

CREATE TABLE course_track (
    course_id BLOB NOT NULL REFERENCES course (id) ON DELETE CASCADE,
    segment INTEGER NOT NULL CHECK (segment >= 0),
    count INTEGER NOT NULL CHECK (count > 0),
    points BLOB NOT NULL,
    PRIMARY KEY (course_id, segment)
) STRICT;

CREATE TABLE credential (
    user_id BLOB PRIMARY KEY NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    password_hash TEXT NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE erasing (
    id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    kind TEXT NOT NULL CHECK (kind IN ('account', 'folder')),
    begun_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE export (
    user_id BLOB PRIMARY KEY NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    requested_at INTEGER NOT NULL,
    ready_at INTEGER,
    file_id BLOB REFERENCES file (id) ON DELETE SET NULL,
    CHECK (file_id IS NULL OR ready_at IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX export_at_work ON export (requested_at) WHERE ready_at IS NULL;

CREATE INDEX export_by_file ON export (file_id) WHERE file_id IS NOT NULL;

CREATE TABLE favourite (
    id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    place_id BLOB REFERENCES place (id),
    place_name TEXT NOT NULL,
    place_address TEXT NOT NULL,
    latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
    longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX favourite_by_place ON favourite (place_id, user_id) WHERE place_id IS NOT NULL;

CREATE INDEX favourite_by_user ON favourite (user_id, created_at, id);

CREATE TRIGGER file_added AFTER INSERT ON file BEGIN
    INSERT INTO total (thing, kind, count, amount) VALUES ('file', NEW.kind, 1, NEW.bytes)
        ON CONFLICT DO UPDATE SET count = count + 1, amount = amount + excluded.amount;
    UPDATE total SET count = count + 1 WHERE thing = 'owner' AND kind = ''
        AND NOT EXISTS (SELECT 1 FROM file WHERE user_id = NEW.user_id AND id <> NEW.id);
END;

CREATE TRIGGER file_removed AFTER DELETE ON file BEGIN
    UPDATE total SET count = count - 1, amount = amount - OLD.bytes WHERE thing = 'file' AND kind = OLD.kind;
    UPDATE total SET count = count - 1 WHERE thing = 'owner' AND kind = ''
        AND NOT EXISTS (SELECT 1 FROM file WHERE user_id = OLD.user_id);
END;

CREATE TABLE file (
    id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    content_type TEXT NOT NULL,
    bytes INTEGER NOT NULL CHECK (bytes >= 0),
    sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
    width INTEGER NOT NULL CHECK (width >= 0),
    height INTEGER NOT NULL CHECK (height >= 0),
    orientation INTEGER NOT NULL CHECK (orientation BETWEEN 0 AND 8),
    item_kind TEXT CHECK (item_kind IN ('visit', 'course')),
    item_id BLOB CHECK (length(item_id) = 16),
    created_at INTEGER NOT NULL,
    used_at INTEGER,
    CHECK ((item_kind IS NULL) = (item_id IS NULL)),
    CHECK (item_id IS NULL OR used_at IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX file_by_item ON file (item_id) WHERE item_id IS NOT NULL;

CREATE INDEX file_by_user ON file (user_id, kind, bytes);

CREATE INDEX file_without_item ON file (created_at)
    WHERE item_id IS NULL AND (kind <> 'picture' OR used_at IS NULL);

CREATE TABLE fix (
    id INTEGER PRIMARY KEY,
    promise_id BLOB NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
    count INTEGER NOT NULL CHECK (count > 0),
    chunk BLOB NOT NULL
) STRICT;

CREATE INDEX fix_by_promise ON fix (promise_id);

CREATE TABLE folder (
    id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    version INTEGER NOT NULL CHECK (version > 0),
    changed_at INTEGER NOT NULL,
    title TEXT NOT NULL,
    title_key TEXT NOT NULL,
    emoji TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX folder_by_change ON folder (user_id, changed_at, id);

CREATE UNIQUE INDEX folder_by_title ON folder (user_id, title_key);

CREATE TABLE forgotten_subject (
    key BLOB PRIMARY KEY NOT NULL,
    deleted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE friendship (
    first BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    second BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('none', 'requested', 'friends')),
    requester BLOB,
    since INTEGER NOT NULL,
    rejected_requester BLOB,
    rejected_at INTEGER,
    first_blocks INTEGER NOT NULL CHECK (first_blocks IN (0, 1)),
    second_blocks INTEGER NOT NULL CHECK (second_blocks IN (0, 1)), rejection_shown INTEGER NOT NULL DEFAULT 0
CHECK (rejection_shown IN (0, 1)),
    PRIMARY KEY (first, second),
    CHECK (first < second),
    CHECK ((state = 'requested') = (requester IS NOT NULL)),
    CHECK (requester IS NULL OR requester IN (first, second)),
    CHECK ((rejected_requester IS NULL) = (rejected_at IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX friendship_by_first ON friendship (first, state, requester);

CREATE INDEX friendship_by_second ON friendship (second, state, requester);

CREATE INDEX friendship_shown_rejected ON friendship (rejected_requester) WHERE rejection_shown = 1;

CREATE INDEX friendship_with_block ON friendship (first, second)
WHERE first_blocks = 1 OR second_blocks = 1;

CREATE TABLE idempotency_key (
    owner_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject_id BLOB NOT NULL CHECK (length(subject_id) = 16),
    content_hash BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (owner_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_key_by_age ON idempotency_key (created_at);

CREATE TABLE invite (
    code TEXT PRIMARY KEY NOT NULL,
    promise_id BLOB NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX invite_by_promise ON invite (promise_id);

CREATE UNIQUE INDEX invite_in_use ON invite (promise_id) WHERE revoked_at IS NULL;

CREATE TABLE known_caller (
    user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, digest)
) STRICT, WITHOUT ROWID;

CREATE INDEX known_caller_by_time ON known_caller (seen_at);

CREATE TABLE meta (
    key TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE notification (
    user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    id BLOB NOT NULL CHECK (length(id) = 16),
    kind TEXT NOT NULL,
    subject BLOB CHECK (length(subject) = 16),
    meets_at INTEGER,
    other_id BLOB REFERENCES user (id),
    is_read INTEGER NOT NULL CHECK (is_read IN (0, 1)),
    hold_reason TEXT,
    hold_until INTEGER,
    PRIMARY KEY (user_id, at, id),
    CHECK ((kind = 'invited') = (meets_at IS NOT NULL)),
    CHECK ((kind = 'exportReady') = (subject IS NULL)),
    CHECK ((hold_reason IS NULL) = (hold_until IS NULL)),
    CHECK (hold_until IS NULL OR is_read = 0)
) STRICT, WITHOUT ROWID;

CREATE INDEX notification_by_time ON notification (at);

CREATE INDEX notification_held ON notification (user_id, hold_until, hold_reason)
WHERE hold_until IS NOT NULL;

CREATE INDEX notification_unread ON notification (user_id) WHERE is_read = 0;

CREATE TABLE notification_setting (
    user_id BLOB PRIMARY KEY NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    off TEXT NOT NULL DEFAULT '[]',
    quiet_from TEXT,
    quiet_to TEXT,
    phone_told TEXT NOT NULL DEFAULT '[]',
    CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE nudge (
    promise_id BLOB NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
    sender_id BLOB NOT NULL,
    receiver_id BLOB NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (promise_id, sender_id, receiver_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE participant (
    promise_id BLOB NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
    user_id BLOB NOT NULL REFERENCES user (id),
    number INTEGER NOT NULL,
    membership TEXT NOT NULL CHECK (membership IN ('invited', 'accepted', 'declined', 'left', 'removed')),
    is_sharing INTEGER NOT NULL CHECK (is_sharing IN (0, 1)),
    invited_at INTEGER NOT NULL,
    accepted_at INTEGER,
    ended_at INTEGER,
    excused_reason TEXT,
    meets_at INTEGER NOT NULL,
    settles_at INTEGER NOT NULL, status_text TEXT NOT NULL DEFAULT '', emoji TEXT NOT NULL DEFAULT '', is_link_sharing INTEGER NOT NULL DEFAULT 0
CHECK (is_link_sharing IN (0, 1)), shares_from INTEGER, clock TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (promise_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX participant_by_clock ON participant (user_id, clock, meets_at, promise_id);

CREATE INDEX participant_by_meeting ON participant (user_id, meets_at, promise_id);

CREATE INDEX participant_open ON participant (user_id, membership, settles_at, promise_id, clock)
    WHERE clock <> 'cancelled';

CREATE INDEX participant_with_status ON participant (user_id) WHERE status_text <> '' OR emoji <> '';

CREATE TABLE place (
    number INTEGER PRIMARY KEY,
    id BLOB NOT NULL CHECK (length(id) = 16),
    source_id INTEGER NOT NULL REFERENCES place_source (id),
    revision INTEGER NOT NULL,
    removed_at INTEGER,
    latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
    longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
    categories TEXT NOT NULL CHECK (categories <> ''),
    region TEXT,
    hours TEXT NOT NULL,
    name TEXT NOT NULL,
    address TEXT NOT NULL,
    names TEXT NOT NULL,
    ref TEXT NOT NULL,
    phone TEXT NOT NULL,
    website TEXT NOT NULL,
    social TEXT NOT NULL,
    facts TEXT NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX place_by_id ON place (id);

CREATE UNIQUE INDEX place_by_ref ON place (source_id, ref);

CREATE INDEX place_by_removal ON place (removed_at) WHERE removed_at IS NOT NULL;

CREATE TABLE place_source (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    publisher TEXT NOT NULL,
    licence TEXT NOT NULL,
    url TEXT NOT NULL,
    date TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    places INTEGER NOT NULL DEFAULT 0 CHECK (places >= 0),
    removed_at INTEGER
) STRICT;

CREATE TRIGGER promise_added AFTER INSERT ON promise BEGIN
    INSERT INTO total (thing, kind, count, amount)
        VALUES ('promise', iif(NEW.cancelled_at IS NULL, 'held', 'cancelled'), 1, 0)
        ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER promise_changed AFTER UPDATE OF cancelled_at ON promise
WHEN (OLD.cancelled_at IS NULL) <> (NEW.cancelled_at IS NULL) BEGIN
    UPDATE total SET count = count - 1
        WHERE thing = 'promise' AND kind = iif(OLD.cancelled_at IS NULL, 'held', 'cancelled');
    INSERT INTO total (thing, kind, count, amount)
        VALUES ('promise', iif(NEW.cancelled_at IS NULL, 'held', 'cancelled'), 1, 0)
        ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER promise_moved
AFTER UPDATE OF meets_at, span_before, span_after, span_settle, cancelled_at ON promise
WHEN NEW.meets_at <> OLD.meets_at OR NEW.settles_at <> OLD.settles_at OR NEW.span_before <> OLD.span_before
    OR NEW.span_after <> OLD.span_after OR (NEW.cancelled_at IS NULL) <> (OLD.cancelled_at IS NULL)
BEGIN
    UPDATE participant SET meets_at = NEW.meets_at, settles_at = NEW.settles_at,
        clock = (SELECT iif(cancelled_at IS NULL, span_before || ' ' || span_after || ' ' || span_settle, 'cancelled') FROM promise WHERE id = NEW.id)
    WHERE promise_id = NEW.id;
END;

CREATE TRIGGER promise_removed AFTER DELETE ON promise BEGIN
    UPDATE total SET count = count - 1
        WHERE thing = 'promise' AND kind = iif(OLD.cancelled_at IS NULL, 'held', 'cancelled');
END;

CREATE TABLE promise (
    id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    owner_id BLOB NOT NULL REFERENCES user (id),
    title TEXT NOT NULL,
    note TEXT NOT NULL,
    place_name TEXT NOT NULL,
    place_address TEXT NOT NULL,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    meets_at INTEGER NOT NULL,
    radius_metres INTEGER NOT NULL,
    penalty_amount INTEGER,
    penalty_currency TEXT,
    rule_name TEXT NOT NULL,
    rule_grace INTEGER NOT NULL,
    rule_mock TEXT NOT NULL,
    span_before INTEGER NOT NULL,
    span_after INTEGER NOT NULL,
    span_settle INTEGER NOT NULL,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    cancelled_at INTEGER,
    cancel_reason TEXT NOT NULL,
    epoch TEXT NOT NULL CHECK (epoch <> ''),
    mark INTEGER NOT NULL DEFAULT 0 CHECK (mark BETWEEN 0 AND 5),
    last_seq INTEGER NOT NULL DEFAULT 0,
    owner_epoch INTEGER NOT NULL DEFAULT 0,
    opens_at INTEGER NOT NULL GENERATED ALWAYS AS (meets_at - span_before) VIRTUAL,
    closes_at INTEGER NOT NULL GENERATED ALWAYS AS (meets_at + span_after) VIRTUAL,
    settles_at INTEGER NOT NULL GENERATED ALWAYS AS (meets_at + span_after + span_settle) VIRTUAL, place_id BLOB REFERENCES place (id), course_id BLOB REFERENCES course (id) ON DELETE SET NULL, preview TEXT NOT NULL DEFAULT 'time'
    CHECK (preview IN ('none', 'title', 'time', 'place')),
    CHECK ((penalty_amount IS NULL) = (penalty_currency IS NULL))
) STRICT;

CREATE INDEX promise_by_clock ON promise (iif(cancelled_at IS NULL, span_before || ' ' || span_after || ' ' || span_settle, 'cancelled'), meets_at, id);

CREATE INDEX promise_by_course ON promise (course_id) WHERE course_id IS NOT NULL;

CREATE INDEX promise_by_meeting ON promise (meets_at, id);

CREATE INDEX promise_by_opening ON promise (opens_at, id) WHERE cancelled_at IS NULL AND mark < 5;

CREATE INDEX promise_by_owner ON promise (owner_id, settles_at) WHERE cancelled_at IS NULL;

CREATE INDEX promise_by_place ON promise (place_id) WHERE place_id IS NOT NULL;

CREATE INDEX promise_by_settling ON promise (settles_at) WHERE cancelled_at IS NULL;

CREATE TABLE promise_event (
    promise_id BLOB NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq > 0),
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (promise_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER recording_added AFTER INSERT ON recording BEGIN
    INSERT INTO total (thing, kind, count, amount) VALUES ('recording', NEW.state, 1, 0)
        ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER recording_changed AFTER UPDATE OF state ON recording WHEN OLD.state <> NEW.state BEGIN
    UPDATE total SET count = count - 1 WHERE thing = 'recording' AND kind = OLD.state;
    INSERT INTO total (thing, kind, count, amount) VALUES ('recording', NEW.state, 1, 0)
        ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER recording_removed AFTER DELETE ON recording BEGIN
    UPDATE total SET count = count - 1 WHERE thing = 'recording' AND kind = OLD.state;
END;

CREATE TABLE recording (
    id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('recording', 'interrupted', 'finished')),
    activity TEXT NOT NULL,
    title TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    last_taken_at INTEGER NOT NULL,
    last_point_at INTEGER,
    wakes_at INTEGER,
    points INTEGER NOT NULL CHECK (points >= 0),
    distance_metres REAL NOT NULL,
    course_id BLOB REFERENCES course (id) ON DELETE CASCADE,
    devices BLOB NOT NULL,
    CHECK ((state = 'finished') = (wakes_at IS NULL)),
    CHECK ((state = 'finished') = (course_id IS NOT NULL))
) STRICT;

CREATE INDEX recording_by_course ON recording (course_id) WHERE course_id IS NOT NULL;

CREATE INDEX recording_by_user ON recording (user_id);

CREATE INDEX recording_by_wake ON recording (wakes_at, id) WHERE wakes_at IS NOT NULL;

CREATE INDEX recording_open ON recording (user_id, started_at, id) WHERE wakes_at IS NOT NULL;

CREATE TABLE recording_chunk (
    id INTEGER PRIMARY KEY,
    recording_id BLOB NOT NULL REFERENCES recording (id) ON DELETE CASCADE,
    count INTEGER NOT NULL CHECK (count > 0),
    points BLOB NOT NULL
) STRICT;

CREATE INDEX recording_chunk_by_recording ON recording_chunk (recording_id);

CREATE TABLE refresh_token (
    hash BLOB PRIMARY KEY NOT NULL,
    session_id BLOB NOT NULL REFERENCES auth_session (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL,
    replaced_at INTEGER,
    successor BLOB, family BLOB,
    CHECK ((replaced_at IS NULL) = (successor IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX refresh_token_by_expiry ON refresh_token (expires_at);

CREATE INDEX refresh_token_by_family ON refresh_token (family) WHERE family IS NOT NULL;

CREATE INDEX refresh_token_by_session ON refresh_token (session_id, successor);

CREATE TABLE result (
    promise_id BLOB PRIMARY KEY NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
    meets_at INTEGER NOT NULL,
    final_at INTEGER NOT NULL,
    penalty_amount INTEGER,
    penalty_currency TEXT,
    CHECK ((penalty_amount IS NULL) = (penalty_currency IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE result_row (
    promise_id BLOB NOT NULL REFERENCES result (promise_id) ON DELETE CASCADE,
    user_id BLOB NOT NULL,
    number INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    credited_at INTEGER,
    seconds_from_meeting INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    source TEXT,
    penalty_owed INTEGER NOT NULL,
    excused_reason TEXT NOT NULL, is_mock INTEGER NOT NULL DEFAULT 0 CHECK (is_mock IN (0, 1)),
    PRIMARY KEY (promise_id, user_id),
    FOREIGN KEY (promise_id, user_id) REFERENCES participant (promise_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX result_row_by_user ON result_row (user_id, promise_id);

CREATE TABLE shown_piece (
    course_id BLOB NOT NULL,
    is_own INTEGER NOT NULL,
    start INTEGER NOT NULL CHECK (start >= 0),
    count INTEGER NOT NULL CHECK (count > 0),
    points BLOB NOT NULL,
    PRIMARY KEY (course_id, is_own, start),
    FOREIGN KEY (course_id, is_own) REFERENCES shown_way (course_id, is_own) ON DELETE CASCADE
) STRICT;

CREATE TABLE shown_way (
    course_id BLOB NOT NULL REFERENCES course (id) ON DELETE CASCADE,
    is_own INTEGER NOT NULL CHECK (is_own IN (0, 1)),
    hide_metres INTEGER NOT NULL CHECK (hide_metres BETWEEN 0 AND 1000),
    points INTEGER NOT NULL CHECK (points >= 0),
    outlines BLOB NOT NULL,
    PRIMARY KEY (course_id, is_own)
) STRICT;

CREATE TABLE total (
    thing TEXT NOT NULL,
    kind TEXT NOT NULL,
    count INTEGER NOT NULL CHECK (count >= 0),
    amount INTEGER NOT NULL CHECK (amount >= 0),
    PRIMARY KEY (thing, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE upload (
    id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    bytes INTEGER NOT NULL CHECK (bytes > 0),
    sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
    received INTEGER NOT NULL CHECK (received BETWEEN 0 AND bytes),
    last_chunk_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX upload_by_age ON upload (last_chunk_at);

CREATE INDEX upload_by_user ON upload (user_id);

CREATE TRIGGER user_added AFTER INSERT ON user WHEN NEW.deleted_at IS NULL BEGIN
    UPDATE total SET count = count + 1 WHERE thing = 'user' AND kind = '';
END;

CREATE TRIGGER user_changed AFTER UPDATE OF deleted_at ON user
WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
    UPDATE total SET count = count + iif(NEW.deleted_at IS NULL, 1, -1) WHERE thing = 'user' AND kind = '';
END;

CREATE TRIGGER user_removed AFTER DELETE ON user WHEN OLD.deleted_at IS NULL BEGIN
    UPDATE total SET count = count - 1 WHERE thing = 'user' AND kind = '';
END;

CREATE TABLE user (
    id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    email TEXT,
    email_key TEXT,
    nickname TEXT,
    nickname_key TEXT,
    avatar TEXT NOT NULL,
    locale TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER,
    deleted_at INTEGER, external_subject TEXT CHECK (external_subject IS NULL OR deleted_at IS NULL), deleting_at INTEGER CHECK (deleting_at IS NULL OR deleted_at IS NULL), nickname_skeleton TEXT, visits_from_arrivals INTEGER NOT NULL DEFAULT 1
    CHECK (visits_from_arrivals IN (0, 1)), picture_id BLOB CHECK (length(picture_id) = 16),
    CHECK ((nickname IS NULL) = (deleted_at IS NOT NULL)),
    CHECK ((nickname IS NULL) = (nickname_key IS NULL)),
    CHECK ((email IS NULL) = (email_key IS NULL)),
    CHECK (deleted_at IS NULL OR email IS NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX user_being_deleted ON user (deleting_at) WHERE deleting_at IS NOT NULL;

CREATE UNIQUE INDEX user_by_email ON user (email_key) WHERE email_key IS NOT NULL;

CREATE UNIQUE INDEX user_by_nickname ON user (nickname_key) WHERE nickname_key IS NOT NULL;

CREATE UNIQUE INDEX user_by_skeleton ON user (nickname_skeleton) WHERE nickname_skeleton IS NOT NULL;

CREATE UNIQUE INDEX user_by_subject ON user (external_subject) WHERE external_subject IS NOT NULL;

CREATE TABLE view_link (
    promise_id BLOB PRIMARY KEY NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
    code_hash BLOB NOT NULL CHECK (length(code_hash) = 32),
    created_at INTEGER NOT NULL,
    expires_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX view_link_by_code ON view_link (code_hash);

CREATE TABLE visit (
    id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
    user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    local_date INTEGER NOT NULL,
    is_market_day INTEGER NOT NULL CHECK (is_market_day IN (0, 1)),
    place_id BLOB REFERENCES place (id),
    latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
    longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
    category TEXT,
    region TEXT,
    promise_id BLOB REFERENCES promise (id),
    outcome TEXT,
    rank INTEGER,
    audience TEXT NOT NULL CHECK (audience IN ('private', 'companions', 'friends')),
    version INTEGER NOT NULL CHECK (version > 0),
    kind TEXT NOT NULL,
    place_name TEXT NOT NULL,
    place_address TEXT NOT NULL,
    weather TEXT,
    emoji TEXT NOT NULL,
    title TEXT NOT NULL,
    memo TEXT NOT NULL, is_together INTEGER NOT NULL DEFAULT 0 CHECK (is_together IN (0, 1)), is_mock INTEGER NOT NULL DEFAULT 0 CHECK (is_mock IN (0, 1)),
    CHECK ((promise_id IS NULL) = (outcome IS NULL)),
    CHECK ((promise_id IS NULL) = (rank IS NULL))
) STRICT;

CREATE INDEX visit_by_place ON visit (place_id, user_id) WHERE place_id IS NOT NULL;

CREATE UNIQUE INDEX visit_by_promise ON visit (promise_id, user_id) WHERE promise_id IS NOT NULL;

CREATE INDEX visit_by_time ON visit (
    user_id, at, id, local_date, place_id, latitude, longitude, category, region, kind, audience, outcome,
    is_market_day, is_together
);

CREATE INDEX visit_mock ON visit (user_id, id) WHERE is_mock = 1;

CREATE TABLE visit_badge (
    user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    badge TEXT NOT NULL,
    earned_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, badge)
) STRICT, WITHOUT ROWID;

CREATE TABLE visit_mark (
    user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    promise_id BLOB NOT NULL REFERENCES promise (id),
    visit_id BLOB NOT NULL CHECK (length(visit_id) = 16),
    PRIMARY KEY (user_id, promise_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE visit_photo (
    visit_id BLOB NOT NULL REFERENCES visit (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position > 0),
    file_id BLOB NOT NULL REFERENCES file (id),
    caption TEXT NOT NULL,
    PRIMARY KEY (visit_id, position)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX visit_photo_by_file ON visit_photo (file_id);

CREATE TABLE waypoint (
    course_id BLOB NOT NULL REFERENCES course (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position > 0),
    latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
    longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
    kind TEXT NOT NULL,
    at_metres REAL NOT NULL,
    others_at_metres REAL,
    name TEXT NOT NULL,
    PRIMARY KEY (course_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE weather_cell (
    source TEXT NOT NULL,
    cell TEXT NOT NULL,
    fetched_at INTEGER NOT NULL,
    expires_at INTEGER,
    hours BLOB NOT NULL,
    air BLOB NOT NULL,
    forecast_modified TEXT,
    air_modified TEXT,
    PRIMARY KEY (source, cell)
) STRICT, WITHOUT ROWID;

CREATE INDEX weather_cell_by_age ON weather_cell (fetched_at);

CREATE TABLE weather_claim (
    source TEXT NOT NULL,
    cell TEXT NOT NULL,
    holder BLOB NOT NULL CHECK (length(holder) = 16),
    ends_at INTEGER NOT NULL,
    PRIMARY KEY (source, cell)
) STRICT, WITHOUT ROWID;

CREATE TABLE weather_request (
    day INTEGER PRIMARY KEY NOT NULL,
    count INTEGER NOT NULL CHECK (count > 0)
) STRICT;

CREATE TABLE weather_turn (
    promise_id BLOB PRIMARY KEY NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
