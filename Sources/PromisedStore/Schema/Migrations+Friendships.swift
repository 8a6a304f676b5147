extension Migrations {
    /// One row for each pair with something to remember, under the smaller id first.
    static let friendships = """
        CREATE TABLE friendship (
            first BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            second BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            state TEXT NOT NULL CHECK (state IN ('none', 'requested', 'friends')),
            requester BLOB,
            since INTEGER NOT NULL,
            rejected_requester BLOB,
            rejected_at INTEGER,
            first_blocks INTEGER NOT NULL CHECK (first_blocks IN (0, 1)),
            second_blocks INTEGER NOT NULL CHECK (second_blocks IN (0, 1)),
            PRIMARY KEY (first, second),
            CHECK (first < second),
            CHECK ((state = 'requested') = (requester IS NOT NULL)),
            CHECK (requester IS NULL OR requester IN (first, second)),
            CHECK ((rejected_requester IS NULL) = (rejected_at IS NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX friendship_by_first ON friendship (first, state, requester);
        CREATE INDEX friendship_by_second ON friendship (second, state, requester);
        """

    /// Which rejected requests their requesters still see waiting: none of those from before, which they saw vanish.
    static let shownRejections = """
        ALTER TABLE friendship ADD COLUMN rejection_shown INTEGER NOT NULL DEFAULT 0
        CHECK (rejection_shown IN (0, 1));
        CREATE INDEX friendship_shown_rejected ON friendship (rejected_requester) WHERE rejection_shown = 1;
        """
}
