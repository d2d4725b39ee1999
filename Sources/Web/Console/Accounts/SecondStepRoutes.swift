import Accounts
import Foundation
import Front
import HTTPTypes
import Hummingbird
import Model
import WebPages

/// The second step of logging in: the code, after the password was right.
struct SecondStepRoutes: Sendable {
    static let stepCookie = "noroshi_step"

    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(RouterPath(ConsolePath.loginCode.path)) { request, _ in
            let query = FormFields(urlEncoded: request.uri.query ?? "")
            return try await form(request, back: query["back"])
        }
        router.post(RouterPath(ConsolePath.loginCode.path)) { request, requestContext in
            let address = site.settings.clientAddress.of(request, in: requestContext)
            return try await complete(request, from: address)
        }
    }

    private func form(
        _ request: Request,
        back: String,
        isWrong: Bool = false,
        refusal: RefusalError? = nil
    ) async throws -> Response {
        guard let step = request.cookies[Self.stepCookie]?.value,
            let token = request.cookies[AccountRoutes.loginCookie]?.value,
            try await site.services.secondFactors.isAwaited(step: step)
        else { return loginRedirect(back) }
        let words = site.book[gate.language(of: request)]
        var response = try site.barePage(
            "login-code",
            LoginCodePage(
                action: ConsolePath.loginCode.path,
                token: token,
                back: back,
                isWrong: isWrong,
                refusal: refusal.map { words($0.reason) },
                loginAddress: ConsolePath.login.path
            ),
            words: words,
            back: ConsolePath.loginCode.path,
            status: refusal?.signInStatus ?? (isWrong ? .unprocessableContent : .ok)
        )
        response.headers[.retryAfter] = refusal?.retryAfterSeconds.map(String.init)
        return response
    }

    private func complete(_ request: Request, from address: String?) async throws -> Response {
        let form = try await gate.strangersForm(of: request)
        guard AccountRoutes.isOwnForm(form, request),
            let step = request.cookies[Self.stepCookie]?.value
        else { return try await self.form(request, back: form["back"]) }
        do {
            let outcome = try await site.services.secondFactors.complete(
                step: step,
                code: form["code"],
                from: address,
                userAgent: request.headers[.userAgent] ?? ""
            )
            switch outcome {
            case .signedIn(let signIn):
                var response = HTMLResponse.redirect(to: AccountRoutes.safeReturn(form["back"]))
                response.setCookie(gate.sessionCookie(signIn.token))
                response.setCookie(gate.cookie(Self.stepCookie, "", seconds: 0))
                return response
            case .wrong: return try await self.form(request, back: form["back"], isWrong: true)
            case .expired: return loginRedirect(form["back"])
            }
        } catch let refusal as RefusalError {
            return try await self.form(request, back: form["back"], refusal: refusal)
        }
    }

    private func loginRedirect(_ back: String) -> Response {
        HTMLResponse.redirect(
            to: ConsolePath.login.query(FormFields([]).setting("back", to: back))
        )
    }
}

/// The page that asks for the code.
struct LoginCodePage {
    let action: String
    let token: String
    let back: String
    let isWrong: Bool
    /// The reason why the code was not checked.
    let refusal: String?
    let loginAddress: String
}
