internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedJournal
internal import PromisedPlaces
internal import PromisedProtocol
internal import PromisedWire

// The frames of the client library: decoded, answered by the same acts as those of the light clients, and encoded.
extension World {
    // MARK: - Requests

    /// Delivers a message of the app to the server.
    func hearApp(_ bytes: [UInt8], on connection: ConnectionNumber) throws {
        guard let server = process.server, let userID = server.switchboard.user(of: connection) else { return }
        let frame = try FollowingApp.codec.decodeClientFrame(bytes)
        switch frame.request {
        case .hello(let hello): welcome(hello, userID, id: frame.id, on: connection)
        // Its account is deleted: every token is invalid.
        case .refresh: tellApp(.error(WireErrorReply(.authTokenInvalid)), id: frame.id, on: connection)
        case .syncClock(let sync):
            app?.note(ClockSync(readings: try ClockReadings(sync), receivedAt: now))
            tellApp(.clock(WireClock(sync, receivedAt: now, sentAt: now)), id: frame.id, on: connection)
        case let asked:
            guard let ask = try asked.flatMap({ try ask($0, on: connection) }) else {
                return tellApp(.done(WireDone()), id: frame.id, on: connection)
            }
            let request = Request(number: Int(frame.id), connection: connection, ask: ask)
            journal.add(now, "<- \(connection) #\(request.number) \(ask.name)")
            watch.noteArrival(request, of: userID)
            if server.take(request) { Task { await server.serve(connection) } }
        }
    }

    private func welcome(_ hello: WireHello, _ userID: UserID, id: UInt32, on connection: ConnectionNumber) {
        guard !watch.ledger.deleted.contains(userID) else {
            return tellApp(.error(WireErrorReply(.authTokenInvalid)), id: id, on: connection)
        }
        app?.greet(as: DeviceKey(deviceID: hello.deviceID, bootID: hello.bootID), on: connection)
        var welcome = WireWelcome()
        welcome.user.userID = userID.wireText
        welcome.reportIntervalMs = 5_000
        tellApp(.welcome(welcome), id: id, on: connection)
    }

    /// The request for the acts; nil if none is needed.
    private func ask(_ request: WireRequest, on connection: ConnectionNumber) throws -> Ask? {
        let device = app?.device(on: connection) ?? DeviceKey(deviceID: "", bootID: "")
        let syncs = app?.syncs(at: now) ?? []
        switch request {
        case .subscribe(let wanted):
            let point = wanted.epoch.isEmpty ? nil : ResumePoint(epoch: wanted.epoch, lastSeq: Int(wanted.lastSeq))
            return .subscribe(try PromiseID(wire: wanted.promiseID, field: "promiseId"), since: point)
        case .report(let report):
            return .reportToAll(try Report(report, device: device, syncs: syncs, receivedAt: now))
        case .beginUpload(let begin):
            return .errand(.begin(file: 0, try Upload.Announcement(begin)))
        case .putChunk(let put):
            let id = try UploadID(wire: put.uploadID, field: "uploadId")
            return .errand(.put(file: 0, id, offset: Int64(put.offset), [UInt8](put.data)))
        case .startRecording(let start):
            return .errand(.start(recording: AppPhone.recording, key: start.key))
        case .appendRecording(let append):
            let id = try RecordingID(wire: append.recordingID, field: "recordingId")
            let batch = try RecordedBatch(append, device: device, syncs: syncs)
            return .errand(.append(recording: AppPhone.recording, id, batch))
        case .finishRecording(let finish):
            return .errand(.finish(try RecordingID(wire: finish.recordingID, field: "recordingId")))
        default: return nil
        }
    }

    // MARK: - Answers and events

    /// Sends the server's answer to a request of the app.
    func tellApp(_ answer: Answer, to request: Request) {
        tellApp(content(answer), id: UInt32(request.number), on: request.connection)
    }

    private func content(_ answer: Answer) -> WireContent {
        switch answer {
        case .subscribed(_, let epoch, let lastSeq, let missed, _, let view, let nextReport):
            var reply = WireSubscribed()
            (reply.epoch, reply.seq) = (epoch, UInt32(lastSeq))
            reply.nextReportMs = nextReport.map { UInt32(max(1, $0.milliseconds)) } ?? 0
            if let missed {
                reply.missed = missed.map { WireEvent($0, in: view, card: UserCard.tombstone) }
            } else {
                reply.snapshot = WirePromise(view, detail: .live, card: UserCard.tombstone)
            }
            return .subscribed(reply)
        case .receipt(let receipt): return .reported(WireReported(receipt))
        case .errand(let answer): return content(answer)
        case .done: return .done(WireDone())
        case .refused(_, let error): return .error(error)
        case .unavailable, .created, .arrived, .lookedBack: return .error(WireErrorReply(.serverUnavailable))
        }
    }

    private func content(_ answer: ErrandAnswer) -> WireContent {
        switch answer {
        case .upload(_, let id, let offset, let made):
            var upload = WireUpload()
            (upload.uploadID, upload.offset) = (id.wireText, Double(offset))
            upload.chunkBytes = UInt32(SimulatedUpload.chunk)
            if let made { upload.file.fileID = made.wireText }
            return .upload(upload)
        case .recording(_, let id):
            var recording = WireRecording()
            recording.recordingID = id.wireText
            return .recording(recording)
        case .recorded(_, let receipt): return .recorded(WireRecorded(receipt))
        case .course(let id, _):
            var course = WireCourse()
            course.courseID = id.wireText
            return .course(course)
        case .place, .favourite, .visit, .seen, .exporting, .exported, .outlook, .inbox:
            preconditionFailure("The app does not ask for this: \(answer)")
        }
    }

    /// Sends an unsolicited frame to the app.
    func tellApp(_ frame: Frame, in view: SessionView?, on connection: ConnectionNumber) {
        switch frame {
        case .event(_, let event):
            guard let view else { return }
            tellApp(.event(WireEvent(event, in: view, card: UserCard.tombstone)), id: 0, on: connection)
        case .positions(let id, let positions, let next):
            let event = WireEvent(positions: positions, of: id, nextReport: next, at: now)
            tellApp(.event(event), id: 0, on: connection)
        case .passing(let id, let event):
            tellApp(.event(WireEvent(passing: event, of: id, at: now)), id: 0, on: connection)
        case .notice(.notification(let notification, let names, let card)):
            let event = WireEvent(personal: .notification(notification, names: names, card: card), at: now)
            tellApp(.event(event), id: 0, on: connection)
        case .outlook(.promise(let id), let outlook):
            tellApp(.event(WireEvent(.weatherChanged(outlook), of: id, at: now)), id: 0, on: connection)
        case .answer, .notice, .outlook: break
        }
    }

    private func tellApp(_ content: WireContent, id: UInt32, on connection: ConnectionNumber) {
        // A request without a number requests no reply.
        if id == 0, case .event = content {} else if id == 0 { return }
        do throws(WireError) {
            let bytes = try FollowingApp.codec.encode(WireServerFrame(id: id, content: content))
            carry(.appDown(connection, bytes), isUp: false, on: connection)
        } catch {
            preconditionFailure("The server's frame cannot be encoded: \(error)")
        }
    }
}
