import PromisedClient
import PromisedProtocol
import SwiftProtobuf

extension RequestCase {
    static var all: [RequestCase] {
        accounts + people + friends + promises + invitations + live + arrivals + links + places + favourites
            + notifications
    }

    private static var promise: WireContent { .promise(WirePromiseReply()) }
    private static var friendship: WireContent { .friendship(WireFriendship()) }
    private static var done: WireContent { .done(WireDone()) }
    private static var session: WireContent { .session(WireSession("1")) }

    static var accounts: [RequestCase] {
        [
            RequestCase(#"{"signUp":{"email":"a@b.example","password":"horse","nickname":"ann"}}"#, session) {
                _ = try await $0.signUp(email: "a@b.example", password: "horse", nickname: "ann")
            },
            RequestCase(#"{"signIn":{"email":"a@b.example","password":"horse"}}"#, session) {
                _ = try await $0.signIn(email: "a@b.example", password: "horse")
            },
            RequestCase(#"{"refresh":{"refreshToken":"r"}}"#, session) { _ = try await $0.refresh(token: "r") },
            RequestCase(#"{"changePassword":{"oldPassword":"old","newPassword":"new"}}"#, session) {
                _ = try await $0.changePassword(from: "old", to: "new")
            },
            RequestCase(#"{"checkNickname":{"nickname":"ann"}}"#, .nickname(WireNicknameCheck())) {
                _ = try await $0.checkNickname("ann")
            },
            RequestCase(#"{"listSessions":{}}"#, .sessions(WireSessions())) { _ = try await $0.listSessions() },
            RequestCase(#"{"endSession":{"sessionId":"s"}}"#, done) { try await $0.endSession(sessionID: "s") },
            RequestCase(#"{"signOut":{}}"#, done) { try await $0.signOut() },
            RequestCase(#"{"deleteAccount":{"password":"horse"}}"#, done) {
                try await $0.deleteAccount(password: "horse")
            },
        ]
    }

    static var links: [RequestCase] {
        [
            RequestCase(#"{"createViewLink":{"promiseId":"p"}}"#, .viewLink(WireViewLink())) {
                _ = try await $0.createViewLink(promiseID: "p")
            },
            RequestCase(#"{"createViewLink":{"promiseId":"p","expiresInMs":60000}}"#, .viewLink(WireViewLink())) {
                _ = try await $0.createViewLink(promiseID: "p", lifetime: .seconds(60))
            },
            RequestCase(#"{"revokeViewLink":{"promiseId":"p"}}"#, done) { try await $0.revokeViewLink(promiseID: "p") },
            RequestCase(#"{"setLinkSharing":{"promiseId":"p","on":true}}"#, done) {
                try await $0.setLinkSharing(promiseID: "p", on: true)
            },
            RequestCase(#"{"watchByLink":{"code":"c"}}"#, .linkView(WireLinkView())) {
                _ = try await $0.watchByLink("c")
            },
            RequestCase(#"{"exchangeCode":{"code":"c"}}"#, session) { _ = try await $0.exchangeCode("c") },
        ]
    }

    static var people: [RequestCase] {
        [
            RequestCase(#"{"getMe":{}}"#, .me(WireMe())) { _ = try await $0.getMe() },
            RequestCase(#"{"updateMe":{"avatar":""}}"#, .me(WireMe())) {
                let change = WireUpdateMe.with { $0.avatar = "" }
                _ = try await $0.updateMe(change)
            },
            RequestCase(#"{"findUser":{"nickname":"bea"}}"#, .userCard(WireUserCard())) {
                _ = try await $0.findUser(nickname: "bea")
            },
            RequestCase(#"{"getProfile":{"userId":"u"}}"#, .profile(WireProfile())) {
                _ = try await $0.getProfile(userID: "u")
            },
            RequestCase(#"{"getStatistics":{"userId":"u"}}"#, .statistics(WireStatistics())) {
                _ = try await $0.getStatistics(userID: "u")
            },
        ]
    }

    static var friends: [RequestCase] {
        [
            RequestCase(#"{"listFriends":{}}"#, .friends(WireFriends())) { _ = try await $0.listFriends() },
            RequestCase(#"{"listFriends":{"cursor":"c","limit":9}}"#, .friends(WireFriends())) {
                _ = try await $0.listFriends(cursor: "c", limit: 9)
            },
            RequestCase(#"{"listFriendRequests":{"cursor":"c","limit":9}}"#, .friendRequests(WireFriendRequests())) {
                _ = try await $0.listFriendRequests(cursor: "c", limit: 9)
            },
            RequestCase(#"{"requestFriend":{"userId":"u"}}"#, friendship) {
                _ = try await $0.requestFriend(userID: "u")
            },
            RequestCase(#"{"requestFriend":{"nickname":"n"}}"#, friendship) {
                _ = try await $0.requestFriend(nickname: "n")
            },
            RequestCase(#"{"cancelFriendRequest":{"userId":"u"}}"#, friendship) {
                _ = try await $0.cancelFriendRequest(userID: "u")
            },
            RequestCase(#"{"acceptFriend":{"userId":"u"}}"#, friendship) { _ = try await $0.acceptFriend(userID: "u") },
            RequestCase(#"{"rejectFriend":{"userId":"u"}}"#, friendship) { _ = try await $0.rejectFriend(userID: "u") },
            RequestCase(#"{"removeFriend":{"userId":"u"}}"#, friendship) { _ = try await $0.removeFriend(userID: "u") },
            RequestCase(#"{"blockUser":{"userId":"u"}}"#, friendship) { _ = try await $0.blockUser(userID: "u") },
            RequestCase(#"{"unblockUser":{"userId":"u"}}"#, friendship) { _ = try await $0.unblockUser(userID: "u") },
        ]
    }

    static var promises: [RequestCase] {
        [
            RequestCase(#"{"createPromise":{"title":"t"}}"#, promise) {
                let request = WireCreatePromise.with { $0.title = "t" }
                _ = try await $0.createPromise(request)
            },
            RequestCase(#"{"updatePromise":{"version":3,"note":""}}"#, promise) {
                let request = WireUpdatePromise.with {
                    $0.version = 3
                    $0.note = ""
                }
                _ = try await $0.updatePromise(request)
            },
            RequestCase(#"{"cancelPromise":{"promiseId":"p","reason":"rain"}}"#, promise) {
                _ = try await $0.cancelPromise("p", reason: "rain")
            },
            RequestCase(#"{"leavePromise":{"promiseId":"p"}}"#, promise) { _ = try await $0.leavePromise("p") },
            RequestCase(#"{"handOver":{"promiseId":"p","userId":"u"}}"#, promise) {
                _ = try await $0.handOver(promiseID: "p", to: "u")
            },
            RequestCase(#"{"getPromise":{"promiseId":"p"}}"#, promise) { _ = try await $0.getPromise("p") },
            RequestCase(#"{"listPromises":{"list":"UPCOMING"}}"#, .promises(WirePromises())) {
                _ = try await $0.listPromises(.upcoming)
            },
            RequestCase(#"{"listPromises":{"list":"PAST","cursor":"c","limit":9}}"#, .promises(WirePromises())) {
                _ = try await $0.listPromises(.past, cursor: "c", limit: 9)
            },
        ]
    }

    static var invitations: [RequestCase] {
        [
            RequestCase(#"{"respond":{"promiseId":"p","accept":true}}"#, promise) {
                _ = try await $0.respond(promiseID: "p", accept: true)
            },
            RequestCase(#"{"createInvite":{"promiseId":"p"}}"#, .invite(WireInvite())) {
                _ = try await $0.createInvite(promiseID: "p")
            },
            RequestCase(#"{"createInvite":{"promiseId":"p","expiresInMs":86400000}}"#, .invite(WireInvite())) {
                _ = try await $0.createInvite(promiseID: "p", lifetime: .seconds(86_400))
            },
            RequestCase(#"{"revokeInvite":{"promiseId":"p"}}"#, done) { try await $0.revokeInvite(promiseID: "p") },
            RequestCase(#"{"joinByCode":{"code":"ABCDEFGHJK"}}"#, promise) {
                _ = try await $0.joinByCode("ABCDEFGHJK")
            },
        ]
    }

    static var live: [RequestCase] {
        [
            RequestCase(#"{"subscribe":{"promiseId":"p"}}"#, .subscribed(WireSubscribed())) {
                _ = try await $0.subscribe(promiseID: "p")
            },
            RequestCase(#"{"unsubscribe":{"promiseId":"p"}}"#, done) { try await $0.unsubscribe(promiseID: "p") },
            RequestCase(#"{"report":{"promiseId":"p"}}"#, .reported(WireReported())) {
                let report = WireReport.with { $0.promiseID = "p" }
                _ = try await $0.report(report)
            },
            RequestCase(#"{"setSharing":{"promiseId":"p","on":true}}"#, done) {
                try await $0.setSharing(promiseID: "p", on: true)
            },
            RequestCase(#"{"setStatus":{"promiseId":"p","text":"on the tram"}}"#, done) {
                try await $0.setStatus(promiseID: "p", text: "on the tram")
            },
            RequestCase(#"{"setStatus":{"promiseId":"p","emoji":""}}"#, done) {
                try await $0.setStatus(promiseID: "p", emoji: "")
            },
            RequestCase(#"{"reportTrouble":{"cause":"NO_FIX"}}"#, done) { try await $0.reportTrouble(.noFix) },
            RequestCase(
                #"{"reportTrouble":{"promiseId":"p","cause":"LOW_BATTERY","batteryPercent":7}}"#,
                done
            ) { try await $0.reportTrouble(.lowBattery, promiseID: "p", batteryPercent: 7) },
            RequestCase(#"{"nudge":{"promiseId":"p","userId":"u"}}"#, done) {
                try await $0.nudge(promiseID: "p", userID: "u")
            },
        ]
    }

    static var arrivals: [RequestCase] {
        [
            RequestCase(#"{"checkIn":{"promiseId":"p"}}"#, .arrival(WireArrival())) {
                _ = try await $0.checkIn(promiseID: "p")
            },
            RequestCase(#"{"checkIn":{"promiseId":"p","code":"123456"}}"#, .arrival(WireArrival())) {
                _ = try await $0.checkIn(promiseID: "p", code: "123456")
            },
            RequestCase(#"{"getCheckInCode":{"promiseId":"p"}}"#, .checkInCode(WireCheckInCode())) {
                _ = try await $0.getCheckInCode(promiseID: "p")
            },
            RequestCase(#"{"explainArrival":{"promiseId":"p","userId":"u"}}"#, .explanation(WireExplanation())) {
                _ = try await $0.explainArrival(promiseID: "p", userID: "u")
            },
            RequestCase(
                #"{"explainArrival":{"promiseId":"p","userId":"u","cursor":"c"}}"#,
                .explanation(WireExplanation())
            ) { _ = try await $0.explainArrival(promiseID: "p", userID: "u", cursor: "c") },
            RequestCase(#"{"getResult":{"promiseId":"p"}}"#, .result(WireResult())) {
                _ = try await $0.getResult(promiseID: "p")
            },
            RequestCase(#"{"excuse":{"promiseId":"p","userId":"u","reason":"train"}}"#, .result(WireResult())) {
                _ = try await $0.excuse(promiseID: "p", userID: "u", reason: "train")
            },
        ]
    }
}
