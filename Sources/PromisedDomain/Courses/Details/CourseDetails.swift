/// All that is shown of a course and follows from its way; of the user's own, or of the part that others see.
package struct CourseDetails: Hashable, Sendable {
    /// The way: of one's own course the clean one, of another's without times, accuracies and hidden ends.
    package let track: Track
    /// At most 200 points of it, as polylines of precision 5, one for each segment.
    package let outlines: [String]
    /// The smallest box around it; nil for a course that is hidden wholly.
    package let box: Box?
    /// Its way-points, unless its user named some.
    package let waypoints: [CourseWaypoint]
    /// Its stops; others see none, because they see no times.
    package let stops: [CourseStop]

    /// The details for the user whose course it is.
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
