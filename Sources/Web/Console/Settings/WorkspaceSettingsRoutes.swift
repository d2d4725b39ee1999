import Accounts
import Foundation
import Hummingbird
import Model
import WebPages

/// The name of the workspace, the time zone of its days, and its appearance.
struct WorkspaceSettingsRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.workspace.path),
            use: gate.member(.administrator) { context, _ in
                try page(WorkspaceForm(context.home), context)
            }
        )
        router.post(
            RouterPath(ConsolePath.workspace.path),
            use: gate.member(.administrator) { context, _ in
                let form = WorkspaceForm(context.form)
                do {
                    _ = try await site.services.workspaces.change(by: context.actor) {
                        form.apply(to: &$0)
                    }
                    return HTMLResponse.redirect(
                        to: FlashMessage.workspaceSaved.address(.workspace)
                    )
                } catch let error as ValidationError {
                    return try page(form, context, error)
                }
            }
        )
    }

    private func page(
        _ form: WorkspaceForm,
        _ context: ConsoleContext,
        _ error: ValidationError? = nil
    ) throws -> Response {
        try site.settingsPage(
            "settings-workspace",
            .workspace,
            context,
            WorkspacePage(form, error, context: context),
            isWrong: error != nil
        )
    }
}

/// The raw fields of the settings.
struct WorkspaceForm: Sendable {
    var name: String
    var timeZone: String
    var currency: String
    /// Codes, separated by spaces or commas.
    var languages: String
    var color: String
    var requiresSecondFactor: Bool
    /// Numbers of days; empty ones keep for ever.
    var days: [RetainedKind: String]

    init(_ settings: WorkspaceSettings) {
        name = settings.name
        timeZone = settings.timeZone
        currency = settings.currency
        languages = settings.languages.joined(separator: " ")
        color = settings.color.rawValue
        requiresSecondFactor = settings.requiresSecondFactor
        days = Dictionary(
            uniqueKeysWithValues: RetainedKind.allCases.map { kind in
                (kind, settings.retention[kind].map(String.init) ?? "")
            }
        )
    }

    init(_ fields: FormFields) {
        name = fields["name"]
        timeZone = fields["time_zone"]
        currency = fields["currency"]
        languages = fields["languages"]
        color = fields["color"]
        requiresSecondFactor = fields["second_factor"] == "required"
        days = Dictionary(
            uniqueKeysWithValues: RetainedKind.allCases.map { ($0, fields[$0.field.rawValue]) }
        )
    }

    func apply(to settings: inout WorkspaceSettings) {
        settings.name = name
        settings.timeZone = timeZone
        settings.currency = currency
        settings.languages = languages.split { $0.isWhitespace || $0 == "," || $0 == "、" }
            .map(String.init)
        settings.color = WorkspaceColor(rawValue: color) ?? settings.color
        settings.requiresSecondFactor = requiresSecondFactor
        for kind in RetainedKind.allCases {
            let text = (days[kind] ?? "").trimmingCharacters(in: .whitespaces)
            // What is no number is refused as a period that is too short.
            settings.retention[kind] = text.isEmpty ? nil : Int(text) ?? 0
        }
    }
}

/// The form of a workspace's settings.
struct WorkspacePage {
    struct Color {
        let name: String
        let label: String
        let isChosen: Bool
    }

    let action: String
    let name: SettingsField
    let timeZone: SettingsField
    let currency: SettingsField
    let languages: SettingsField
    let colors: [Color]
    let requiresSecondFactor: Bool
    let recordIDDays: SettingsField
    let auditDays: SettingsField
    let customEventDays: SettingsField
    let sessionDays: SettingsField
    let inAppReportDays: SettingsField
    let pushReportDays: SettingsField
    let dispatchDays: SettingsField
    let zones: [String]
    let currencies: [String]
    /// The current local time of the workspace.
    let clock: String

    init(_ form: WorkspaceForm, _ error: ValidationError?, context: ConsoleContext) {
        let words = context.words
        func field(_ field: FieldPath.Settings, _ value: String) -> SettingsField {
            let problem = error?.problems.first { $0.path == .settings(field) }
            return SettingsField(value: value, fault: problem.map { words($0.reason) })
        }
        action = ConsolePath.workspace.path
        name = field(.name, form.name)
        timeZone = field(.timeZone, form.timeZone)
        currency = field(.currency, form.currency)
        languages = field(.languages, form.languages)
        colors = WorkspaceColor.allCases.map {
            Color(
                name: $0.rawValue,
                label: words($0.wordKey),
                isChosen: $0.rawValue == form.color
            )
        }
        requiresSecondFactor = form.requiresSecondFactor
        recordIDDays = field(.recordIDDays, form.days[.recordIDs] ?? "")
        auditDays = field(.auditDays, form.days[.audit] ?? "")
        customEventDays = field(.customEventDays, form.days[.customEvents] ?? "")
        sessionDays = field(.sessionDays, form.days[.sessions] ?? "")
        inAppReportDays = field(.inAppReportDays, form.days[.inAppReports] ?? "")
        pushReportDays = field(.pushReportDays, form.days[.pushReports] ?? "")
        dispatchDays = field(.dispatchDays, form.days[.dispatches] ?? "")
        zones = WorkspaceSettings.timeZones.sorted()
        currencies = WorkspaceSettings.currencies.sorted()
        clock = words.dateAndTime(context.now, in: context.zone)
    }
}

extension WorkspaceColor {
    fileprivate var wordKey: String {
        switch self {
        case .ember: "color.ember"
        case .amber: "color.amber"
        case .moss: "color.moss"
        case .teal: "color.teal"
        case .sky: "color.sky"
        case .indigo: "color.indigo"
        case .plum: "color.plum"
        case .slate: "color.slate"
        }
    }
}
