/// The names of a notification's subject as they are now, for its text. Not stored with it: titles change.
package struct NotificationNames: Hashable, Sendable {
    /// The title of the promise, course, visit or recording; empty if there is none, or if the user can no longer see it.
    package var title: String
    /// The name of the place of the promise or visit; empty like ``title``.
    package var place: String

    package init(title: String = "", place: String = "") {
        self.title = title
        self.place = place
    }
}
