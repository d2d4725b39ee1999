import Accounts
import Foundation
import Front
import HTTPTypes
import Hummingbird
import Model
import WebPages

/// Logging in with a workspace's OpenID Connect provider.
///
/// A sign-in may be begun from another site, such as a company's list of applications: it signs the
/// person in who is signed in there, and can be completed only in the browser that began it.
struct OpenIDLoginRoutes: Sendable {
    /// What only the browser knows that begins a sign-in.
    static let browserCookie = "noroshi_openid"

    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
    }

    private var signIns: OpenIDSignInService { site.services.openIDSignIns }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(RouterPath(ConsolePath.loginOpenID(":workspace").path)) {
            request,
            requestContext in
            try await begin(
                request,
                in: try Self.workspace(requestContext),
                from: site.settings.clientAddress.of(request, in: requestContext)
            )
        }
        router.get(
            RouterPath(ConsolePath.loginOpenIDReturn(":workspace").path)
        ) { request, requestContext in
            try await complete(
                request,
                in: try Self.workspace(requestContext),
                from: site.settings.clientAddress.of(request, in: requestContext)
            )
        }
    }

    private static func workspace(_ requestContext: some RequestContext) throws -> WorkspaceID {
        WorkspaceID(try requestContext.parameters.require("workspace", as: Int64.self))
    }

    private func begin(
        _ request: Request,
        in workspace: WorkspaceID,
        from address: String?
    ) async throws -> Response {
        let query = FormFields(urlEncoded: request.uri.query ?? "")
        let back = AccountRoutes.safeReturn(query["back"])
        // The same one for every window, so that each of them can complete its own sign-in.
        let known = request.cookies[Self.browserCookie]?.value ?? ""
        let browser = known.isEmpty ? site.settings.makeToken() : known
        do {
            let provider = try await signIns.begin(
                in: workspace,
                at: place(request, workspace, browser: browser, address),
                back: back
            )
            guard let provider else {
                return HTMLResponse.redirect(to: ConsolePath.login.path)
            }
            var response = HTMLResponse.redirect(to: provider)
            response.setCookie(
                gate.cookie(
                    Self.browserCookie,
                    browser,
                    seconds: Int(OpenIDSignInService.attemptLength)
                )
            )
            return response
        } catch let refusal as RefusalError {
            return try await refused(refusal, request)
        }
    }

    private func complete(
        _ request: Request,
        in workspace: WorkspaceID,
        from address: String?
    ) async throws -> Response {
        let query = FormFields(urlEncoded: request.uri.query ?? "")
        let browser = request.cookies[Self.browserCookie]?.value ?? ""
        do {
            let found = try await signIns.complete(
                OpenIDSignInService.Answer(
                    state: query["state"],
                    code: query["code"],
                    error: query["error"],
                    issuer: query["iss"]
                ),
                in: workspace,
                at: place(request, workspace, browser: browser, address)
            )
            return signedIn(found.signIn, back: found.back, request)
        } catch let refusal as RefusalError {
            return try await refused(refusal, request)
        }
    }

    private func signedIn(_ signIn: SignIn, back: String, _ request: Request) -> Response {
        guard signIn.awaitsCode else {
            var response = HTMLResponse.redirect(to: AccountRoutes.safeReturn(back))
            response.setCookie(
                gate.cookie(
                    ConsoleAuthenticator.sessionCookie,
                    signIn.token,
                    seconds: Int(AccountService.providerSessionLength)
                )
            )
            response.setCookie(gate.cookie(Self.browserCookie, "", seconds: 0))
            return response
        }
        var response = HTMLResponse.redirect(
            to: ConsolePath.loginCode.query(FormFields([]).setting("back", to: back))
        )
        response.setCookie(
            gate.cookie(
                SecondStepRoutes.stepCookie,
                signIn.token,
                seconds: Int(SecondFactorService.stepLength)
            )
        )
        // The form of the next step has a token of its own.
        if request.cookies[AccountRoutes.loginCookie]?.value.isEmpty ?? true {
            response.setCookie(
                gate.cookie(AccountRoutes.loginCookie, site.settings.makeToken(), seconds: 3600)
            )
        }
        return response
    }

    private func place(
        _ request: Request,
        _ workspace: WorkspaceID,
        browser: String,
        _ address: String?
    ) -> OpenIDSignInService.Place {
        OpenIDSignInService.Place(
            browser: browser,
            redirect: Self.redirect(workspace, origin: gate.origin(of: request)),
            address: address,
            userAgent: request.headers[.userAgent] ?? ""
        )
    }

    /// The address that the provider has to know.
    static func redirect(_ workspace: WorkspaceID, origin: String) -> String {
        origin + ConsolePath.loginOpenIDReturn("\(workspace)").path
    }

    /// The login page with the reason. What the provider said is not in a form or link of it.
    private func refused(_ refusal: RefusalError, _ request: Request) async throws -> Response {
        try await AccountRoutes(site: site).loginForm(request, refusal: refusal)
    }
}
