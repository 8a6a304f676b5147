extension Migrations {
    /// Folders, courses with their points, way-points, photos and people, and the courses that promises carry.
    ///
    /// A row of `course` holds everything that lists show, for its user and for others: lists read no points. The
    /// columns that lists filter and sort by come first, the long texts last.
    static let courses = """
        -- title_key: the title as titles are compared.
        CREATE TABLE folder (
            id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            version INTEGER NOT NULL CHECK (version > 0),
            changed_at INTEGER NOT NULL,
            title TEXT NOT NULL,
            title_key TEXT NOT NULL,
            emoji TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX folder_by_title ON folder (user_id, title_key);
        CREATE INDEX folder_by_change ON folder (user_id, changed_at, id);

        -- Without a user a course is recommended to everybody. The box and the texts of others are those without the
        -- hidden ends: a box of NULLs if nothing is left. *_ms: milliseconds. outlines: a polyline on each line.
        -- waypoints, stops: the encodings of CourseShapeCoding.
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
            memo TEXT NOT NULL,
            CHECK ((user_id IS NULL) = (folder_id IS NULL)),
            CHECK ((user_id IS NULL) = (source = 'operator')),
            CHECK ((others_south IS NULL) = (others_west IS NULL)),
            CHECK ((others_south IS NULL) = (others_north IS NULL)),
            CHECK ((others_south IS NULL) = (others_east IS NULL)),
            CHECK ((attribution_source IS NULL) = (attribution_licence IS NULL))
        ) STRICT;
        CREATE INDEX course_by_change ON course (user_id, changed_at, id, points, dropped);
        CREATE INDEX course_by_folder ON course (folder_id, changed_at, id, distance_metres);
        CREATE UNIQUE INDEX course_by_title ON course (folder_id, title_key);
        CREATE INDEX course_shared ON course (user_id, changed_at, id) WHERE audience <> 'private';
        CREATE INDEX course_by_promise ON course (promise_id) WHERE promise_id IS NOT NULL;

        -- The points as they were recorded, one row for each segment; points is the encoding of TrackChunk.
        CREATE TABLE course_track (
            course_id BLOB NOT NULL REFERENCES course (id) ON DELETE CASCADE,
            segment INTEGER NOT NULL CHECK (segment >= 0),
            count INTEGER NOT NULL CHECK (count > 0),
            points BLOB NOT NULL,
            PRIMARY KEY (course_id, segment)
        ) STRICT;

        -- The way-points that the user named. position: the place in the order of the way, from 1. others_at_metres:
        -- NULL if others must not see it.
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

        -- position: the place in the user's order, from 1.
        CREATE TABLE course_photo (
            course_id BLOB NOT NULL REFERENCES course (id) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position > 0),
            file_id BLOB NOT NULL REFERENCES file (id),
            caption TEXT NOT NULL,
            PRIMARY KEY (course_id, position)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX course_photo_by_file ON course_photo (file_id);

        -- The users whom an audience of people names, in the user's order, from 1.
        CREATE TABLE course_person (
            course_id BLOB NOT NULL REFERENCES course (id) ON DELETE CASCADE,
            user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position > 0),
            PRIMARY KEY (course_id, user_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX course_person_by_user ON course_person (user_id);

        ALTER TABLE promise ADD COLUMN course_id BLOB REFERENCES course (id) ON DELETE SET NULL;
        CREATE INDEX promise_by_course ON promise (course_id) WHERE course_id IS NOT NULL;
        """

    /// The running totals of courses and recordings, which are queried often, so that their rows need not be read.
    static let counts = """
        CREATE INDEX course_by_source ON course (source, points, dropped);
        CREATE INDEX recording_by_state ON recording (state);
        """

    /// The boxes of courses in the indexes of their lists, so that a list by distance or box reads only the rows of its
    /// page; and long ways as they are shown, so that a page reads only its own points.
    static let courseColumns = """
        DROP INDEX course_by_change;
        CREATE INDEX course_by_change ON course (user_id, changed_at, id, points, dropped, south, west, north, east);
        DROP INDEX course_by_folder;
        CREATE INDEX course_by_folder ON course (folder_id, changed_at, id, distance_metres, south, west, north, east);
        DROP INDEX course_shared;
        CREATE INDEX course_shared
            ON course (user_id, changed_at, id, audience, others_south, others_west, others_north, others_east)
            WHERE audience <> 'private';
        CREATE INDEX course_recommended
            ON course (user_id, changed_at, id, others_south, others_west, others_north, others_east)
            WHERE user_id IS NULL;

        -- Made when a way is first asked for, and made again once it is gone. is_own: 1 for its user; 0 for all others,
        -- from whom the way is hidden within hide_metres of its ends. outlines: the encoding of OutlineCoding.
        CREATE TABLE shown_way (
            course_id BLOB NOT NULL REFERENCES course (id) ON DELETE CASCADE,
            is_own INTEGER NOT NULL CHECK (is_own IN (0, 1)),
            hide_metres INTEGER NOT NULL CHECK (hide_metres BETWEEN 0 AND 1000),
            points INTEGER NOT NULL CHECK (points >= 0),
            outlines BLOB NOT NULL,
            PRIMARY KEY (course_id, is_own)
        ) STRICT;

        -- start: how many points of the way come before. points: the encoding of TrackPiece.
        CREATE TABLE shown_piece (
            course_id BLOB NOT NULL,
            is_own INTEGER NOT NULL,
            start INTEGER NOT NULL CHECK (start >= 0),
            count INTEGER NOT NULL CHECK (count > 0),
            points BLOB NOT NULL,
            PRIMARY KEY (course_id, is_own, start),
            FOREIGN KEY (course_id, is_own) REFERENCES shown_way (course_id, is_own) ON DELETE CASCADE
        ) STRICT;
        """

    /// Recordings and the points of open ones.
    static let recordings = """
        -- wakes_at: when the recording changes its state without a point; NULL once it is a course. devices: the
        -- encoding of RecordingDevices.
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
        CREATE INDEX recording_open ON recording (user_id, started_at, id) WHERE wakes_at IS NOT NULL;
        CREATE INDEX recording_by_user ON recording (user_id);
        CREATE INDEX recording_by_wake ON recording (wakes_at, id) WHERE wakes_at IS NOT NULL;
        CREATE INDEX recording_by_course ON recording (course_id) WHERE course_id IS NOT NULL;

        -- One row for each batch; points is the encoding of RecordingChunk.
        CREATE TABLE recording_chunk (
            id INTEGER PRIMARY KEY,
            recording_id BLOB NOT NULL REFERENCES recording (id) ON DELETE CASCADE,
            count INTEGER NOT NULL CHECK (count > 0),
            points BLOB NOT NULL
        ) STRICT;
        CREATE INDEX recording_chunk_by_recording ON recording_chunk (recording_id);
        """

    /// Removes people from the lists of courses of users who are not their friends: after ending a friendship and
    /// becoming friends again, they saw the courses again.
    static let coursePeople = """
        DELETE FROM course_person WHERE NOT EXISTS (
            SELECT 1 FROM course JOIN friendship
                ON first = min(course.user_id, course_person.user_id)
                AND second = max(course.user_id, course_person.user_id)
            WHERE course.id = course_person.course_id AND state = 'friends'
        );
        """
}
