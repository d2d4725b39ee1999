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
        get(.apps, .administrator) { visit, _ in try await list(visit) }
        post(.apps, .administrator) { visit, _ in try await create(visit) }
        post(.appCredentials(":app"), .administrator) { visit, parameters in
            try await saveCredentials(of: try await app(visit, parameters), visit)
        }
        post(.testCredentials(":app"), .administrator) { visit, parameters in
            let app = try await app(visit, parameters)
            let trials = try await site.services.credentials.test(app, by: visit.actor)
            return try await list(visit, tried: (app.id, trials))
        }
        get(.appProof(":app"), .administrator) { visit, parameters in
            let app = try await app(visit, parameters)
            let devices = try await site.services.apps.namedDevices(of: app)
            return try site.part("app-proof", AppProofPart(app, devices, visit), visit: visit)
        }
    }

    private func app(_ visit: Visit, _ parameters: Parameters) async throws -> App {
        let id = AppID(try parameters.require("app", as: Int64.self))
        guard let app = try await site.services.apps.app(id, in: visit.workspace) else {
            throw PageProblem.notFound
        }
        return app
    }

    private func create(_ visit: Visit) async throws -> Response {
        let form = visit.form
        let empty = visit.emptyTexts(["name", "identifier"])
        guard empty.isEmpty else { return try await list(visit, faults: empty) }
        do {
            _ = try await site.services.apps.create(
                name: form["name"],
                platform: (AppPlatform(rawValue: form["platform"]) ?? .ios).rawValue,
                identifier: form.trimmed("identifier"),
                by: visit.actor
            )
            return HTMLResponse.redirect(to: FlashMessage.appAdded.address(.apps))
        } catch let error as ValidationError {
            let faults = error.problems.map { FormFault($0, at: \.description, visit.words) }
            return try await list(visit, faults: faults)
        }
    }

    private func saveCredentials(of app: App, _ visit: Visit) async throws -> Response {
        do {
            try await site.services.credentials.save(
                try CredentialForm(visit).upload(),
                of: app,
                by: visit.actor
            )
            return HTMLResponse.redirect(to: FlashMessage.credentialsSaved.address(.apps))
        } catch let fault as FormFault {
            return try await list(visit, faults: [fault], at: app.id)
        } catch let error as ValidationError {
            let faults = error.problems.map { FormFault($0, at: \.description, visit.words) }
            return try await list(visit, faults: faults, at: app.id)
        }
    }

    private func list(
        _ visit: Visit,
        faults: [FormFault] = [],
        at app: AppID? = nil,
        tried: (app: AppID, trials: [CredentialTestResult])? = nil
    ) async throws -> Response {
        let services = site.services
        var entries: [AppsPage.Entry] = []
        for app in try await services.apps.apps(in: visit.workspace) {
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
            visit,
            AppsPage(entries, faults: faults, at: app, visit: visit),
            isWrong: !faults.isEmpty
        )
    }
}
