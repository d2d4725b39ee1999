import Accounts
import Foundation
import Front
import HTTPTypes
import Hummingbird
import Model
import WebPages

/// Logging in and out, and the choice of language.
struct AccountRoutes: Sendable {
    static let loginCookie = "noroshi_login"

    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(RouterPath(ConsolePath.login.path)) { request, _ in
            try await loginForm(request)
        }
        router.post(RouterPath(ConsolePath.login.path)) { request, requestContext in
            let address = site.settings.clientAddress.of(request, in: requestContext)
            return try await logIn(request, from: address)
        }
        router.post(
            RouterPath(ConsolePath.logout.path),
            use: gate.member { context, _ in try await logOut(context) }
        )
        router.post(RouterPath(ConsolePath.language.path)) { request, _ in
            try await chooseLanguage(request)
        }
    }

    func loginForm(
        _ request: Request,
        typed: FormFields = FormFields([]),
        isWrong: Bool = false,
        refusal: RefusalError? = nil
    ) async throws -> Response {
        let words = site.book[gate.language(of: request)]
        // The same one for every window: a page that is shown later, or asked for in the background,
        // does not make the form of an earlier one worthless.
        let known = request.cookies[Self.loginCookie]?.value ?? ""
        let token = known.isEmpty ? site.settings.makeToken() : known
        let query = FormFields(urlEncoded: request.uri.query ?? "")
        let back = typed.has("back") ? typed["back"] : query["back"]
        let choices = try await site.services.openIDSignIns.choices()
        let content = LoginPage(
            action: ConsolePath.login.path,
            token: token,
            back: back,
            email: typed["email"],
            isWrong: isWrong,
            isPasswordChosen: query["password"] == "chosen",
            isPasskeyRefused: query["passkey"] == "refused",
            passkeyAction: ConsolePath.loginPasskey.path,
            challengeAction: ConsolePath.loginChallenge.path,
            hasOwnWay: choices.hasOwnWay,
            providers: choices.providers.map { provider in
                LoginPage.Provider(
                    label: words("login.with", ["name": provider.name]),
                    address: ConsolePath.loginOpenID("\(provider.workspace)")
                        .query(FormFields([]).setting("back", to: back))
                )
            },
            refusal: refusal.map { words($0.reason) }
        )
        var response = try site.barePage(
            "login",
            content,
            words: words,
            back: content.back,
            status: refusal?.signInStatus ?? (isWrong ? .unprocessableContent : .ok)
        )
        response.headers[.retryAfter] = refusal?.retryAfterSeconds.map(String.init)
        response.setCookie(gate.cookie(Self.loginCookie, token, seconds: 3600))
        return response
    }

    private func logIn(_ request: Request, from address: String?) async throws -> Response {
        let form = try await gate.strangersForm(of: request)
        guard Self.isOwnForm(form, request) else {
            return try await loginForm(request, typed: form)
        }
        let signedIn: SignIn?
        do {
            signedIn = try await site.services.accounts.signIn(
                email: form.trimmed("email"),
                password: form["password"],
                from: address,
                userAgent: request.headers[.userAgent] ?? ""
            )
        } catch let refusal as RefusalError {
            return try await loginForm(request, typed: form, refusal: refusal)
        }
        guard let signedIn else {
            return try await loginForm(request, typed: form, isWrong: true)
        }
        guard !signedIn.awaitsCode else {
            let query = FormFields([]).setting("back", to: form["back"])
            var response = HTMLResponse.redirect(to: ConsolePath.loginCode.query(query))
            response.setCookie(
                gate.cookie(
                    SecondStepRoutes.stepCookie,
                    signedIn.token,
                    seconds: Int(SecondFactorService.stepLength)
                )
            )
            return response
        }
        var response = HTMLResponse.redirect(to: Self.safeReturn(form["back"]))
        response.setCookie(gate.sessionCookie(signedIn.token))
        return response
    }

    /// Whether a form of a client that is not logged in is from a page of this server.
    static func isOwnForm(_ form: FormFields, _ request: Request) -> Bool {
        guard let token = request.cookies[loginCookie]?.value, !token.isEmpty else { return false }
        return !ConsoleAuthenticator.isFromAnotherSite(request) && token == form["token"]
            && form.fieldWithNull == nil
    }

    private func logOut(_ context: ConsoleContext) async throws -> Response {
        try await site.services.accounts.signOut(sessionToken: context.session)
        var response = HTMLResponse.redirect(to: ConsolePath.login.path)
        response.setCookie(gate.cookie(ConsoleAuthenticator.sessionCookie, "", seconds: 0))
        return response
    }

    private func chooseLanguage(_ request: Request) async throws -> Response {
        let form = try await gate.strangersForm(of: request)
        var response = HTMLResponse.redirect(to: Self.safeReturn(form["back"]))
        if let language = Language(rawValue: form["language"]) {
            let year = 31_536_000
            response.setCookie(
                gate.cookie(ConsoleAuthenticator.languageCookie, language.rawValue, seconds: year)
            )
        }
        return response
    }

    /// A path of the console; never a URL of another host.
    static func safeReturn(_ path: String) -> String {
        let isOurs =
            path == ConsolePath.root || path.hasPrefix(ConsolePath.root + "/")
            || path.hasPrefix(ConsolePath.root + "?")
        let isPlain = path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
        return isOurs && isPlain ? path : ConsolePath.overview.path
    }
}

/// The contents of the login page.
struct LoginPage {
    /// A provider to log in with.
    struct Provider {
        let label: String
        let address: String
    }

    let action: String
    let token: String
    let back: String
    let email: String
    let isWrong: Bool
    /// Whether the member has just chosen a new password.
    let isPasswordChosen: Bool
    let isPasskeyRefused: Bool
    let passkeyAction: String
    let challengeAction: String
    /// Whether anybody signs in with a password or a passkey.
    let hasOwnWay: Bool
    let providers: [Provider]
    /// The reason why the password was not checked.
    let refusal: String?
}
