import Accounts
import Audience
import Campaigns
import Foundation
import Hummingbird
import Model
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
        if let workspaces = site.features.workspaces {
            WorkspaceSettingsRoutes(site: site, workspaces: workspaces).add(to: router)
        }
        if let apps = site.features.apps {
            addApps(apps, to: router)
            addCredentialTest(apps, to: router)
        }
        if let keys = site.features.keys { addKeys(keys, to: router) }
        if let team = site.features.team {
            addTeam(team, to: router)
            addTeamSteps(team, to: router)
            if let accounts = site.features.accounts {
                addPasswordLinks(team, accounts, to: router)
            }
        }
        addLimits(to: router)
        addLanguages(to: router)
        router.get(
            RouterPath(ConsolePath.system.path),
            use: gate.member(.administrator) { visit, _ in
                try site.settingsPage(
                    "settings-system",
                    .system,
                    visit,
                    SystemPage(site.services.system(), visit: visit)
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.auditLog.path),
            use: gate.member(.administrator) { visit, _ in try await auditLog(visit) }
        )
    }

    private func auditLog(_ visit: Visit) async throws -> Response {
        let log = site.services.auditLog
        let query = AuditLogQuery(fields: visit.query)
        let found = try await log.records(
            in: visit.workspace,
            text: query.text,
            author: query.author,
            origin: query.origin,
            limit: query.page.size,
            offset: query.page.offset
        )
        let page = AuditPage(
            found.records,
            total: found.total,
            authors: try await log.authors(in: visit.workspace),
            query: query,
            visit: visit
        )
        return try site.settingsPage("settings-audit", .audit, visit, page)
    }

    private func addLimits<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let limits = site.services.limits
        @Sendable func show(
            _ form: LimitsForm,
            _ visit: Visit,
            _ rejected: SettingsRejected? = nil
        ) throws -> Response {
            let content = LimitsPage(form, rejected: rejected)
            return try site.settingsPage(
                "settings-limits",
                .limits,
                visit,
                content,
                isWrong: rejected != nil
            )
        }
        router.get(
            RouterPath(ConsolePath.limits.path),
            use: gate.member(.administrator) { visit, _ in
                try show(LimitsForm(try await limits.limits(of: visit.workspace)), visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.limits.path),
            use: gate.member(.administrator) { visit, _ in
                let form = LimitsForm(fields: visit.form)
                do {
                    var changed = try await limits.limits(of: visit.workspace)
                    try form.apply(to: &changed, visit.words)
                    try await limits.save(changed, by: visit.actor)
                    return PageAnswer.redirect(to: Notice.limitsSaved.address(.limits))
                } catch let rejected as SettingsRejected {
                    return try show(form, visit, rejected)
                }
            }
        )
    }

    private func addLanguages<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.languages.path),
            use: gate.member(.administrator) { visit, _ in
                var rows: [LanguagesPage.Row] = []
                let workspace = try await site.features.workspaces?
                    .workspace(visit.member.actor.workspace)
                for group in LanguageGroup.all(workspace?.settings) {
                    let found = try? await site.services.inspector
                        .find(group.condition, in: visit.workspace)
                    rows.append(LanguagesPage.Row(group, found: found, visit: visit))
                }
                return try site.settingsPage(
                    "settings-languages",
                    .languages,
                    visit,
                    LanguagesPage(rows: rows, visit: visit)
                )
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
        return try site.settingsPage(
            "settings-apps",
            .apps,
            visit,
            content,
            isWrong: rejected != nil
        )
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
        return try site.settingsPage(
            "settings-keys",
            .keys,
            visit,
            content,
            isWrong: rejected != nil
        )
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
                    try await team.addMember(
                        name: form["name"].trimmingCharacters(in: .whitespaces),
                        email: form["email"].trimmingCharacters(in: .whitespaces),
                        password: form["password"],
                        role: Member.Role(rawValue: form["role"]) ?? .viewer,
                        for: visit.member
                    )
                    try await site.record(
                        .memberAdded,
                        form["email"],
                        detail: form["role"],
                        visit
                    )
                    return PageAnswer.redirect(to: Notice.memberAdded.address(.team))
                } catch let problem as PasswordProblem {
                    let text = problem.text(in: visit.words)
                    let rejected = SettingsRejected(field: "password", text: text)
                    return try await teamList(team, visit, rejected: rejected)
                } catch let rejected as SettingsRejected {
                    return try await teamList(team, visit, rejected: rejected)
                }
            }
        )
    }

    /// Another member: nobody changes themselves, so that an administrator stays, and so that a
    /// session alone gives nobody the account.
    private func other(_ visit: Visit, _ parameters: Parameters) throws -> Int64 {
        let id = try parameters.require("member", as: Int64.self)
        guard id != visit.member.id else { throw PageProblem.notAllowed }
        return id
    }

    /// Roles and removals.
    private func addTeamSteps<Context: RequestContext>(
        _ team: any TeamPages,
        to router: some RouterMethods<Context>
    ) {
        router.post(
            RouterPath(ConsolePath.memberRole(":member").path),
            use: gate.member(.administrator) { visit, parameters in
                let id = try other(visit, parameters)
                guard let role = Member.Role(rawValue: visit.form["role"]),
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

    /// Links with which members choose a new password; shown once, to be sent by the administrator.
    private func addPasswordLinks<Context: RequestContext>(
        _ team: any TeamPages,
        _ accounts: AccountService,
        to router: some RouterMethods<Context>
    ) {
        router.post(
            RouterPath(ConsolePath.makePasswordLink(":member").path),
            use: gate.member(.administrator) { visit, parameters in
                let id = try other(visit, parameters)
                let made = try await accounts.makePasswordLink(
                    for: MemberID(id),
                    by: visit.member.actor
                )
                guard let made else { throw PageProblem.notFound }
                let link = TeamPage.Link(
                    name: made.member.name,
                    address: visit.origin + ConsolePath.passwordLink(made.token).path
                )
                return try await teamList(team, visit, link: link)
            }
        )
    }

    private func teamList(
        _ team: any TeamPages,
        _ visit: Visit,
        rejected: SettingsRejected? = nil,
        link: TeamPage.Link? = nil
    ) async throws -> Response {
        let members = try await team.members(for: visit.member)
        let content = TeamPage(
            members,
            rejected: rejected,
            link: link,
            hasLinks: site.features.accounts != nil,
            visit: visit
        )
        return try site.settingsPage(
            "settings-team",
            .team,
            visit,
            content,
            isWrong: rejected != nil
        )
    }

    private func requireTexts(_ fields: [String], _ visit: Visit) throws {
        for field in fields
        where visit.form[field].trimmingCharacters(in: .whitespaces).isEmpty {
            throw SettingsRejected(field: field, text: visit.words("fault.required"))
        }
    }
}
