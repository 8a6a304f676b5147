import PromisedProtocol
import SwiftProtobuf

/// The messages of folders, courses, recordings and exports, with every field filled.
enum CourseSamples {
    private typealias Values = SampleValues

    static let courseID = "01932a4e-0000-7000-8000-0000000000f1"
    static let folderID = "01932a4e-0000-7000-8000-0000000000f2"
    static let recordingID = "01932a4e-0000-7000-8000-0000000000f3"

    private static let photos: [WirePhotoChoice] = [
        .with {
            $0.fileID = VisitSamples.fileID
            $0.caption = "The gate"
        }
    ]

    private static let waypoint = WireWaypoint.with {
        $0.name = "The bridge"
        $0.place.name = "The bridge"
        $0.place.latitude = 37.576
        $0.place.longitude = 126.977
        $0.kind = .via
        $0.atMetres = 812.5
    }

    private static let folder = WireFolder.with {
        $0.folderID = folderID
        $0.version = 2
        $0.title = "Rides"
        $0.emoji = "🚲"
        $0.courses = 3
        $0.distanceMetres = 42_195.5
        $0.changedAt = Values.timestamp()
    }

    static let course = WireCourse.with {
        $0.courseID = courseID
        $0.version = 3
        $0.folderID = folderID
        $0.user = Values.card
        $0.source = .recording
        $0.title = "Along the river"
        $0.memo = "Two lines:\nthis is the second"
        $0.activity = .ride
        $0.startedAt = Values.timestamp()
        $0.statistics = statistics
        $0.box = .with { ($0.south, $0.west, $0.north, $0.east) = (37.5, 126.9, 37.6, 127.1) }
        $0.outlines = ["_p~iF~ps|U_ulLnnqC", "_mqNvxq`@"]
        $0.waypoints = [waypoint]
        $0.stops = [
            .with {
                $0.place = Values.place
                $0.from = Values.timestamp()
                $0.to = Values.timestamp(600_000)
            }
        ]
        $0.photos = [
            .with {
                $0.photoID = VisitSamples.fileID
                $0.file = VisitSamples.file
                $0.caption = "The gate"
            }
        ]
        $0.audience = .people
        $0.people = [Values.otherCard]
        $0.hideMetres = 200
        $0.promiseID = Values.promiseID
        $0.attribution = "City of Seoul, CC BY 4.0"
    }

    private static let statistics = WireCourseStatistics.with {
        $0.points = 1_200
        $0.dropped = 3
        $0.distanceMetres = 12_345.5
        $0.durationMs = 3_600_000
        $0.movingMs = 3_000_000
        $0.topSpeedMps = 9.5
        $0.ascentMetres = 60
        $0.descentMetres = 55.5
        $0.minAltitudeMetres = -2
        $0.maxAltitudeMetres = 58.5
    }

    private static let recording = WireRecording.with {
        $0.recordingID = recordingID
        $0.state = .interrupted
        $0.activity = .run
        $0.title = "Morning"
        $0.points = 720
        $0.lastSeq = 722
        $0.distanceMetres = 2_345.5
        $0.startedAt = Values.timestamp()
        $0.lastPointAt = Values.timestamp(3_600_000)
        $0.courseID = courseID
    }

    static let requests: [WireRequest] = folders + recordings + courses

    private static let folders: [WireRequest] = [
        .createFolder(
            .with {
                $0.key = "folder-1"
                $0.title = "Rides"
                $0.emoji = "🚲"
            }
        ),
        .updateFolder(
            .with {
                $0.folderID = folderID
                $0.version = 2
                $0.title = "Walks"
                $0.emoji = ""
            }
        ),
        .deleteFolder(
            .with {
                $0.folderID = folderID
                $0.withCourses = true
            }
        ),
        .listFolders(WireListFolders()),
    ]

