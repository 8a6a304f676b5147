import PromisedDomain
import PromisedProtocol
import PromisedWire

extension ModelledServer {
    /// The request that a step is.
    func request(for step: Step) -> WireRequest {
        switch step {
        case .friend(let act, _, let other): request(act, people[other])
        case .create(let specification, _): .createPromise(request(specification))
        case .promise(let act, let number, _): request(act, promiseID(number) ?? "")
        case .join(let number, _): .joinByCode(filled(WireJoinByCode()) { $0.code = code(number) })
        case .deleteAccount(let me): .deleteAccount(.sample(people[me].password))
        case .wait: .getMe(WireGetMe())
        }
    }

    private func request(_ act: FriendAct, _ other: Person) -> WireRequest {
        switch act {
        case .request: .requestFriend(filled(WireRequestFriend()) { $0.userID = other.id })
        case .requestByName: .requestFriend(filled(WireRequestFriend()) { $0.nickname = other.name.uppercased() })
        case .cancel: .cancelFriendRequest(.to(other.id))
        case .accept: .acceptFriend(filled(WireAcceptFriend()) { $0.userID = other.id })
        case .reject: .rejectFriend(.of(other.id))
        case .remove: .removeFriend(filled(WireRemoveFriend()) { $0.userID = other.id })
        case .block: .blockUser(.of(other.id))
        case .unblock: .unblockUser(.of(other.id))
        }
    }

    private func request(_ specification: PromiseSpecification) -> WireCreatePromise {
        .sample(
            key: specification.key,
            title: specification.title,
            meetsAt: Instant(milliseconds: specification.meetsAt),
            invitees: specification.invitees.map { people[$0] }
        )
    }

    private func request(_ act: PromiseAct, _ id: String) -> WireRequest {
        switch act {
        case .respond(let accept):
            .respond(
                filled(WireRespond()) {
                    $0.promiseID = id
                    $0.accept = accept
                }
            )
        case .update(let change): .updatePromise(request(change, id))
        case .leave: .leavePromise(.of(id))
        case .handOver(let heir):
            .handOver(
                filled(WireHandOver()) {
                    $0.promiseID = id
                    $0.userID = people[heir].id
                }
            )
        case .cancel: .cancelPromise(filled(WireCancelPromise()) { $0.promiseID = id })
        case .createInvite(_, let span):
            .createInvite(
                filled(WireCreateInvite()) {
                    $0.promiseID = id
                    if let span { $0.expiresInMs = Double(span) }
                }
            )
        case .revokeInvite: .revokeInvite(filled(WireRevokeInvite()) { $0.promiseID = id })
        case .get: .getPromise(filled(WireGetPromise()) { $0.promiseID = id })
        }
    }

    private func request(_ change: PromiseChange, _ id: String) -> WireUpdatePromise {
        var request = WireUpdatePromise()
        request.promiseID = id
        request.version = UInt32(clamping: change.version)
        if let title = change.title { request.title = title }
        if let meetsAt = change.meetsAt { request.meetsAt = WireTimestamp(Instant(milliseconds: meetsAt)) }
        request.invite = change.invite.map { people[$0].id }
        request.remove = change.remove.map { people[$0].id }
        return request
    }
}

/// A message with some of its fields set.
private func filled<Message>(_ message: Message, _ fill: (inout Message) -> Void) -> Message {
    var message = message
    fill(&message)
    return message
}
