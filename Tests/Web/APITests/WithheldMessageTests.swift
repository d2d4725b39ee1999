import Campaigns
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Scheduling
import Testing

/// What the rows of a send say of users whom no message reached, or not as one would expect.
@Suite("Why a user got no message, over the API")
struct WithheldMessageTests: CampaignSteps {
    // MARK: Steps

    /// Has a campaign triggered for users, and its recipients listed.
    private func launch(
        _ campaign: Campaign,
        _ users: [String],
        _ client: APIClient
    ) async throws -> Send {
        let send = try await send(
            try await client.post(
                "/campaigns/trigger/send",
                [
                    "campaign_id": id(campaign), "respect_control_group": true,
                    "recipients": .array(users.map { ["external_user_id": .string($0)] }),
                ]
            ),
            client
        )
        _ = try await client.store.startPlanningDueSends(now: APIClient.now)
        while try await !client.planner.planNextBatch(of: send, limit: 10).isComplete {}
        return send
    }

    /// Has the provider take all that waits, which ends the sends.
    private func deliver(_ client: APIClient) async throws {
        let claimed = try await client.store.claimDispatches(
            ClaimRequest(
                limit: 100,
                owner: "worker",
                leaseEnd: APIClient.now.addingTimeInterval(60),
                now: APIClient.now
            )
        )
        try await client.store.record(
            claimed.rows.map {
                DispatchUpdate(
                    send: $0.send,
                    device: $0.device.id,
                    change: .accepted(providerID: "p")
                )
            },
            now: APIClient.now
        )
        _ = try await client.store.markFinishedSends(now: APIClient.now)
    }

    /// Makes a user the one of a phone.
    private func logIn(_ user: String, on phone: UUID, _ client: APIClient) async throws {
        let registration = PushRegistration(
            provider: .apns,
            token: "token-\(phone)",
            environment: .sandbox,
            authorization: .authorized,
            registeredAt: APIClient.now
        )
        let item = IngestItem(
            recordID: UUID(),
            user: .external(user),
            time: APIClient.now,
            content: .pushRegistered(registration)
        )
        let device = SDKDevice(id: phone, platform: "ios", model: "iPhone17,1")
        _ = try await client.store.ingest(
            [
                IngestRequest(
                    workspace: client.workspace,
                    source: .device(device, app: client.app.id),
                    items: [item]
                )
            ],
            now: APIClient.now
        )
    }

    /// What is answered of a send, and of the newest launch of its campaign, which is the same.
    private func why(
        _ send: Send,
        of campaign: Campaign,
        _ user: String,
        _ client: APIClient
    ) async throws -> JSONValue {
        let name = "external_id=\(user)"
        let answer = try await client.get(
            "/messages/why?dispatch_id=\(send.dispatchName)&\(name)"
        ).body
        let whole = try await client.get(
            "/campaigns/why?campaign_id=\(campaign.apiID.uuidString)&\(name)"
        ).body
        var launch = try #require(whole["launches"]?.arrayValue?.first?.objectValue, "\(whole)")
        launch["message"] = "success"
        #expect(answer == .object(launch))
        return answer
    }

    /// The answers of a campaign for one user.
    private func story(
        _ campaign: Campaign,
        _ user: String,
        _ client: APIClient
    ) async throws -> JSONValue {
        try await client.get(
            "/campaigns/why?campaign_id=\(campaign.apiID.uuidString)&external_id=\(user)"
        ).body
    }

    private static let now = JSONValue.string(Timestamp.format(APIClient.now))

    // MARK: Rules

    @Test("tells who is in the campaign's control group")
    func controlGroup() async throws {
        try await APIClient.run { client in
            let users = (0..<20).map { "user-\($0)" }
            try await register(users, client)
            let campaign = try await campaign(client) { $0.controlShare = 50 }
            let send = try await launch(campaign, users, client)
            var answers: Set<JSONValue> = []
            for user in users {
                let profile = try #require(try await client.profile(user))
                let entry = try await client.store.entry(of: profile.id, in: send.id)
                let isControl = try #require(entry).isControl
                let answer = try await why(send, of: campaign, user, client)
                #expect(answer["answer"] == (isControl ? "control_group" : "waiting"))
                #expect(answer["in_audience"] == true)
                #expect(answer["variant"] == (isControl ? .null : "A"))
                let device = try #require(answer["devices"]?.arrayValue?.first)
                #expect(device["reach"] == "reachable")
                #expect(device["state"] == (isControl ? .null : "queued"))
                let whole = try await story(campaign, user, client)
                #expect(whole["answer"] == answer["answer"])
                answers.insert(answer["answer"] ?? .null)
            }
            #expect(answers.count == 2)
        }
    }

