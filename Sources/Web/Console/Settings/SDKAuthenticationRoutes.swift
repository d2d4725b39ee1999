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
        get(.sdkAuthentication, .administrator) { context, _ in try await list(context) }
        get(.sdkAuthenticationMode(":app"), .administrator) { context, parameters in
            let app = try await app(parameters.get("app"), context)
            let part = SDKAuthenticationModePart(
                app,
                try await site.services.apps.namedDevices(of: app),
                context
            )
            return try site.part("sdk-authentication-mode", part, context: context)
        }
        post(.sdkAuthentication, .administrator) { context, _ in
            let app = try await app(context.form["app"], context)
            do {
                try await change(app, context)
                return HTMLResponse.redirect(to: ConsolePath.sdkAuthentication.path)
            } catch let error as ValidationError {
                let faults = error.problems.map {
                    FormFieldError($0, at: Self.field, context.words)
                }
                return try await list(context, faults: faults, at: app.id)
            }
        }
    }

    private func app(_ id: String?, _ context: ConsoleContext) async throws -> App {
        guard let id = id.flatMap({ Int64($0) }),
            let app = try await site.services.apps.app(AppID(id), in: context.workspace)
        else { throw PageError.notFound }
        return app
    }

    private func change(_ app: App, _ context: ConsoleContext) async throws {
        let service = site.services.sdkKeys
        let form = context.form
        let key = UUID(uuidString: form["id"])
        switch (form["verb"], SDKAuthenticationPolicy.Mode(rawValue: form["mode"]), key) {
        case ("mode", let mode?, _):
            _ = try await service.change(to: mode, ofApp: app.sdkKey, by: context.actor)
        case ("add", _, _):
            _ = try await service.add(
                form["key"],
                description: form.trimmed("description"),
                isPrimary: false,
                toApp: app.sdkKey,
                by: context.actor
            )
        case ("primary", _, let key?):
            _ = try await service.makePrimary(key, ofApp: app.sdkKey, by: context.actor)
        case ("delete", _, let key?):
            _ = try await service.remove(key, ofApp: app.sdkKey, by: context.actor)
        default:
            throw PageError.notFound
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
        _ context: ConsoleContext,
        faults: [FormFieldError] = [],
        at app: AppID? = nil
    ) async throws -> Response {
        let apps = try await site.services.apps.apps(in: context.workspace)
        return try site.settingsPage(
            "settings-sdk-authentication",
            .sdkAuthentication,
            context,
            SDKAuthenticationPage(apps, faults: faults, at: app, context: context),
            isWrong: !faults.isEmpty
        )
    }
}
