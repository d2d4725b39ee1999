import Accounts
import Foundation
import Model
import Ports
import Retention
import Server
import Testing

@Suite("Settings of a workspace")
struct WorkspaceSettingsTests {
    private static let page = "/console/settings/workspace"

    private static let fields = [
        "name": "Tea House", "time_zone": "Asia/Tokyo", "currency": "jpy",
        "languages": "ja, en", "color": "teal",
    ]

    @Test("what an administrator saves holds at once, on every page and in the store")
    func saving() async throws {
        try await ConsoleSession.open { console in
            let answer = try await console.post(Self.page, Self.fields)
            #expect(answer.contains("The workspace is saved."))
            #expect(answer.contains(#"data-color="teal""#))
            let settings = try await console.server.store.workspace(console.workspace)?.settings
            #expect(
                settings
                    == WorkspaceSettings(
                        name: "Tea House",
                        timeZone: "Asia/Tokyo",
                        currency: "JPY",
                        languages: ["ja", "en"],
                        color: .teal
                    )
            )
            let log = try await console.server.store.audit(
                in: console.workspace,
                matching: AuditQuery()
            ).records
            #expect(log.first?.action == "workspace_changed")
            #expect(log.first?.detail.contains("currency: USD → JPY") == true)
        }
    }

    @Test(
        "a setting that cannot be used is named at its field, and nothing is changed",
        arguments: [
            ("name", " "), ("name", String(repeating: "茶", count: 101)),
            ("time_zone", "Mars/Olympus"), ("time_zone", "GMT+25"), ("currency", "YEN!"),
            ("languages", "english"), ("name", "Taken"), ("record_id_days", "29"),
            ("audit_days", "a year"), ("audit_days", "-1"),
            ("custom_event_days", "29"), ("session_days", "29"), ("in_app_report_days", "29"),
            ("push_report_days", "29"), ("dispatch_days", "89"), ("dispatch_days", "90"),
        ]
    )
    func refusals(field: String, value: String) async throws {
        try await ConsoleSession.open { console in
            var fields = Self.fields
            fields[field] = value
            _ = try await console.server.store.createWorkspace(
                name: "Taken",
                timeZone: "Asia/Tokyo",
                now: Date()
            )
            let before = try await console.server.store.workspace(console.workspace)
            let answer = try await console.post(Self.page, fields)
            #expect(answer.contains(#"class="fault""#))
            #expect(answer.contains(#"aria-invalid="true""#))
            #expect(try await console.server.store.workspace(console.workspace) == before)
        }
    }

    @Test("the periods of a workspace are saved, shown and, if empty, for ever")
    func retention() async throws {
        // The first look, at the start, finds nothing; the second one would come too early.
        var dependencies = ServerDependencies.live
        dependencies.retention.look = .seconds(86_400)
        try await ConsoleSession.open(dependencies: dependencies) { console in
            var fields = Self.fields
            fields["record_id_days"] = " 90 "
            fields["audit_days"] = "400"
            _ = try await console.post(Self.page, fields)
            func stored() async throws -> RetentionPeriods? {
                try await console.server.store.workspace(console.workspace)?.settings.retention
            }
            #expect(try await stored() == RetentionPeriods(recordIDs: 90, audit: 400))
            #expect(try await console.get(Self.page).contains(#"name="audit_days" value="400""#))
            let system = try await console.get("/console/settings/system")
            #expect(system.contains("90 days") && system.contains("400 days"))
            #expect(system.contains("begins soon"))
            _ = try await console.post(Self.page, Self.fields)
            #expect(try await stored() == RetentionPeriods())
            #expect(try await console.get("/console/settings/system").contains("for ever"))
        }
    }

    @Test("two changes at once are both kept")
    func together() async throws {
        try await ConsoleSession.open { console in
            let service = WorkspaceService(store: console.server.store, now: { Date() })
            let actor = Actor.commandLine(account: "root", console.workspace)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await service.change(by: actor) { $0.name = "Tea House" } }
                group.addTask { _ = try await service.change(by: actor) { $0.currency = "JPY" } }
                try await group.waitForAll()
            }
            let settings = try await console.server.store.workspace(console.workspace)?.settings
            #expect(settings?.name == "Tea House")
            #expect(settings?.currency == "JPY")
        }
    }

    @Test("a campaign keeps the clock that it was made with, also when it is edited later")
    func campaignClock() async throws {
        try await ConsoleSession.open { console in
            let fields = [
                "name": "Autumn", "v0.message": "Leaves", "audience": "everyone",
                "delivery": "scheduled", "day": "2031-09-21", "time": "09:30",
                "clock": "workspace", "repeats": "daily",
            ]
            let new = "/console/campaigns/new"
            try await console.post("/console/campaigns/save", fields, tokenFrom: new)
            func clock() async throws -> ScheduleTimeZone? {
                let found = try await console.server.store.campaigns(
                    in: console.workspace,
                    matching: CampaignQuery()
                )
                guard case .scheduled(let schedule)? = found.campaigns.first?.content.delivery
                else { return nil }
                return schedule.clock
            }
            #expect(try await clock() == .zone("Asia/Tokyo"))
            var settings = Self.fields
            settings["time_zone"] = "America/Sao_Paulo"
            _ = try await console.post(Self.page, settings)
            let edit = "/console/campaigns/1/edit"
            let page = try await console.get(edit)
            #expect(page.contains(#"<option value="Asia/Tokyo" selected>"#))
            var changed = fields
            changed["clock"] = "Asia/Tokyo"
            for name in ["draft", "window", "seen", "subject", "version"] {
                guard let start = page.range(of: "name=\"\(name)\" value=\"") else { continue }
                changed[name] = String(page[start.upperBound...].prefix { $0 != "\"" })
            }
            changed["note"] = "once more"
            try await console.post("/console/campaigns/save", changed, tokenFrom: edit)
            #expect(try await clock() == .zone("Asia/Tokyo"))
            let detail = try await console.get("/console/campaigns/1")
            #expect(detail.contains("9:30\u{202F}AM Asia/Tokyo") || detail.contains("Asia/Tokyo"))
            #expect(!detail.contains("AM GMT"))
        }
    }

    @Test("every time of day in the console says its zone")
    func zones() async throws {
        try await ConsoleSession.open { console in
            _ = try await console.post(Self.page, Self.fields)
            #expect(try await console.get(Self.page).contains("GMT+9"))
        }
    }
}

