internal import Foundation
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedStore

/// The outcome of one user's orders in a round: computed at once, then stored, then sent.
struct NotificationStep {
    let userID: UserID
    /// The changes to store before sending.
    private(set) var changes: NotificationChanges
    /// The notifications to send, in order.
    private(set) var told: [UserNotification] = []
    /// The notifications to push to the phone.
    private(set) var pushed: [UserNotification] = []
    private(set) var decisions: [(kind: NotificationKind, decision: NotificationDecision)] = []
    private var answers: [(order: NotificationOrder, refusal: Refusal?)] = []
    private var machine: NotificationMachine
    private var phoneToldAt: [Instant]
    private let clock: UserClock
    private let now: Instant

    /// The user's notifications as stored, with the events since.
    ///
    /// - Parameters:
    ///   - focuses: the focuses of the user's connections, as far as they are known.
    ///   - leases: determines their duration.
    ///   - newBlocks: the users separated from this one by a new block; notifications caused by them are not released.
    init(
        of userID: UserID,
        in state: NotificationState,
        focuses: FocusTable,
        leases: any FocusLeases,
        newBlocks: [UserID],
        at now: Instant
    ) {
        self.userID = userID
        self.now = now
        changes = NotificationChanges(of: userID)
        for id in state.causeless { changes.remove(id) }
        phoneToldAt = state.phoneToldAt
        clock = UserClock(timeZone: state.timeZone)
        machine = NotificationMachine(
            entries: state.entries,
            settings: state.settings,
            clock: clock,
            pushedAt: state.phoneToldAt,
            focuses: focuses
        )
        for connection in focuses.connections {
            feed(.lasts(connection, until: leases.focusEnd(of: SubscriberID(rawValue: connection.number))))
        }
        for other in newBlocks { feed(.blockCreated(with: other)) }
        feed(.wake)
    }

    /// The screens that the user's connections show.
    var focuses: FocusTable { machine.focuses }

    /// When the next hold ends unless an event comes first; nil if nothing is held.
    var nextWake: Instant? { machine.nextWake(at: now) }

    mutating func carryOut(_ order: NotificationOrder) {
        var refusal: Refusal?
        switch order.content {
        case .event(let event): feed(event)
        case .timeZone: feed(.clock(clock))
        // Causeless notifications were already excluded when the state was read.
        case .dropCauseless: break
        case .edit(let edit):
            do throws(Refusal) {
                let edited = try machine.settings.edited(
                    off: edit.off,
                    quietFrom: edit.quietFrom,
                    quietTo: edit.quietTo
                )
                feed(.settings(edited))
                changes.settings = (edited, phoneToldAt)
            } catch {
                refusal = error
            }
        }
        answers.append((order, refusal))
    }

    /// Resumes the waiting callers: the changes are stored.
    func answer() {
        for (order, refusal) in answers {
            order.waiter?.resume(returning: refusal.map { .failure($0) } ?? .success(()))
        }
    }

    private mutating func feed(_ event: NotificationEvent) {
        for effect in machine.receive(event, at: now) {
            switch effect {
            case .store(let entry): changes.save(entry)
            case .remove(let ids): for id in ids { changes.remove(id) }
            case .decided(let kind, let decision): decisions.append((kind, decision))
            case .tell(let notification): told.append(notification)
            case .push(let notification): push(notification)
            // The next wake is computed once for the whole step.
            case .wake: break
            }
        }
    }

    private mutating func push(_ notification: UserNotification) {
        pushed.append(notification)
        phoneToldAt = phoneToldAt.filter { $0 + PhoneAllowance.span > now } + [now]
        changes.settings = (machine.settings, phoneToldAt)
    }
}

extension UserClock {
    /// The clock in a time zone (IANA); UTC if the name is empty or unknown.
    init(timeZone name: String) {
        guard let zone = TimeZone(identifier: name) else {
            self = .utc
            return
        }
        self.init { instant in
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.milliseconds) / 1_000))
        }
    }
}
