import Accounts
import Audience
import Campaigns
import Hummingbird
import Model
import Retention
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
        WorkspacesRoutes(site: site).add(to: router)
        AppRoutes(site: site).add(to: router)
        SDKAuthenticationRoutes(site: site).add(to: router)
        KeyRoutes(site: site).add(to: router)
        FactsRoutes(site: site).add(to: router)
        TeamRoutes(site: site).add(to: router)
        MemberRoutes(site: site).add(to: router)
        SingleSignOnRoutes(site: site).add(to: router)
        addLimits(to: router)
        addLanguages(to: router)
        router.get(
            RouterPath(ConsolePath.system.path),
            use: gate.member(.administrator) { context, _ in
                try site.settingsPage(
                    "settings-system",
                    .system,
                    context,
                    SystemPage(
                        await site.services.system(),
                        await site.services.retention.states(
                            in: site.services.workspaces.workspace(context.workspace)
                        ),
                        context: context
                    )
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.auditLog.path),
            use: gate.member(.administrator) { context, _ in try await auditLog(context) }
        )
    }

    private func auditLog(_ context: ConsoleContext) async throws -> Response {
        let log = site.services.auditLog
        let query = AuditLogQuery(fields: context.query)
        let found = try await log.records(
            in: context.workspace,
            text: query.text,
            author: query.author,
            origin: query.origin,
            limit: query.page.size,
            offset: query.page.offset
        )
        let page = AuditPage(
            found.records,
            total: found.total,
            authors: try await log.authors(in: context.workspace),
            query: query,
            context: context
        )
        return try site.settingsPage("settings-audit", .audit, context, page)
    }

    private func addLimits<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let limits = site.services.limits
        router.get(
            RouterPath(ConsolePath.limits.path),
            use: gate.member(.administrator) { context, _ in
                try await limitsPage(context)
            }
        )
        router.post(
            RouterPath(ConsolePath.limits.path),
            use: gate.member(.administrator) { context, _ in
                let form = LimitsForm(fields: context.form)
                do {
                    var changed = try await limits.limits(of: context.workspace)
                    try form.apply(to: &changed, context.words)
                    try await limits.save(changed, by: context.actor)
                    return HTMLResponse.redirect(to: FlashMessage.limitsSaved.address(.limits))
                } catch let fault as FormFieldError {
                    return try await limitsPage(context, form, fault: fault)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.controlGroup.path),
            use: gate.member(.administrator) { context, _ in
                let typed = context.form.trimmed("share")
                do {
                    _ = try await limits.saveControlGroup(
                        // No number is no percentage.
                        share: typed.isEmpty ? 0 : Int(typed) ?? -1,
                        redraws: context.form["redraw"] == "yes",
                        by: context.actor
                    )
                    return HTMLResponse.redirect(
                        to: FlashMessage.controlGroupSaved.address(.limits)
                    )
                } catch let error as ValidationError {
                    let text = error.problems.first.map { context.words($0.reason) } ?? ""
                    return try await limitsPage(
                        context,
                        share: typed,
                        fault: FormFieldError(field: "share", text: text)
                    )
                }
            }
        )
    }

    /// - Parameters:
    ///   - form: What was typed; `nil` shows what is stored.
    ///   - share: The typed share of the control group.
    private func limitsPage(
        _ context: ConsoleContext,
        _ form: LimitsForm? = nil,
        share: String? = nil,
        fault: FormFieldError? = nil
    ) async throws -> Response {
        let stored = try await site.services.limits.limits(of: context.workspace)
        // Users can still be being read.
        let members = try? await site.services.inspector
            .find("in control group", in: context.workspace).users
        let content = LimitsPage(
            form ?? LimitsForm(stored),
            group: stored.controlGroup,
            members: members,
            share: share,
            fault: fault,
            context: context
        )
        return try site.settingsPage(
            "settings-limits",
            .limits,
            context,
            content,
            isWrong: fault != nil
        )
    }

    private func addLanguages<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.languages.path),
            use: gate.member(.administrator) { context, _ in
                var rows: [LanguagesPage.Row] = []
                for group in LanguageGroup.all(context.home) {
                    let found = try? await site.services.inspector
                        .find(group.condition, in: context.workspace)
                    rows.append(LanguagesPage.Row(group, found: found, context: context))
                }
                return try site.settingsPage(
                    "settings-languages",
                    .languages,
                    context,
                    LanguagesPage(rows: rows, context: context)
                )
            }
        )
    }
}

extension ConsoleContext {
    /// The fields that are empty, each with the request to fill it in.
    func emptyTexts(_ fields: [String]) -> [FormFieldError] {
        fields.filter { form.trimmed($0).isEmpty }
            .map { FormFieldError(field: $0, text: words("fault.required")) }
    }
}
