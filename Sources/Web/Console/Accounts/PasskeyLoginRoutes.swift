import Accounts
import Foundation
import Front
import HTTPTypes
import Hummingbird
import Model
import WebPages

/// Logging in with a passkey.
struct PasskeyLoginRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post(RouterPath(ConsolePath.loginChallenge.path)) { request, _ in
            try await challenge(request)
        }
        router.post(RouterPath(ConsolePath.loginPasskey.path)) { request, requestContext in
            let address = site.settings.clientAddress.of(request, in: requestContext)
            return try await logIn(request, from: address)
        }
    }

    private func challenge(_ request: Request) async throws -> Response {
        let form = try await gate.strangersForm(of: request)
        guard AccountRoutes.isOwnForm(form, request),
            let ceremony = PasskeyCeremony(origin: gate.origin(of: request))
        else { return HTMLResponse.json("{}".utf8, status: .forbidden) }
        let challenge = site.services.passkeys.beginSignIn(browser: form["token"])
        let answer = ["challenge": Base64URL.text(challenge), "server": ceremony.server]
        return HTMLResponse.json(try JSONEncoder().encode(answer))
    }

    private func logIn(_ request: Request, from address: String?) async throws -> Response {
        let form = try await gate.strangersForm(of: request)
        let login = ConsolePath.login.query(FormFields([]).setting("back", to: form["back"]))
        guard AccountRoutes.isOwnForm(form, request),
            let ceremony = PasskeyCeremony(origin: gate.origin(of: request)),
            let assertion = PasskeyAnswer(form["credential"])?.assertion
        else { return HTMLResponse.redirect(to: login) }
        let signIn: SignIn?
        do {
            signIn = try await site.services.passkeys.signIn(
                assertion,
                browser: form["token"],
                ceremony: ceremony,
                from: address,
                userAgent: request.headers[.userAgent] ?? ""
            )
        } catch let refusal as RefusalError {
            return try await AccountRoutes(site: site).loginForm(
                request,
                typed: form,
                refusal: refusal
            )
        }
        guard let signIn else {
            return HTMLResponse.redirect(
                to: ConsolePath.login.query(
                    FormFields([("passkey", "refused")]).setting("back", to: form["back"])
                )
            )
        }
        var response = HTMLResponse.redirect(to: AccountRoutes.safeReturn(form["back"]))
        response.setCookie(gate.sessionCookie(signIn.token))
        return response
    }
}
