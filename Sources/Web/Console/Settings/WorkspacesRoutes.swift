import Accounts
import Hummingbird
import Model
import WebPages

/// The workspaces of a member: opening another one, and making one.
struct WorkspacesRoutes: Sendable {
    /// Nobody reads it: a browser that has kept pages for going back, as Chromium does with those that
    /// must not be stored, throws them away when a cookie changes. They are of the other workspace.
    private static let workspaceCookie = "noroshi_workspace"

    private let site: ConsoleRenderer

    init(site: ConsoleRenderer) {
        self.site = site
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = ConsoleAuthenticator(site: site)
        let get = gate.adder(of: .get, to: router)
        let post = gate.adder(of: .post, to: router)
        get(.workspaces, .administrator) { context, _ in try page(context) }
        post(.workspaces, .administrator) { context, _ in try await create(context) }
        post(.switchWorkspace, .viewer) { context, _ in try await open(context) }
    }

    private func create(_ context: ConsoleContext) async throws -> Response {
        do {
            _ = try await site.services.workspaces.create(
                name: context.form["name"],
                timeZone: context.form["time_zone"],
                by: .member(context.member)
            )
            return HTMLResponse.redirect(to: FlashMessage.workspaceCreated.address(.workspaces))
        } catch let error as ValidationError {
            return try page(context, error)
        }
    }

    /// Opens another workspace, or leads to the sign-in that opens it.
    private func open(_ context: ConsoleContext) async throws -> Response {
        guard let number = Int64(context.form["workspace"]) else { throw PageError.notFound }
        let outcome = try await site.services.accounts.switchWorkspace(
            to: WorkspaceID(number),
            sessionToken: context.session
        )
        switch outcome {
        case .switched:
            var response = HTMLResponse.redirect(to: ConsolePath.overview.path)
            response.setCookie(
                ConsoleAuthenticator(site: site).cookie(
                    Self.workspaceCookie,
                    "\(number)",
                    seconds: Int(AccountService.sessionLength)
                )
            )
            return response
        case .awaitsSignIn(let provider):
            let way = provider == nil ? ConsolePath.login : .loginOpenID("\(number)")
            return HTMLResponse.redirect(to: way.path)
        case .unknown: throw PageError.notFound
        }
    }

    private func page(_ context: ConsoleContext, _ error: ValidationError? = nil) throws -> Response
    {
        try site.settingsPage(
            "settings-workspaces",
            .workspaces,
            context,
            WorkspacesPage(error, context: context),
            isWrong: error != nil
        )
    }
}

/// The workspaces that a member may open, and a form for a new one.
struct WorkspacesPage {
    struct Row {
        let id: String
        let name: String
        let timeZone: String
        let role: String
        /// `nil` for the one that is open.
        let openAction: String?
    }

    let rows: [Row]
    let action: String
    let name: SettingsField
    let timeZone: SettingsField
    let zones: [String]

    init(_ error: ValidationError?, context: ConsoleContext) {
        rows = context.workspaces.map {
            Row(
                id: "\($0.workspace.id)",
                name: $0.workspace.name,
                timeZone: $0.workspace.timeZone,
                role: context.words($0.role.wordKey),
                openAction: $0.workspace.id == context.workspace
                    ? nil : ConsolePath.switchWorkspace.path
            )
        }
        action = ConsolePath.workspaces.path
        let faults = (error?.problems ?? []).map {
            FormFieldError($0, at: \.description, context.words)
        }
        name = SettingsField("name", context, faults)
        timeZone = SettingsField("time_zone", context, faults)
        zones = WorkspaceSettings.timeZones.sorted()
    }
}
