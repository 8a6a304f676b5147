import Foundation
import PromisedClient
import PromisedProtocol

/// The code of the article "Recording a way", word for word; a test compares the two.
struct RecordingAWay: Sendable {
    /// The steps of the article's app, for the test.
    let effects = Mailbox<String>()

    func offer(_ unfinished: RecordingStatus) { effects.put("offered \(unfinished.waitingCount)") }
    func open(_ course: WireCourse) { effects.put("course \(course.courseID)") }
    func showProblem(_ message: String) { effects.put(message) }
    func showProgress(_ sent: Int, of size: Int) { effects.put("\(sent) of \(size)") }
    func drawTrack(_ points: [WireTrackPoint]) { effects.put("\(points.count) points") }
    func drawPhoto(_ bytes: Data) { effects.put("\(bytes.count) bytes") }

    func openRecorder(of client: PromisedClient, in directory: String) -> CourseRecorder {
        do {
            return try CourseRecorder(client: client, directory: directory)
        } catch {
            // Then points stay in memory, and a recording ends with the app.
            return CourseRecorder(client: client)
        }
    }

    func runRecorder(_ recorder: CourseRecorder) async {
        if let unfinished = recorder.unfinished { offer(unfinished) }
        await withTaskGroup { group in
            group.addTask { await recorder.run() }
            group.addTask { for await notice in recorder.notices { show(notice) } }
        }
    }

    func show(_ notice: RecorderNotice) {
        switch notice {
        case .finished(let course): open(course)
        case .refused(let error, givenUp: _): showProblem(error.message)
        case .overflowed(let count): showProblem("\(count) points were dropped")
        case .damaged, .storageFailed: showProblem("points may be missing")
        case .started, .recorded, .discarded: break
        }
    }

    func ride(with recorder: CourseRecorder) async {
        await recorder.start(.ride, title: "To the sea")
    }

    func moved(
        toLatitude latitude: Double,
        longitude: Double,
        altitudeMetres: Double,
        accuracyMetres: Double,
        measuredAt date: Date,
        recorder: CourseRecorder
    ) async {
        var point = WireRecordedPoint()
        point.latitude = latitude
        point.longitude = longitude
        point.altitudeMetres = altitudeMetres
        point.accuracyMetres = accuracyMetres
        await recorder.record(point, measuredAt: date)
    }

    func rest(isOver: Bool, recorder: CourseRecorder) async {
        if isOver { await recorder.resume() } else { await recorder.pause() }
    }

    func upload(_ jpeg: Data, key: String, with client: PromisedClient) async throws(ClientError) -> WirePhotoChoice {
        let file = try await Uploader(client: client).upload(jpeg, as: .photo, key: key) { progress in
            showProgress(progress.sent, of: progress.size)
        }
        var photo = WirePhotoChoice()
        photo.fileID = file.fileID
        photo.caption = "The sea"
        return photo
    }

    func arrive(with photos: [WirePhotoChoice], recorder: CourseRecorder) async {
        await recorder.finish(memo: "Wind from the west", photos: photos)
    }

    func forget(recorder: CourseRecorder) async {
        await recorder.discard()
    }

    func load(_ course: WireCourse, with client: PromisedClient) async throws(ClientError) {
        drawTrack(try await client.readTrack(courseID: course.courseID))
        for photo in course.photos { drawPhoto(try await client.read(photo.file)) }
    }
}
