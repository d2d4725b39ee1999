import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Relational
import StoreTesting
import Testing

@testable import StoreSQL

/// A user who has been deleted on request has left no trace in any table.
@Suite("Forgotten users")
struct ForgottenUserTests {
    /// Everything that only this user has; each is put into the rows below.
    private struct Traces {
        let installation = UUID()
        let anonymous = UUID()
        let texts = [
            "trace-external", "trace-former", "trace-alias", "trace-label", "trace@example.com",
            "+491700000001", "trace-first", "trace-city", "trace-custom", "trace-property",
            "trace-product", "trace-token", "trace-model", "trace-message", "trace-trigger",
        ]

        var all: [String] { texts + [installation, anonymous].map(Self.hexadecimal) }

        static func hexadecimal(_ id: UUID) -> String {
            withUnsafeBytes(of: id.uuid) { bytes in
                bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            }
        }
    }

    /// A value of a row that says who somebody is.
    private struct Finding: Hashable, CustomStringConvertible {
        var table: String
        var column: String
        var trace: String

        var description: String { "\(table).\(column) has \(trace)" }
    }

    private func findings(
        _ traces: [String],
        of profile: Int64,
        in path: String
    ) async throws -> Set<Finding> {
        try await SQLStore.testing(at: path).read { database in
            var findings: Set<Finding> = []
            let tables = try String.fetchAll(
                database,
                sql: database.kind == .sqlite
                    ? "SELECT name FROM sqlite_master WHERE type = 'table'"
                    : """
                    SELECT table_name FROM information_schema.tables
                    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
                    """
            )
            for table in tables {
                let rows = try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\"")
                for (column, value) in rows.flatMap({ zip($0.columnNames, $0.databaseValues) }) {
                    let text: String
                    switch value {
                    case .text(let string): text = string
                    case .bytes(let data):
                        text = data.map { String(format: "%02x", $0) }.joined()
                    case .integer(let number):
                        if column == "profile_id", number == profile {
                            findings.insert(
                                Finding(table: table, column: column, trace: "the number")
                            )
                        }
                        continue
                    case .double, .null: continue
                    }
                    for trace in traces where text.contains(trace) {
                        findings.insert(Finding(table: table, column: column, trace: trace))
                    }
                }
            }
            return findings
        }
    }

    @Test("leave no trace in any table")
    func deletion() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let traces = Traces()
            let profile = try await tell(traces, world)
            try await message(traces, profile, world)
            let before = try await findings(traces.all, of: profile.rawValue, in: world.path)
            let known = Set(before.map(\.trace))
            #expect(known == Set(traces.all + ["the number"]), "the test does not write them all")
            let tables = Set(before.map(\.table))
            let expected: Set<String> = [
                "profiles", "aliases", "former_external_ids", "devices", "events", "dispatches",
                "push_interactions", "in_app_message_interactions", "campaign_entries",
                "pending_triggers", "send_recipients", "send_properties", "news_reads",
                "user_list_members", "withheld_messages",
            ]
            #expect(expected.subtracting(tables).sorted() == [])

            // Whoever asks what is stored of them gets all of it.
            let exported = try await world.store.rows(of: profile)
            let text = String(decoding: try JSONEncoder().encode(exported), as: UTF8.self)
                .replacingOccurrences(of: "-", with: "").lowercased()
            for trace in traces.all {
                #expect(text.contains(trace.replacingOccurrences(of: "-", with: "")), "\(trace)")
            }
            let parts: [String: String] = [
                "profiles": "profile", "dispatches": "messages", "user_list_members": "lists",
            ]
            for table in expected {
                #expect(exported[parts[table] ?? table]?.isEmpty == false, "\(table)")
            }

            let deleted = try await world.store.deleteUsers(
                [profile],
                in: world.workspace,
                noting: nil,
                now: world.now
            )
            #expect(deleted == 1)
            let after = try await findings(traces.all, of: profile.rawValue, in: world.path)
            // The note that somebody is gone; without it the columns in memory would keep them.
            #expect(Set(after.map(\.table)).subtracting(["profile_changes"]).sorted() == [])
            // Another user's rows stay.
            #expect(try await world.store.userCounts(in: world.workspace).users == 1)
        }
    }

    @Test("leave their messages counted on the platforms they went to, whoever had the device")
    func platforms() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            let platforms = ["ios", "android", "web"]
            for platform in platforms { try await world.user(platform, platform: platform) }
            let lent = try await world.user("lent", platform: "android")
            let campaign = try await world.activate(CampaignFixture.content(.apiTriggered))
            _ = try await world.service.trigger(
                campaign,
                CampaignTriggerRequest(audience: .everyone),
                by: world.actor
            )
            _ = try await world.settle()
            func sent() async throws -> [String: Int] {
                let figures = try await CampaignReports(store: world.store).figures(of: campaign)
                return Dictionary(
                    figures.variants.map { ($0.platform.rawValue, $0.sent) },
                    uniquingKeysWith: +
                )
            }
            let before = try await sent()
            #expect(before == ["ios": 1, "android": 2, "web": 1])

            // Somebody else takes a phone and is deleted with it: the message was not theirs.
            let device = try #require(try await world.store.devices(of: lent).first)
            let thief = try await world.take(device, as: "thief")
            #expect(
                try await world.store.deleteUsers(
                    [thief],
                    in: world.workspace,
                    noting: nil,
                    now: world.now
                ) == 1
            )
            #expect(try await sent() == before)
            for name in platforms + ["lent"] {
                let profile = try await world.store.profile(.external(name), in: world.workspace)
                _ = try await world.store.deleteUsers(
                    [try #require(profile).id],
                    in: world.workspace,
                    noting: nil,
                    now: world.now
                )
                #expect(try await sent() == before, "\(name)")
            }
        }
    }

    /// Rows of everything a user can be known by and can do.
    private func tell(_ traces: Traces, _ world: CampaignFixture) async throws -> ProfileID {
        try await world.user("ben")
        func item(_ content: IngestItem.Content) -> IngestItem {
            IngestItem(
                recordID: UUID(),
                user: .external("trace-former"),
                time: world.now,
                content: content
            )
        }
        var device = SDKDevice(id: traces.installation, platform: "ios")
        device.model = "trace-model"
        _ = try await world.store.ingest(
            [
                IngestRequest(
                    workspace: world.workspace,
                    source: .device(device, app: world.app.id),
                    items: [
                        IngestItem(
                            recordID: UUID(),
                            user: .anonymous(traces.anonymous),
                            time: world.now,
                            content: .sessionStarted
                        ),
                        item(.userChanged(previous: .anonymous(traces.anonymous))),
                        item(
                            .attributes(
                                AttributeChanges([
                                    "email": "trace@example.com", "phone": "+491700000001",
                                    "first_name": "trace-first", "home_city": "trace-city",
                                    "note": ["deep": ["trace-custom"]],
                                ])
                            )
                        ),
                        item(.event(name: "brewed", properties: ["kind": "trace-property"])),
                        item(
                            .purchase(
                                product: "trace-product",
                                currency: "EUR",
                                price: 1,
                                quantity: 1,
                                properties: [:]
                            )
                        ),
                        item(
                            .pushRegistered(
                                PushRegistration(
                                    provider: .apns,
                                    token: "trace-token",
                                    authorization: .authorized,
                                    registeredAt: world.now
                                )
                            )
                        ),
                        item(
                            .inAppMessage(.init(kind: .impression, message: "trace-message"))
                        ),
                    ]
                )
            ],
            now: world.now
        )
        let outcomes = try await world.store.apply(
            [
                .renameExternalID(from: "trace-former", to: "trace-external"),
                .addAlias(name: "trace-alias", label: "trace-label", externalID: "trace-external"),
            ],
            in: world.workspace,
            now: world.now
        )
        #expect(outcomes == [.done, .done])
        let found = try await world.store.profile(
            .external("trace-external"),
            in: world.workspace
        )
        let profile = try #require(found).id
        _ = try await world.store.saveUserList(
            named: "Summer",
            profiles: [profile],
            author: "Ada",
            in: world.workspace,
            noting: nil,
            now: world.now
        )
        var news = NewsContent(title: "We are open", text: "From Monday on")
        news.isDraft = false
        let published = try await world.store.createNews(
            news,
            author: "Ada",
            in: world.workspace,
            now: world.now
        )
        try await world.event(
            "news_read",
            by: "trace-external",
            ["news_id": .string("\(published.id)")]
        )
        return profile
    }

    /// Messages of campaigns: delivered, withheld, about to be triggered, and picked for later.
    private func message(
        _ traces: Traces,
        _ profile: ProfileID,
        _ world: CampaignFixture
    ) async throws {
        _ = try await world.activate(
            CampaignFixture.content(
                .actionBased(
                    EventTrigger(event: EventMatch(.custom(name: "poured")))
                )
            )
        )
        _ = try await world.activate(
            CampaignFixture.content(
                .actionBased(
                    EventTrigger(event: EventMatch(.custom(name: "poured")), delay: 3600)
                )
            )
        )
        try await world.event("poured", by: "trace-external", ["cup": "trace-trigger"])
        let sent = try await world.settle()
        let push = try #require(sent.first { $0.user == "trace-external" })
        _ = try await world.store.ingest(
            [
                IngestRequest(
                    workspace: world.workspace,
                    source: .device(
                        SDKDevice(id: traces.installation, platform: "ios"),
                        app: world.app.id
                    ),
                    items: [
                        IngestItem(
                            recordID: UUID(),
                            user: .external("trace-external"),
                            time: world.now,
                            content: .pushInteraction(
                                .init(
                                    kind: .opened,
                                    dispatch: try #require(
                                        UUID(uuidString: "00000000-0000-0000-0000-000000000000")
                                    ),
                                    pushNumber: push.send.rawValue
                                )
                            )
                        )
                    ]
                )
            ],
            now: world.now
        )
        try await world.keepControlGroup(with: profile)
        _ = try await world.activate(CampaignFixture.content(.immediately))
        try await world.settle()
        var picked = SendContent(message: PushMessage(body: "Tea?"), audience: .everyone)
        picked.extraction = .whenScheduled
        let send = try await world.store.createSend(
            picked,
            in: world.workspace,
            scheduledAt: world.now.addingTimeInterval(86_400),
            now: world.now
        )
        let snapshotContains = try await world.store.list(
            [profile],
            asRecipientsOf: send.id,
            after: nil,
            isComplete: true
        )
        #expect(snapshotContains)
    }
}
