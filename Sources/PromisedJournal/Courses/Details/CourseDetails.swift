package import PromisedPlaces

/// The displayed data derived from a course's way: from the whole way for the owner, from the visible part for others.
package struct CourseDetails: Hashable, Sendable {
    /// The way: for the owner the clean one, for others the one without times, accuracies and hidden ends.
    package let track: Track
    /// At most 200 points of it, as polylines of precision 5, one for each segment.
    package let outlines: [String]
    /// Its bounding box; nil if the course is entirely hidden.
    package let box: Box?
    /// The generated way-points, which are used if the owner named none.
    package let waypoints: [CourseWaypoint]
    /// Its stops; empty for others, because they see no times.
    package let stops: [CourseStop]

    /// The details for the owner of the course.
    package init(own track: Track, names: some CoursePlaces) {
        self.init(track, names: names, hidden: nil)
    }

    /// The details for all others, from the clean way.
    package init(shared track: Track, hidden: HiddenEnds, names: some CoursePlaces) {
        self.init(hidden.visible(track), names: names, hidden: hidden)
    }

    private init(_ track: Track, names: some CoursePlaces, hidden: HiddenEnds?) {
        self.track = track
        outlines = track.outlined(to: Track.outlineLimit).polylines
        box = track.box
        waypoints = CourseWaypoint.along(track, names: names, hidden: hidden)
        stops = CourseStop.along(track, names: names)
    }
}
