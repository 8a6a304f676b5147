internal import PromisedEngine

extension Application {
    /// The background work of the use cases, with the reason for each scope.
    package var jobs: [Job] {
        let pauses = ports.execution.pauses
        return [
            // Wakes due promises; a promise has one session, which its owner runs.
            Job("sessions", .owner) { await core.engine.run() },
            // Writes the positions that the sessions of this node hold in memory.
            Job("positions", .owner) { await core.archive.run() },
            // The only writer of notifications: it counts a user's notifications per hour and holds some back.
            Job("notifications", .oneNode) { await people.dispatcher.run() },
            // Scans the store for accounts and folders whose deletion has begun.
            Job("deletions", .oneNode) { await accounts.deletions.run() },
            // The index of places is in the memory of each node.
            Job("places", .everyNode) { await places.directory.run() },
            // The imports of this node's connections are in its memory.
            Job("imports", .everyNode, every: .seconds(60), of: pauses) { await places.imports.forgetIdle() },
            // Fetches what the users of this node asked for, and answers them; a fetch is claimed in the store.
            Job("weather", .everyNode) { await places.weather.run() },
            // Scans all meetings for those whose weather is due, and deletes old records.
            Job("weather ahead", .oneNode) { await places.weather.fetchAhead() },
            // One export at a time, from a queue in the store.
            Job("exports", .oneNode) { await journal.exports.run() },
            // Scans all recordings for those without new points.
            Job("recordings", .oneNode, every: Recordings.wakeInterval(atRate: ports.clock.rate), of: pauses) {
                await journal.recordings.wakeDue()
            },
            // Scans the store and the files for expired data.
            Job("cleaning", .oneNode) { await administration.cleaning.run() },
        ]
    }
}
