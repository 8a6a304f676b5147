internal import PromisedDomain

/// The `README.txt` of an archive.
enum ExportGuide {
    /// The text for an archive made at an instant of real time.
    static func text(madeAt instant: Instant) -> String {
        """
        Your data, as the server had it at \(instant.rfc3339).

        The archive holds your account, friends, promises, positions, visits, favourites, courses, recordings, photos and
        notifications. Of other people it holds what you could see in the app: their id, nickname and avatar, their part in
        your promises, and the results that you share. The server read the data in pages while you may have gone on using
        it: an item that you changed or deleted in those minutes may be missing.

        All texts are UTF-8. A .json file holds one object or one array; in an array each item is an object. Times are
        RFC 3339 in UTC, lengths are metres, speeds metres per second, temperatures degrees Celsius; fields that end in
        Ms are milliseconds. Positions are WGS 84 degrees. A field that has no value is left out. Ids name the same thing
        in all files.

        account.json
          userId, email, nickname, avatar, picture, locale, timeZone, visitsFromArrivals, createdAt
          notificationSettings: off (kinds), quietFrom, quietTo (local time; both empty: none)
          signIns: deviceLabel, createdAt

        friends.json
          A card for each friend: userId, nickname, avatar, deleted.

        promises.json
          promiseId, title, note, place {name, address, latitude, longitude, placeId}, meetsAt, radiusMetres,
          penalty {amount in minor units, currency}, ownerId, status, version, createdAt, opensAt, closesAt, settlesAt,
          cancelledAt, cancelReason, courseId, preview, rule {name, graceMs, mock}
          participants: user (a card), membership
          mine: your part: membership, sharing, linkSharing, statusText, emoji, invitedAt, acceptedAt, endedAt
          explanation: your arrival: stage, creditedAt, secondsFromMeeting (negative: early), source,
            mock (based on simulated positions), checkIn {at, source}, and the evidence: deviceId, bootId, clause (the
            rule that found it), provisionalAt, confirmedAt, firstInside and lastOutside {time, distanceMetres}, fixCount,
            strongCount
          result: finalAt, penaltyTotal, rows {user, outcome, creditedAt, secondsFromMeeting, rank, source, penaltyOwed,
            excusedReason, mock}

        positions/<promiseId>.json
          The positions that your devices sent for a promise and that the server has not deleted yet:
          deviceId, bootId, seq, latitude, longitude, accuracyMetres, speedMps, fixTime, receivedAt, mock

        visits.json
          visitId, version, source (ARRIVAL or HAND), place, category, region, visitedAt, localDate, promiseId, outcome,
          rank, mock, kind, title, memo, emoji, audience
          photos: fileId, caption, file (its name in this archive)
          companions: user (a card) or name
          weather: source, attribution, fetchedAt, at, condition, temperatureCelsius, feltCelsius, precipitationPercent,
            precipitationMm, snowCm, windMps, gustMps, humidityPercent, pm10, pm25 (micrograms in a cubic metre), advice

        favourites.json
          favouriteId, label, place, createdAt

        folders.json
          folderId, version, title, emoji, courses (their number), distanceMetres, changedAt

        courses.json
          courseId, version, file (its name in this archive), folderId, source, promiseId, title, memo, activity,
          startedAt, changedAt, photos, audience, people (cards of those you share it with), hideMetres,
          attribution {source, licence}
          statistics: points, dropped, distanceMetres, durationMs, movingMs, topSpeedMps, ascentMetres, descentMetres,
            minAltitudeMetres, maxAltitudeMetres
          waypoints: name, place, kind, atMetres (along the way)
          stops: place, from, to

        courses/<number> <title>.gpx
          All points of a course as they were recorded, as GPX 1.1.

        recordings.json
          Recordings that have not ended: recordingId, state, activity, title, points (their number), lastSeq,
          distanceMetres, startedAt, lastPointAt
          track: segment, latitude, longitude, altitudeMetres, at, accuracyMetres, speedMps

        photos/<fileId>.jpg, .png, .webp
          Your photos and your profile picture as the server keeps them, without metadata.

        notifications.json
          notificationId, kind, at, read, screen, promiseId, visitId, courseId, recordingId, user (a card)

        """
    }
}
