import Foundation
import PromisedProtocol
import SwiftProtobuf

/// The messages of files and visits, with every field filled.
enum VisitSamples {
    private typealias Values = SampleValues

    static let visitID = "01932a4e-0000-7000-8000-0000000000e1"
    static let fileID = "01932a4e-0000-7000-8000-0000000000e2"
    private static let uploadID = "01932a4e-0000-7000-8000-0000000000e3"
    private static let sha256 = String(repeating: "0123456789abcdef", count: 4)

    static let file = WireStoredFile.with {
        $0.fileID = fileID
        $0.kind = .photo
        $0.contentType = "image/jpeg"
        $0.bytes = 1_048_576
        $0.sha256 = sha256
        $0.width = 2_048
        $0.height = 1_536
        $0.orientation = 6
    }

    private static let companions: [WireCompanion] = [.with { $0.user = Values.otherCard }, .with { $0.name = "Bea" }]
    private static let photos: [WirePhotoChoice] = [
        .with {
            $0.fileID = fileID
            $0.caption = "The gate"
        }
    ]

    private static let place = WirePlace.with {
        $0 = Values.place
        $0.placeID = PlaceSamples.placeID
    }

    static let visit = WireVisit.with {
        $0.visitID = visitID
        $0.version = 2
        $0.source = .arrival
        $0.place = place
        $0.category = "market/periodic"
        $0.visitedAt = Values.timestamp()
        $0.localDate = "2026-11-21"
        $0.promiseID = Values.promiseID
        $0.kind = .food
        $0.title = "Rice cakes"
        $0.memo = "Two lines:\nthis is the second"
        $0.emoji = "🍡"
        $0.photos = [
            .with {
                $0.photoID = fileID
                $0.file = file
                $0.caption = "The gate"
            }
        ]
        $0.companions = companions
        $0.outcome = .onTime
        $0.rank = 1
        $0.weather = PlaceSamples.outlook.weather
        $0.audience = .friends
        $0.user = Values.card
        $0.mock = true
    }

    static let requests: [WireRequest] = [
        .beginUpload(
            .with {
                $0.key = "photo-1"
                $0.kind = .photo
                $0.bytes = 1_048_576
                $0.sha256 = sha256
            }
        ),
        .putChunk(
            .with {
                $0.uploadID = uploadID
                $0.offset = 45_000
                $0.data = Data([0xFF, 0xD8, 0xFF])
            }
        ),
        .readFile(
            .with {
                $0.fileID = fileID
                $0.offset = 131_072
                $0.limit = 65_536
            }
        ),
        .createVisit(
            .with {
                $0.key = "visit-1"
                $0.place = place
                $0.visitedAt = Values.timestamp()
                $0.kind = .quote
                $0.title = "Rice cakes"
                $0.memo = "Two lines:\nthis is the second"
                $0.emoji = "🍡"
                $0.photos = photos
                $0.companions = companions
                $0.audience = .companions
            }
        ),
        .updateVisit(
            .with {
                $0.visitID = visitID
                $0.version = 2
                $0.place = Values.place
                $0.visitedAt = Values.timestamp(1)
                $0.kind = .other
                $0.title = ""
                $0.memo = "Shorter"
                $0.emoji = ""
                $0.photos = photos
                $0.withoutPhotos = true
                $0.companions = companions
                $0.withoutCompanions = true
                $0.audience = .private
            }
        ),
        .getVisit(.with { $0.visitID = visitID }), .deleteVisit(.with { $0.visitID = visitID }),
        .listVisits(
            .with {
                $0.userID = Values.otherUserID
                $0.kinds = [.note, .book]
                $0.filter.categories = ["market"]
                $0.filter.regions = ["KR-11"]
                $0.placeID = PlaceSamples.placeID
                $0.from = Values.timestamp()
                $0.to = Values.timestamp(1)
                $0.text = "rice"
                $0.cursor = "c1"
                $0.limit = 20
            }
        ),
        .getVisitStatistics(WireGetVisitStatistics()),
    ]

    static let contents: [WireContent] = [
        .upload(
            .with {
                $0.uploadID = uploadID
                $0.offset = 90_000
                $0.chunkBytes = 45_000
                $0.expiresAt = Values.timestamp(3_600_000)
                $0.file = file
            }
        ),
        .fileChunk(
            .with {
                $0.fileID = fileID
                $0.offset = 131_072
                $0.data = Data([0xFF, 0xD8, 0xFF])
                $0.bytes = 1_048_576
                $0.contentType = "image/jpeg"
            }
        ),
        .visit(visit),
        .visits(
            .with {
                $0.visits = [visit]
                $0.cursor = "c2"
            }
        ),
        .visitStatistics(
            .with {
                $0.visits = 7
                $0.counted = 6
                $0.places = 4
                $0.level = 2
                $0.toNext = 3
                $0.categories = [
                    .with {
                        $0.id = "market/periodic"
                        $0.counted = 3
                        $0.level = 1
                    }
                ]
                $0.regions = [
                    .with {
                        $0.code = "KR-11"
                        $0.counted = 5
                    }
                ]
                $0.badges = [
                    .with {
                        $0.id = "first-visit"
                        $0.earnedAt = Values.timestamp()
                        $0.progress = 1
                        $0.goal = 1
                    }
                ]
            }
        ),
    ]

    static let personal: [WireEvent.OneOf_What] = [.visitMade(.with { $0.visit = visit })]
}