    @Test("tells who is in the workspace's control group, also after it was given up")
    func workspaceControlGroup() async throws {
        try await APIClient.run { client in
            let users = (0..<20).map { "user-\($0)" }
            try await register(users, client)
            _ = try await client.post("/workspace/control_group/update", ["share": 50])
            let limits = try await client.store.limits(of: client.workspace)
            let group = try #require(limits.controlGroup)
            let campaign = try await campaign(client)
            let send = try await launch(campaign, users, client)
            for _ in 0..<2 {
                var answers: Set<JSONValue> = []
                for user in users {
                    let profile = try #require(try await client.profile(user))
                    let isControl = group.contains(profile.id)
                    let answer = try await why(send, of: campaign, user, client)
                    #expect(answer["answer"] == (isControl ? "excluded" : "waiting"))
                    #expect(answer["reason"] == (isControl ? "WorkspaceControlGroup" : .null))
                    #expect(answer["in_audience"] == true)
                    answers.insert(answer["answer"] ?? .null)
                }
                #expect(answers.count == 2)
                _ = try await client.post("/workspace/control_group/update", ["share": 0])
            }
        }
    }

    @Test("tells which messages a frequency cap has counted")
    func frequencyCap() async throws {
        try await APIClient.run { client in
            try await register(["ada", "bob"], client)
            try await client.store.saveLimits(
                MessagingLimits(caps: [FrequencyCap(messages: 1, days: 7)]),
                of: client.workspace
            )
            let campaign = try await campaign(client)
            let first = try await launch(campaign, ["ada"], client)
            try await deliver(client)
            let second = try await launch(campaign, ["ada", "bob"], client)
            let counted = try await why(second, of: campaign, "ada", client)
            #expect(counted["answer"] == "excluded")
            #expect(counted["reason"] == "FrequencyCap")
            #expect(counted["counted"] == [Self.now])
            #expect(counted["devices"]?.arrayValue?.map { $0["state"] } == [.null])
            let free = try await why(second, of: campaign, "bob", client)
            #expect(free["answer"] == "waiting")
            #expect(free["counted"] == [])
            // The campaign has reached the user, whatever came of the launch after that.
            let whole = try await story(campaign, "ada", client)
            #expect(whole["answer"] == "accepted")
            #expect(whole["time"] == Self.now)
            #expect(
                whole["launches"]?.arrayValue?.map { $0["dispatch_id"] }
                    == [second, first].map { .string($0.dispatchName) }
            )
        }
    }

    // MARK: The course of a send

    @Test("tells that a message waits until its send goes on, and when it was due")
    func paused() async throws {
        try await APIClient.run { client in
            try await register(["ada"], client)
            let campaign = try await campaign(client)
            let send = try await launch(campaign, ["ada"], client)
            #expect(
                try await client.store.control(send.id, .pause, noting: nil, now: APIClient.now)
            )
            let answer = try await why(send, of: campaign, "ada", client)
            #expect(answer["answer"] == "paused")
            #expect(answer["time"] == Self.now)
            #expect(answer["devices"]?.arrayValue?.map { $0["state"] } == ["queued"])
            #expect(try await story(campaign, "ada", client)["answer"] == "paused")
            #expect(
                try await client.store.control(send.id, .resume, noting: nil, now: APIClient.now)
            )
            #expect(try await why(send, of: campaign, "ada", client)["answer"] == "waiting")
        }
    }

    @Test("tells of a phone that another user has now, and nothing of that user's phone")
    func phoneOfAnother() async throws {
        try await APIClient.run { client in
            let phone = UUID()
            try await logIn("ada", on: phone, client)
            let campaign = try await campaign(client)
            let send = try await launch(campaign, ["ada"], client)
            try await deliver(client)
            let before = try await why(send, of: campaign, "ada", client)
            #expect(before["answer"] == "accepted")
            #expect(before["devices"]?.arrayValue?.first?["model"] == "iPhone17,1")
            try await logIn("bob", on: phone, client)
            let after = try await why(send, of: campaign, "ada", client)
            #expect(after["answer"] == "accepted")
            #expect(after["time"] == before["time"])
            #expect(
                after["devices"] == [
                    [
                        "platform": .null, "model": .null, "reach": "not_theirs",
                        "state": "accepted", "reason": .null,
                    ]
                ]
            )
            let other = try await client.get(
                "/messages/why?dispatch_id=\(send.dispatchName)&external_id=bob"
            ).body
            #expect(other["answer"] == "not_in_audience")
            #expect(other["devices"]?.arrayValue?.map { $0["reach"] } == ["reachable"])
            #expect(other["devices"]?.arrayValue?.map { $0["state"] } == [.null])
            #expect(try await story(campaign, "bob", client)["answer"] == "not_triggered")
        }
    }

    @Test("tells that who got a message is no longer kept")
    func removed() async throws {
        try await APIClient.run { client in
            try await register(["ada"], client)
            let campaign = try await campaign(client)
            let send = try await launch(campaign, ["ada"], client)
            try await deliver(client)
            #expect(try await why(send, of: campaign, "ada", client)["answer"] == "accepted")
            let later = APIClient.now.addingTimeInterval(86_400)
            while try await !client.store.removeRows(
                .dispatches,
                in: client.workspace,
                olderThan: later,
                lookingAt: 10,
                now: later
            ).isLast {}
            let answer = try await why(send, of: campaign, "ada", client)
            #expect(answer["answer"] == "rows_removed")
            #expect(answer["time"] == .null)
            #expect(answer["in_audience"] == true)
            #expect(answer["devices"]?.arrayValue?.map { $0["state"] } == [.null])
            #expect(try await story(campaign, "ada", client)["answer"] == "rows_removed")
        }
    }
}