    private static let recordings: [WireRequest] = [
        .startRecording(
            .with {
                $0.key = "recording-1"
                $0.activity = .walk
                $0.title = "Morning"
            }
        ),
        .appendRecording(
            .with {
                $0.recordingID = recordingID
                $0.points = [
                    .with {
                        $0.seq = 17
                        $0.latitude = 37.576
                        $0.longitude = 126.976_9
                        $0.altitudeMetres = 38.5
                        $0.accuracyMetres = 4.5
                        $0.speedMps = 1.5
                        $0.uptimeMs = 123_456_789.25
                        $0.recordedAt = Values.timestamp(250)
                        $0.segment = 1
                    }
                ]
                $0.uptimeMs = 123_457_000
                $0.sentAt = Values.timestamp(500)
            }
        ),
        .finishRecording(
            .with {
                $0.recordingID = recordingID
                $0.folderID = folderID
                $0.title = "Along the river"
                $0.memo = "Two lines:\nthis is the second"
                $0.photos = photos
            }
        ),
        .discardRecording(.with { $0.recordingID = recordingID }), .listRecordings(WireListRecordings()),
    ]

    private static let courses: [WireRequest] = [
        .saveCourse(
            .with {
                $0.key = "course-1"
                $0.promiseID = Values.promiseID
                $0.folderID = folderID
                $0.title = "To the pier"
                $0.memo = "Windy"
            }
        ),
        .importCourse(
            .with {
                $0.key = "course-2"
                $0.fileID = VisitSamples.fileID
                $0.folderID = folderID
                $0.activity = .ride
            }
        ),
        .getCourse(.with { $0.courseID = courseID }),
        .getTrack(
            .with {
                $0.courseID = courseID
                $0.maxPoints = 500
                $0.cursor = "100"
                $0.hideMetres = 300
            }
        ),
        .listCourses(
            .with {
                $0.list = .shared
                $0.folderID = folderID
                $0.userID = Values.otherUserID
                $0.box = .with { ($0.south, $0.west, $0.north, $0.east) = (37.5, 126.9, 37.6, 127.1) }
                $0.near = .with { ($0.latitude, $0.longitude) = (37.57, 126.98) }
                $0.cursor = "c1"
                $0.limit = 20
            }
        ),
        .updateCourse(
            .with {
                $0.courseID = courseID
                $0.version = 3
                $0.folderID = folderID
                $0.title = "Along the river"
                $0.memo = ""
                $0.activity = .other
                $0.photos = photos
                $0.withoutPhotos = true
                $0.waypoints = [waypoint]
                $0.withoutWaypoints = true
            }
        ),
        .deleteCourse(.with { $0.courseID = courseID }),
        .copyCourse(
            .with {
                $0.key = "course-3"
                $0.courseID = courseID
                $0.folderID = folderID
            }
        ),
        .shareCourse(
            .with {
                $0.courseID = courseID
                $0.audience = .people
                $0.userIds = [Values.otherUserID]
                $0.hideMetres = 300
            }
        ),
        .exportCourse(
            .with {
                $0.courseID = courseID
                $0.format = .gpx
            }
        ),
        .exportMyData(WireExportMyData()),
    ]

    static let contents: [WireContent] = [
        .folder(folder), .folders(.with { $0.folders = [folder] }), .recording(recording),
        .recorded(
            .with {
                $0.taken = [16, 17]
                $0.rejected = [
                    .with {
                        $0.seq = 18
                        $0.code = "position.in-future"
                    }
                ]
                $0.lastSeq = 722
            }
        ),
        .recordings(.with { $0.recordings = [recording] }), .course(course),
        .courses(
            .with {
                $0.courses = [course]
                $0.cursor = "c2"
                $0.dropped = 4
                $0.brokenOffAtLine = 64
            }
        ),
        .track(
            .with {
                $0.points = [
                    .with {
                        $0.latitude = 37.576
                        $0.longitude = 126.976_9
                        $0.altitudeMetres = 38.5
                        $0.at = Values.timestamp()
                        $0.segment = 1
                    }
                ]
                $0.cursor = "200"
            }
        ),
        .file(.with { $0.file = VisitSamples.file }),
        .export(
            .with {
                $0.state = .ready
                $0.file = VisitSamples.file
                $0.availableAt = Values.timestamp(86_400_000)
            }
        ),
    ]

    static let personal: [WireEvent.OneOf_What] = [
        .recordingInterrupted(.with { $0.recording = recording }), .courseShared(.with { $0.course = course }),
        .exportReady(.with { $0.file = VisitSamples.file }),
    ]
}
