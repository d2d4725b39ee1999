import Accounts
import Audience
import Campaigns
import Foundation
import Hummingbird
import Model
import WebPages

/// The settings, for administrators.
struct SettingsRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.settings.path),
            use: gate.member(.administrator) { _, _ in
                HTMLResponse.redirect(to: ConsolePath.workspace.path)
            }
        )
        WorkspaceSettingsRoutes(site: site).add(to: router)
        AppRoutes(site: site).add(to: router)
        SDKAuthenticationRoutes(site: site).add(to: router)
        KeyRoutes(site: site).add(to: router)
        TeamRoutes(site: site).add(to: router)
        addLimits(to: router)
        addLanguages(to: router)
        router.get(
            RouterPath(ConsolePath.system.path),
            use: gate.member(.administrator) { visit, _ in
                try site.settingsPage(
                    "settings-system",
                    .system,
                    visit,
                    SystemPage(await site.services.system(), visit: visit)
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
            _ fault: FormFault? = nil
        ) throws -> Response {
            let content = LimitsPage(form, fault: fault)
            return try site.settingsPage(
                "settings-limits",
                .limits,
                visit,
                content,
                isWrong: fault != nil
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
                    return HTMLResponse.redirect(to: FlashMessage.limitsSaved.address(.limits))
                } catch let fault as FormFault {
                    return try show(form, visit, fault)
                }
            }
        )
    }

    private func addLanguages<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.languages.path),
            use: gate.member(.administrator) { visit, _ in
                var rows: [LanguagesPage.Row] = []
                for group in LanguageGroup.all(visit.home) {
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
}

extension Visit {
    /// The fields that are empty, each with the request to fill it in.
    func emptyTexts(_ fields: [String]) -> [FormFault] {
        fields.filter { form[$0].trimmingCharacters(in: .whitespaces).isEmpty }
            .map { FormFault(field: $0, text: words("fault.required")) }
    }
}
