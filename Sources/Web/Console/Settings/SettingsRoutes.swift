import Foundation
import Hummingbird
import WebPages

/// The settings: apps with their credentials, keys, team and audit log; for administrators.
struct SettingsRoutes: Sendable {
    private let site: ConsoleSite
    private let gate: Gate

    init(site: ConsoleSite) {
        self.site = site
        gate = Gate(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let tabs = SettingsTab.available(site.features)
        guard let first = tabs.first else { return }
        router.get(
            RouterPath(ConsolePath.settings.path),
            use: gate.member(.administrator) { _, _ in
                PageAnswer.redirect(to: first.path.path)
            }
        )
        if let apps = site.features.apps {
            addApps(apps, to: router)
            addCredentialTest(apps, to: router)
        }
        if let keys = site.features.keys { addKeys(keys, to: router) }
        if let team = site.features.team {
            addTeam(team, to: router)
            addTeamSteps(team, to: router)
        }
        if let limits = site.features.limits { addLimits(limits, to: router) }
        if let audit = site.features.audit {
            router.get(
                RouterPath(ConsolePath.auditLog.path),
                use: gate.member(.administrator) { visit, _ in
                    let query = AuditLogQuery(fields: visit.query)
                    let list = try await audit.auditLog(query, for: visit.member)
                    let authors = try await audit.auditAuthors(for: visit.member)
                    return try page(
                        "settings-audit",
                        .audit,
                        visit,
                        AuditPage(list, authors: authors, query: query, visit: visit)
                    )
                }
            )
        }
    }

    private func addLimits<Context: RequestContext>(
        _ limits: any LimitPages,
        to router: some RouterMethods<Context>
    ) {
        @Sendable func show(
            _ form: LimitsForm,
            _ visit: Visit,
            _ rejected: SettingsRejected? = nil
        ) throws -> Response {
            let content = LimitsPage(form, rejected: rejected)
            return try page("settings-limits", .limits, visit, content, isWrong: rejected != nil)
        }
        router.get(
            RouterPath(ConsolePath.limits.path),
            use: gate.member(.administrator) { visit, _ in
                try show(LimitsForm(try await limits.limits(for: visit.member)), visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.limits.path),
            use: gate.member(.administrator) { visit, _ in
                let form = LimitsForm(fields: visit.form)
                do {
                    let rules = try form.checked(visit.words)
                    try await limits.saveLimits(rules, for: visit.member)
                    let caps = rules.caps.map { "\($0.messages)/\($0.days)" }
                    try await site.record(
                        .settingsSaved,
                        visit.words("settings.limits"),
                        detail: caps.joined(separator: ", "),
                        visit
                    )
                    return PageAnswer.redirect(to: Notice.limitsSaved.address(.limits))
                } catch let rejected as SettingsRejected {
                    return try show(form, visit, rejected)
                }
            }
        )
    }

    private func addApps<Context: RequestContext>(
        _ apps: any AppPages,
        to router: some RouterMethods<Context>
    ) {
        router.get(
            RouterPath(ConsolePath.apps.path),
            use: gate.member(.administrator) { visit, _ in try await appList(apps, visit) }
        )
        router.post(
            RouterPath(ConsolePath.apps.path),
            use: gate.member(.administrator) { visit, _ in
                let form = visit.form
                do {
                    try requireTexts(["name", "identifier"], visit)
                    let draft = NewApp(
                        name: form["name"],
                        platform: AppPlatform(rawValue: form["platform"]) ?? .ios,
                        identifier: form["identifier"].trimmingCharacters(in: .whitespaces)
                    )
                    try await apps.addApp(draft, for: visit.member)
                    try await site.record(.appAdded, draft.name, detail: draft.identifier, visit)
                    return PageAnswer.redirect(to: Notice.appAdded.address(.apps))
                } catch let rejected as SettingsRejected {
                    return try await appList(apps, visit, rejected: rejected)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.appCredentials(":app").path),
            use: gate.member(.administrator) { visit, parameters in
                let app = try parameters.require("app", as: Int64.self)
                do {
                    let upload = try CredentialForm(visit).upload()
                    try await apps.saveCredentials(upload, app: app, for: visit.member)
                    try await site.record(
                        .credentialsSaved,
                        "#\(app)",
                        detail: visit.form["kind"],
                        visit
                    )
                    return PageAnswer.redirect(to: Notice.credentialsSaved.address(.apps))
                } catch let rejected as SettingsRejected {
                    return try await appList(apps, visit, rejected: rejected, app: app)
                }
            }
        )
    }

    private func addCredentialTest<Context: RequestContext>(
        _ apps: any AppPages,
        to router: some RouterMethods<Context>
    ) {
        router.post(
            RouterPath(ConsolePath.testCredentials(":app").path),
            use: gate.member(.administrator) { visit, parameters in
                let app = try parameters.require("app", as: Int64.self)
                let results = try await apps.testCredentials(app: app, for: visit.member)
                return try await appList(apps, visit, tested: (app, results))
            }
        )
    }

    private func appList(
        _ apps: any AppPages,
        _ visit: Visit,
        rejected: SettingsRejected? = nil,
        app: Int64? = nil,
        tested: (app: Int64, results: [CredentialResult])? = nil
    ) async throws -> Response {
        let list = try await apps.apps(for: visit.member)
        let content = AppsPage(
            list,
            rejected: rejected,
            rejectedApp: app,
            tested: tested,
            visit: visit
        )
        return try page("settings-apps", .apps, visit, content, isWrong: rejected != nil)
    }

    private func addKeys<Context: RequestContext>(
        _ keys: any KeyPages,
        to router: some RouterMethods<Context>
    ) {
        router.get(
            RouterPath(ConsolePath.apiKeys.path),
            use: gate.member(.administrator) { visit, _ in try await keyList(keys, visit) }
        )
        router.post(
            RouterPath(ConsolePath.apiKeys.path),
            use: gate.member(.administrator) { visit, _ in
                do {
                    try requireTexts(["name"], visit)
                    let permissions = visit.form.all("permission")
                    guard !permissions.isEmpty else {
                        throw SettingsRejected(
                            field: "permissions",
                            text: visit.words("fault.permissions")
                        )
                    }
                    let secret = try await keys.createAPIKey(
                        name: visit.form["name"].trimmingCharacters(in: .whitespaces),
                        permissions: permissions,
                        addresses: visit.form["addresses"]
                            .split { $0.isWhitespace || $0 == "," }.map(String.init),
                        for: visit.member
                    )
                    try await site.record(
                        .keyCreated,
                        visit.form["name"],
                        detail: permissions.joined(separator: ", "),
                        visit
                    )
                    return try await keyList(keys, visit, secret: secret)
                } catch let rejected as SettingsRejected {
                    return try await keyList(keys, visit, rejected: rejected)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.revokeAPIKey.path),
            use: gate.member(.administrator) { visit, _ in
                try await keys.revokeAPIKey(name: visit.form["name"], for: visit.member)
                try await site.record(.keyRevoked, visit.form["name"], visit)
                return PageAnswer.redirect(to: Notice.keyRevoked.address(.apiKeys))
            }
        )
    }

    private func keyList(
        _ keys: any KeyPages,
        _ visit: Visit,
        secret: String? = nil,
        rejected: SettingsRejected? = nil
    ) async throws -> Response {
        let content = KeysPage(
            try await keys.apiKeys(for: visit.member),
            permissions: keys.apiPermissions(),
            secret: secret,
            rejected: rejected,
            visit: visit
        )
        return try page("settings-keys", .keys, visit, content, isWrong: rejected != nil)
    }

    private func addTeam<Context: RequestContext>(
        _ team: any TeamPages,
        to router: some RouterMethods<Context>
    ) {
        router.get(
            RouterPath(ConsolePath.team.path),
            use: gate.member(.administrator) { visit, _ in try await teamList(team, visit) }
        )
        router.post(
            RouterPath(ConsolePath.team.path),
            use: gate.member(.administrator) { visit, _ in
                let form = visit.form
                do {
                    try requireTexts(["name", "email", "password"], visit)
                    guard form["password"].count >= 10 else {
                        throw SettingsRejected(
                            field: "password",
                            text: visit.words("fault.password")
                        )
                    }
                    try await team.addMember(
                        name: form["name"].trimmingCharacters(in: .whitespaces),
                        email: form["email"].trimmingCharacters(in: .whitespaces),
                        password: form["password"],
                        role: MemberRole(rawValue: form["role"]) ?? .viewer,
                        for: visit.member
                    )
                    try await site.record(
                        .memberAdded,
                        form["email"],
                        detail: form["role"],
                        visit
                    )
                    return PageAnswer.redirect(to: Notice.memberAdded.address(.team))
                } catch let rejected as SettingsRejected {
                    return try await teamList(team, visit, rejected: rejected)
                }
            }
        )
    }

    /// Roles and removals; nobody changes themselves, so that an administrator stays.
    private func addTeamSteps<Context: RequestContext>(
        _ team: any TeamPages,
        to router: some RouterMethods<Context>
    ) {
        @Sendable func other(_ visit: Visit, _ parameters: Parameters) throws -> Int64 {
            let id = try parameters.require("member", as: Int64.self)
            guard id != visit.member.id else { throw PageProblem.notAllowed }
            return id
        }
        router.post(
            RouterPath(ConsolePath.memberRole(":member").path),
            use: gate.member(.administrator) { visit, parameters in
                let id = try other(visit, parameters)
                guard let role = MemberRole(rawValue: visit.form["role"]),
                    try await team.setRole(role, ofMember: id, for: visit.member)
                else { throw PageProblem.notFound }
                try await site.record(
                    .memberChanged,
                    visit.form["email"],
                    detail: role.rawValue,
                    visit
                )
                return PageAnswer.redirect(to: Notice.memberChanged.address(.team))
            }
        )
        router.post(
            RouterPath(ConsolePath.removeMember(":member").path),
            use: gate.member(.administrator) { visit, parameters in
                let id = try other(visit, parameters)
                guard try await team.removeMember(id: id, for: visit.member) else {
                    throw PageProblem.notFound
                }
                try await site.record(.memberRemoved, visit.form["email"], visit)
                return PageAnswer.redirect(to: Notice.memberRemoved.address(.team))
            }
        )
    }

    private func teamList(
        _ team: any TeamPages,
        _ visit: Visit,
        rejected: SettingsRejected? = nil
    ) async throws -> Response {
        let members = try await team.members(for: visit.member)
        let content = TeamPage(members, rejected: rejected, visit: visit)
        return try page("settings-team", .team, visit, content, isWrong: rejected != nil)
    }

    private func requireTexts(_ fields: [String], _ visit: Visit) throws {
        for field in fields
        where visit.form[field].trimmingCharacters(in: .whitespaces).isEmpty {
            throw SettingsRejected(field: field, text: visit.words("fault.required"))
        }
    }

    private func page<Content>(
        _ template: String,
        _ tab: SettingsTab,
        _ visit: Visit,
        _ content: Content,
        isWrong: Bool = false
    ) throws -> Response {
        let tabs = SettingsTab.available(site.features).map { other in
            SettingsPage<Content>.Tab(
                label: visit.words(other.wordKey),
                address: other.path.path,
                isCurrent: other == tab
            )
        }
        return try site.page(
            template,
            SettingsPage(tabs: tabs, content: content),
            title: visit.words(tab.wordKey),
            place: .settings,
            visit: visit,
            status: isWrong ? .unprocessableContent : .ok
        )
    }
}

/// The settings' pages, in their order.
enum SettingsTab: CaseIterable {
    case apps, keys, team, limits, audit

    static func available(_ features: ConsoleFeatures) -> [SettingsTab] {
        allCases.filter { tab in
            switch tab {
            case .apps: features.apps != nil
            case .keys: features.keys != nil
            case .team: features.team != nil
            case .limits: features.limits != nil
            case .audit: features.audit != nil
            }
        }
    }

    var path: ConsolePath {
        switch self {
        case .apps: .apps
        case .keys: .apiKeys
        case .team: .team
        case .limits: .limits
        case .audit: .auditLog
        }
    }

    var wordKey: String {
        switch self {
        case .apps: "settings.apps"
        case .keys: "settings.keys"
        case .team: "settings.team"
        case .limits: "settings.limits"
        case .audit: "settings.audit"
        }
    }
}

/// One page of the settings with the tabs to the others.
struct SettingsPage<Content> {
    struct Tab {
        let label: String
        let address: String
        let isCurrent: Bool
    }

    let tabs: [Tab]
    let content: Content
}
