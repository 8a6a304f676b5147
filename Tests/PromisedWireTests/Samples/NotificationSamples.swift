import PromisedProtocol
import SwiftProtobuf

/// Messages about notifications, with every field filled.
enum NotificationSamples {
    private typealias Values = SampleValues

    private static let notificationID = "01932a4e-0000-7000-8000-0000000000d1"

    static let notification = WireNotification.with {
        $0.notificationID = notificationID
        $0.kind = .weatherTurned
        $0.at = Values.timestamp(1)
        $0.read = true
        $0.screen = .meetup
        $0.promiseID = Values.promiseID
        $0.visitID = "01932a4e-0000-7000-8000-0000000000d2"
        $0.courseID = PlaceSamples.courseID
        $0.recordingID = "01932a4e-0000-7000-8000-0000000000d3"
        $0.user = Values.otherCard
        $0.title = "Dinner"
        $0.placeName = "Café"
    }

    static let requests: [WireRequest] = [
        .setFocus(
            .with {
                $0.screen = .meetup
                $0.promiseID = Values.promiseID
                $0.active = true
            }
        ),
        .listNotifications(
            .with {
                $0.cursor = "c1"
                $0.limit = 20
            }
        ),
        .readNotifications(.with { $0.notificationIds = [notificationID] }),
        .getNotificationSettings(WireGetNotificationSettings()),
        .updateNotificationSettings(
            .with {
                $0.off = [.nudged, .exportReady]
                $0.quietFrom = "22:30"
                $0.quietTo = ""
            }
        ),
    ]

    static let contents: [WireContent] = [
        .notifications(
            .with {
                $0.notifications = [notification]
                $0.cursor = "c2"
                $0.unread = 3
            }
        ),
        .notificationSettings(
            .with {
                $0.off = [.nudged]
                $0.quietFrom = "22:30"
                $0.quietTo = "07:00"
            }
        ),
    ]

    static let passing: [WireEvent.OneOf_What] = [.weatherChanged(.with { $0.outlook = PlaceSamples.outlook })]

    static let personal: [WireEvent.OneOf_What] = [
        .notification(.with { $0.notification = notification }),
        .outlookReady(
            .with {
                $0.promiseID = Values.promiseID
                $0.placeID = PlaceSamples.placeID
                $0.outlook = PlaceSamples.outlook
            }
        ),
    ]
}
