/// A user's settings of notifications.
package struct NotificationSettings: Hashable, Sendable {
    /// The kinds that the user has switched off.
    package private(set) var off: Set<NotificationKind>
    /// The quiet hours, in the user's time zone; nil for none.
    package private(set) var quietHours: QuietHours?

    /// Settings; by default every kind is sent at any time.
    package init(off: Set<NotificationKind> = [], quietHours: QuietHours? = nil) {
        self.off = off
        self.quietHours = quietHours
    }

    /// The beginning of the quiet hours, such as `22:30`; empty for none.
    package var quietFrom: String { quietHours?.from.text ?? "" }
    /// The end of the quiet hours, such as `07:00`; empty for none.
    package var quietTo: String { quietHours?.to.text ?? "" }

    /// The settings after an edit.
    ///
    /// - Parameters:
    ///   - off: replaces the kinds that are off.
    ///   - quietFrom: the beginning of the quiet hours; empty for none, nil to keep it.
    ///   - quietTo: the end of the quiet hours; empty for none, nil to keep it.
    /// - Throws: ``Refusal/invalid(field:)`` for an invalid time of day, and for `quietTo` if only one of the two is
    ///   empty or both are equal.
    package func edited(
        off: Set<NotificationKind>,
        quietFrom: String? = nil,
        quietTo: String? = nil
    ) throws(Refusal) -> NotificationSettings {
        let from = try NotificationSettings.time(quietFrom ?? self.quietFrom, field: "quietFrom")
        let to = try NotificationSettings.time(quietTo ?? self.quietTo, field: "quietTo")
        switch (from, to) {
        case (nil, nil): return NotificationSettings(off: off)
        case (let from?, let to?):
            guard let hours = QuietHours(from: from, to: to) else { throw .invalid(field: "quietTo") }
            return NotificationSettings(off: off, quietHours: hours)
        case (nil, _?), (_?, nil): throw .invalid(field: "quietTo")
        }
    }

    /// The time of a field; nil for an empty text.
    private static func time(_ text: String, field: String) throws(Refusal) -> ClockTime? {
        if text.isEmpty { return nil }
        guard let time = ClockTime(text) else { throw .invalid(field: field) }
        return time
    }
}
