import Accounts
import Credentials
import Hummingbird
import Model
import WebPages

/// The workspace's apps and their push credentials.
struct AppRoutes: Sendable {
    private let site: ConsoleRenderer

    init(site: ConsoleRenderer) {
        self.site = site
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = ConsoleAuthenticator(site: site)
        let get = gate.adder(of: .get, to: router)
        let post = gate.adder(of: .post, to: router)
        get(.apps, .administrator) { context, _ in try await list(context) }
        post(.apps, .administrator) { context, _ in try await create(context) }
        post(.appCredentials(":app"), .administrator) { context, parameters in
            try await saveCredentials(of: try await app(context, parameters), context)
        }
        post(.testCredentials(":app"), .administrator) { context, parameters in
            let app = try await app(context, parameters)
            let trials = try await site.services.credentials.test(app, by: context.actor)
            return try await list(context, tried: (app.id, trials))
        }
        get(.appProof(":app"), .administrator) { context, parameters in
            let app = try await app(context, parameters)
            let devices = try await site.services.apps.namedDevices(of: app)
            return try site.part("app-proof", AppProofPart(app, devices, context), context: context)
        }
    }

    private func app(_ context: ConsoleContext, _ parameters: Parameters) async throws -> App {
        let id = AppID(try parameters.require("app", as: Int64.self))
        guard let app = try await site.services.apps.app(id, in: context.workspace) else {
            throw PageError.notFound
        }
        return app
    }

    private func create(_ context: ConsoleContext) async throws -> Response {
        let form = context.form
        let empty = context.emptyTexts(["name", "identifier"])
        guard empty.isEmpty else { return try await list(context, faults: empty) }
        do {
            _ = try await site.services.apps.create(
                name: form["name"],
                platform: (AppPlatform(rawValue: form["platform"]) ?? .ios).rawValue,
                identifier: form.trimmed("identifier"),
                by: context.actor
            )
            return HTMLResponse.redirect(to: FlashMessage.appAdded.address(.apps))
        } catch let error as ValidationError {
            let faults = error.problems.map { FormFieldError($0, at: \.description, context.words) }
            return try await list(context, faults: faults)
        }
    }

    private func saveCredentials(of app: App, _ context: ConsoleContext) async throws -> Response {
        do {
            try await site.services.credentials.save(
                try CredentialForm(context).upload(),
                of: app,
                by: context.actor
            )
            return HTMLResponse.redirect(to: FlashMessage.credentialsSaved.address(.apps))
        } catch let fault as FormFieldError {
            return try await list(context, faults: [fault], at: app.id)
        } catch let error as ValidationError {
            let faults = error.problems.map { FormFieldError($0, at: \.description, context.words) }
            return try await list(context, faults: faults, at: app.id)
        }
    }

    private func list(
        _ context: ConsoleContext,
        faults: [FormFieldError] = [],
        at app: AppID? = nil,
        tried: (app: AppID, trials: [CredentialTestResult])? = nil
    ) async throws -> Response {
        let services = site.services
        var entries: [AppsPage.Entry] = []
        for app in try await services.apps.apps(in: context.workspace) {
            entries.append(
                AppsPage.Entry(
                    app: app,
                    credentials: try await services.credentials.facts(of: app),
                    trials: tried?.app == app.id ? tried?.trials ?? [] : []
                )
            )
        }
        return try site.settingsPage(
            "settings-apps",
            .apps,
            context,
            AppsPage(entries, faults: faults, at: app, context: context),
            isWrong: !faults.isEmpty
        )
    }
}
