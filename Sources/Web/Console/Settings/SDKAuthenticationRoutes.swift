import Accounts
import Foundation
import Hummingbird
import Model
import WebPages

/// How each app's users are verified: the mode, and the public keys of their tokens.
struct SDKAuthenticationRoutes: Sendable {
    private let site: ConsoleRenderer

    init(site: ConsoleRenderer) {
        self.site = site
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = ConsoleAuthenticator(site: site)
        let get = gate.adder(of: .get, to: router)
        let post = gate.adder(of: .post, to: router)
        get(.sdkAuthentication, .administrator) { visit, _ in try await list(visit) }
        get(.sdkAuthenticationMode(":app"), .administrator) { visit, parameters in
            let app = try await app(parameters.get("app"), visit)
            let part = SDKAuthenticationModePart(
                app,
                try await site.services.apps.namedDevices(of: app),
                visit
            )
            return try site.part("sdk-authentication-mode", part, visit: visit)
        }
        post(.sdkAuthentication, .administrator) { visit, _ in
            let app = try await app(visit.form["app"], visit)
            do {
                try await change(app, visit)
                return HTMLResponse.redirect(to: ConsolePath.sdkAuthentication.path)
            } catch let error as ValidationError {
                let faults = error.problems.map { FormFault($0, at: Self.field, visit.words) }
                return try await list(visit, faults: faults, at: app.id)
            }
        }
    }

    private func app(_ id: String?, _ visit: Visit) async throws -> App {
        guard let id = id.flatMap({ Int64($0) }),
            let app = try await site.services.apps.app(AppID(id), in: visit.workspace)
        else { throw PageProblem.notFound }
        return app
    }

    private func change(_ app: App, _ visit: Visit) async throws {
        let service = site.services.sdkKeys
        let form = visit.form
        let key = UUID(uuidString: form["id"])
        switch (form["verb"], SDKAuthenticationPolicy.Mode(rawValue: form["mode"]), key) {
        case ("mode", let mode?, _):
            _ = try await service.change(to: mode, ofApp: app.sdkKey, by: visit.actor)
        case ("add", _, _):
            _ = try await service.add(
                form["key"],
                description: form.trimmed("description"),
                isPrimary: false,
                toApp: app.sdkKey,
                by: visit.actor
            )
        case ("primary", _, let key?):
            _ = try await service.makePrimary(key, ofApp: app.sdkKey, by: visit.actor)
        case ("delete", _, let key?):
            _ = try await service.remove(key, ofApp: app.sdkKey, by: visit.actor)
        default:
            throw PageProblem.notFound
        }
    }

    private static func field(_ path: FieldPath) -> String {
        switch path {
        case .sdkKey(.publicKey): "key"
        case .sdkKey(.description): "description"
        default: ""
        }
    }

    private func list(
        _ visit: Visit,
        faults: [FormFault] = [],
        at app: AppID? = nil
    ) async throws -> Response {
        let apps = try await site.services.apps.apps(in: visit.workspace)
        return try site.settingsPage(
            "settings-sdk-authentication",
            .sdkAuthentication,
            visit,
            SDKAuthenticationPage(apps, faults: faults, at: app, visit: visit),
            isWrong: !faults.isEmpty
        )
    }
}
