import PromisedCommandLine
import PromisedProtocol

extension Report {
    /// Promises, without their participants.
    static func promises(_ page: WirePromises) -> Report {
        list(
            page,
            of: page.promises,
            ["MEETS", "STATUS", "TITLE", "PLACE", .number("PEOPLE"), "ID"],
            whenEmpty: "no promises"
        ) { promise in
            [
                Table.Cell(MomentText.full(promise.meetsAt)),
                Table.Cell(promise.status.word, promise.status.tone), "\(promise.title)",
                "\(promise.place.name)", "\(promise.participantCount)", Table.Cell(promise.promiseID, .faint),
            ]
        }
    }

    /// One promise with all participants, and the overlaps of its change.
    static func promise(_ reply: WirePromiseReply) -> Report {
        Report(Document(reply)) { style in
            let promise = reply.promise
            var parts = [fields(of: promise).text(style), participants(of: promise).text(style)]
            for overlap in reply.overlaps {
                let title = "overlaps with \(overlap.title.printable) at \(MomentText.full(overlap.meetsAt))"
                parts.append(style.paint("\(title) (\(overlap.promiseID.printable))", .warning))
            }
            return parts.joined(separator: "\n\n")
        }
    }

    private static func fields(of promise: WirePromise) -> FieldList {
        var fields = FieldList()
        fields.add("title", promise.title, .heading)
        fields.add("id", promise.promiseID)
        fields.add("status", promise.status.word, promise.status.tone)
        fields.add("meets", MomentText.full(promise.meetsAt))
        let (opens, closes) = (MomentText.full(promise.opensAt), MomentText.full(promise.closesAt))
        fields.add("window", "\(opens) to \(closes)")
        fields.add("final", MomentText.full(promise.settlesAt))
        if promise.hasPlace {
            fields.add("place", promise.place.name)
            fields.add("address", promise.place.address)
            fields.add("position", "\(promise.place.latitude),\(promise.place.longitude)")
        } else {
            fields.add("place", "deleted with the accounts of everybody who took part")
        }
        fields.add("radius", "\(promise.radiusMetres) m")
        if promise.hasPenalty {
            fields.add("penalty", MeasureText.money(promise.penalty.amount, promise.penalty.currency))
        }
        fields.add("note", promise.note)
        fields.add("version", "\(promise.version)")
        return fields
    }

    private static func participants(of promise: WirePromise) -> Table {
        Table(
            ["WHO", "MEMBERSHIP", "SHARES", "ARRIVED", .number("RANK"), "ID"],
            whenEmpty: "no participants",
            of: promise.participants
        ) { participant in
            let isOwner = participant.user.userID == promise.ownerID
            let arrival = participant.arrival
            return [
                Table.Cell(participant.user.nickname + (isOwner ? " (owner)" : "")),
                "\(participant.membership.word)", participant.sharing ? "yes" : "no",
                Table.Cell(MomentText.full(arrival.creditedAt, if: participant.hasArrival)),
                participant.hasArrival ? "\(arrival.rank)" : "", Table.Cell(participant.user.userID, .faint),
            ]
        }
    }
}