@Suite("Passwords in the console")
struct PasswordConsoleTests {
    private static let former = "a long enough password"
    private static let another = "quite another password"

    @Test("a member changes the own password: the session stays, the former one opens nothing")
    func ownPassword() async throws {
        try await ConsoleSession.open { console in
            let answer = try await console.post(
                "/console/account",
                ["present": Self.former, "password": Self.another, "again": Self.another]
            )
            #expect(answer.contains("Your password is changed."))
            let accounts = console.server.accounts
            #expect(
                try await accounts.signIn(email: "hanae@example.com", password: Self.former) == nil
            )
            #expect(
                try await accounts.signIn(email: "hanae@example.com", password: Self.another) != nil
            )
        }
    }

    @Test("who does not know the present password, or mistypes the new one, changes nothing")
    func refusals() async throws {
        try await ConsoleSession.open { console in
            for fields in [
                ["present": "not the password", "password": Self.another, "again": Self.another],
                ["present": Self.former, "password": Self.another, "again": "something else"],
                ["present": Self.former, "password": "short", "again": "short"],
                ["present": Self.former, "password": Self.former, "again": Self.former],
            ] {
                let answer = try await console.post("/console/account", fields)
                #expect(answer.contains(#"class="fault""#), "\(fields)")
                #expect(!answer.contains(Self.another))
            }
            let signedIn = try await console.server.accounts.signIn(
                email: "hanae@example.com",
                password: Self.former
            )
            #expect(signedIn != nil)
        }
    }

    @Test("a short password of a new member is refused and never written back")
    func newMember() async throws {
        try await ConsoleSession.open { console in
            let answer = try await console.post(
                "/console/settings/team",
                [
                    "name": "Ana", "email": "ana@example.com", "password": "short!",
                    "role": "viewer",
                ]
            )
            #expect(answer.contains(#"<p class="fault">At least 10 characters.</p>"#))
            #expect(answer.contains(#"value="ana@example.com""#))
            #expect(!answer.contains("short!"))
            let members = try await console.server.members.members(in: console.workspace)
            #expect(members.count == 1)
        }
    }

    @Test("an administrator's link lets a member choose a password, once")
    func link() async throws {
        try await ConsoleSession.open { console in
            let accounts = console.server.accounts
            let member = try await console.server.members.add(
                MemberDirectory.Draft(
                    email: "kenji@example.com",
                    name: "Kenji Abe",
                    role: .viewer,
                    password: Self.former
                ),
                by: .commandLine(account: "test", console.workspace)
            ).member
            let answer = try await console.post(
                "/console/settings/team/\(member.id)/password-link",
                [:],
                tokenFrom: "/console/settings/team"
            )
            let start = try #require(answer.range(of: "/console/password/"))
            let path = "/console/password/" + answer[start.upperBound...].prefix { $0 != "<" }
            #expect(try await console.get(path).contains("kenji@example.com"))
            let own = try await console.post(
                "/console/settings/team/1/password-link",
                [:],
                tokenFrom: "/console/settings/team"
            )
            #expect(!own.contains("/console/password/"))
            let chosen = ["password": Self.another, "again": Self.another]
            let done = try await console.post(path, chosen)
            #expect(done.contains("Your new password is saved."))
            #expect(
                try await accounts.signIn(email: "kenji@example.com", password: Self.another) != nil
            )
            let again = try await console.post(
                path,
                ["password": "a third password", "again": "a third password"]
            )
            #expect(again.contains("has been used or has expired"))
            #expect(
                try await accounts.signIn(email: "kenji@example.com", password: Self.another) != nil
            )
            let page = try await console.get("/console/settings/audit")
            #expect(page.contains("Password chosen by link"))
        }
    }
}
