import Console
import Foundation
import Model

/// Settings kept in memory.
package actor SampleSettings: AppPages, KeyPages, TeamPages, LimitPages, AuditPages {
    private var list: [AppSettings] = []
    private var keys: [APIKeyRow] = []
    private var people: [TeamMember]
    private var log: [AuditEntry] = []
    private var rules = WorkspaceRules()
    private let now: Date

    package init(size: SampleSize, now: Date) {
        self.now = now
        people = [
            TeamMember(
                id: 1,
                name: "Hanae Mori",
                email: "admin@example.com",
                role: .administrator,
                lastSignedInAt: now
            )
        ]
        guard size != .empty else { return }
        rules = WorkspaceRules(
            caps: [CapRule(messages: 3, days: 7)],
            quietHours: QuietRule(start: "22:00", end: "08:00")
        )
        people.append(
            TeamMember(
                id: 2,
                name: "Paulo Reis",
                email: "paulo@example.com",
                role: .marketer,
                lastSignedInAt: now.addingTimeInterval(-7200)
            )
        )
        list = [
            AppSettings(
                id: 1,
                name: "Kissa Aoi",
                platform: .ios,
                identifier: "com.example.aoi",
                sdkKey: "sdk_5f0c2a7b91d84e31",
                credentials: [
                    CredentialSummary(
                        kind: .apnsCertificate,
                        description: "com.example.aoi, production",
                        expiresAt: now.addingTimeInterval(9 * 86_400),
                        warning: "The push certificate of com.example.aoi expires in 9 days."
                    )
                ]
            ),
            AppSettings(
                id: 3,
                name: "Kissa Aoi",
                platform: .web,
                identifier: "https://aoi.example",
                sdkKey: "sdk_33cc2a7b91d8ccee",
                credentials: []
            ),
            AppSettings(
                id: 2,
                name: "Kissa Aoi",
                platform: .android,
                identifier: "com.example.aoi",
                sdkKey: "sdk_11aa2a7b91d8ccee",
                credentials: []
            ),
        ]
        keys = [
            APIKeyRow(
                name: "shop backend",
                permissions: ["users.track", "messages.send"],
                addresses: ["203.0.113.0/24"],
                createdAt: now.addingTimeInterval(-40 * 86_400),
                lastUsedAt: now.addingTimeInterval(-60)
            )
        ]
        log = [
            AuditEntry(
                at: now,
                origin: .console,
                author: "Hanae Mori",
                action: AuditAction.pushSent.rawValue,
                subject: "#12",
                detail: "Saturday only"
            ),
            AuditEntry(
                at: now.addingTimeInterval(-3600),
                origin: .api,
                author: "shop backend",
                action: "messages.send",
                subject: "#11",
                detail: ""
            ),
        ]
    }

    package func apps(for member: ConsoleMember) async throws -> [AppSettings] { list }

    package func addApp(_ draft: NewApp, for member: ConsoleMember) async throws {
        guard !list.contains(where: { $0.name == draft.name }) else {
            throw SettingsRejected(field: "name", text: "There is already an app of this name.")
        }
        list.append(
            AppSettings(
                id: Int64(list.count + 1),
                name: draft.name,
                platform: draft.platform,
                identifier: draft.identifier,
                sdkKey: "sdk_new",
                credentials: []
            )
        )
    }

    package func saveCredentials(
        _ upload: CredentialUpload,
        app: Int64,
        for member: ConsoleMember
    ) async throws {
        guard let index = list.firstIndex(where: { $0.id == app }) else { return }
        switch upload {
        case .apnsKey(let p8, let keyID, let teamID):
            guard String(decoding: p8, as: UTF8.self).contains("PRIVATE KEY") else {
                throw SettingsRejected(field: "p8", text: "This file holds no private key.")
            }
            list[index].credentials.append(
                CredentialSummary(
                    kind: .apnsKey,
                    description: "\(keyID), \(teamID)",
                    expiresAt: nil
                )
            )
        case .apnsCertificate, .fcmAccount:
            throw SettingsRejected(field: "p12", text: "The certificate could not be read.")
        case .vapidKey(_, let contact, let site):
            list[index].credentials = [
                CredentialSummary(
                    kind: .vapidKey,
                    description: "BPk9, \(contact), \(site)",
                    expiresAt: nil
                )
            ]
        }
    }

    package func testCredentials(
        app: Int64,
        for member: ConsoleMember
    ) async throws -> [CredentialResult] {
        [
            CredentialResult(target: "APNs production", verdict: .works, detail: ""),
            CredentialResult(
                target: "APNs sandbox",
                verdict: .refused,
                detail: "The certificate is for the other environment."
            ),
        ]
    }

    package func credentialWarnings(
        for member: ConsoleMember
    ) async throws -> [CredentialWarning] {
        list.flatMap { app in
            app.credentials.compactMap(\.warning).map {
                CredentialWarning(app: app.name, text: $0)
            }
        }
    }

    package func apiKeys(for member: ConsoleMember) async throws -> [APIKeyRow] { keys }

    package nonisolated func apiPermissions() -> [String] {
        [
            "users.track", "users.delete", "users.export.ids", "messages.send",
            "campaigns.trigger.send", "*",
        ]
    }

    package func createAPIKey(
        name: String,
        permissions: [String],
        addresses: [String],
        for member: ConsoleMember
    ) async throws -> String {
        if let address = addresses.first(where: { !$0.contains(".") }) {
            throw SettingsRejected(
                field: "addresses",
                text: "'\(address)' is no internet address or range such as 10.0.0.0/8"
            )
        }
        keys.append(
            APIKeyRow(
                name: name,
                permissions: permissions,
                addresses: addresses,
                createdAt: now,
                lastUsedAt: nil
            )
        )
        return "nrs_7d1e5c9a04b84f0e9a51"
    }

    package func revokeAPIKey(name: String, for member: ConsoleMember) async throws {
        keys.removeAll { $0.name == name }
    }

    package func members(for member: ConsoleMember) async throws -> [TeamMember] { people }

    package func addMember(
        name: String,
        email: String,
        password: String,
        role: Member.Role,
        for member: ConsoleMember
    ) async throws {
        people.append(
            TeamMember(
                id: Int64(people.count + 1),
                name: name,
                email: email,
                role: role,
                lastSignedInAt: nil
            )
        )
    }

    package func setRole(
        _ role: Member.Role,
        ofMember id: Int64,
        for member: ConsoleMember
    ) async throws -> Bool {
        guard let index = people.firstIndex(where: { $0.id == id }) else { return false }
        people[index].role = role
        return true
    }

    package func removeMember(id: Int64, for member: ConsoleMember) async throws -> Bool {
        guard people.contains(where: { $0.id == id }) else { return false }
        people.removeAll { $0.id == id }
        return true
    }

    package func limits(for member: ConsoleMember) async throws -> WorkspaceRules { rules }

    package func saveLimits(_ limits: WorkspaceRules, for member: ConsoleMember) async throws {
        rules = limits
    }

    package func auditLog(
        _ query: AuditLogQuery,
        for member: ConsoleMember
    ) async throws -> AuditLogList {
        let found = log.filter { entry in
            (query.author == nil || entry.author == query.author)
                && (query.origin == nil || entry.origin == query.origin)
                && (query.text.isEmpty
                    || (entry.action + entry.subject + entry.detail)
                        .localizedCaseInsensitiveContains(query.text))
        }
        let page = found.dropFirst(query.page.offset).prefix(query.page.size)
        return AuditLogList(rows: Array(page), total: found.count)
    }

    package func auditAuthors(for member: ConsoleMember) async throws -> [String] {
        Set(log.map(\.author)).sorted()
    }

    package func record(
        _ action: AuditAction,
        subject: String,
        detail: String,
        for member: ConsoleMember
    ) async throws {
        log.insert(
            AuditEntry(
                at: Date(),
                origin: .console,
                author: member.name,
                action: action.rawValue,
                subject: subject,
                detail: detail
            ),
            at: 0
        )
    }
}

extension ConsoleFeatures {
    /// Every part of the console over made-up data.
    package static func samples(_ size: SampleSize, now: Date) -> ConsoleFeatures {
        let settings = SampleSettings(size: size, now: now)
        return ConsoleFeatures(
            campaigns: SampleCampaigns(size: size, now: now),
            content: SampleContent(size: size, now: now),
            inApp: SampleInApp(size: size, now: now),
            news: SampleNews(size: size, now: now),
            users: SampleUsers(size: size, now: now),
            why: SampleWhy(size: size, now: now),
            segments: SampleSegments(size: size, now: now),
            lists: SampleUserLists(size: size, now: now),
            events: SampleEvents(size: size, now: now),
            limits: settings,
            apps: settings,
            keys: settings,
            team: settings,
            audit: settings,
            system: settings
        )
    }
}

extension SampleSettings: SystemPages {
    package func system() async throws -> SystemState {
        SystemState(
            version: "1.2.3",
            audience: "ready",
            databaseBytes: 48_300_000,
            setAside: [
                .init(table: "events", number: 4711, reason: "the time 9e18 is no moment")
            ],
            setAsideTotal: 1
        )
    }
}
