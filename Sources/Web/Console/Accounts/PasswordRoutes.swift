import Accounts
import HTTPTypes
import Hummingbird
import Model
import WebPages

/// A member's own account, and the one-time links for choosing a new password.
struct PasswordRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
    }

    private var accounts: AccountService { site.services.accounts }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.account.path),
            use: gate.member { context, _ in try await page(context) }
        )
        router.post(
            RouterPath(ConsolePath.account.path),
            use: gate.member { context, _ in try await changePassword(context) }
        )
        router.post(
            RouterPath(ConsolePath.endSessions.path),
            use: gate.member { context, _ in
                try await accounts.end(context.form["session"], of: context.member.id, context)
                return HTMLResponse.redirect(to: FlashMessage.sessionsEnded.address(.account))
            }
        )
        router.get(RouterPath(ConsolePath.passwordLink(":token").path)) { request, requestContext in
            let token = try requestContext.parameters.require("token")
            return try await linkPage(request, token)
        }
        router.post(RouterPath(ConsolePath.passwordLink(":token").path)) {
            request,
            requestContext in
            let token = try requestContext.parameters.require("token")
            return try await choosePassword(request, token)
        }
    }

    private func page(
        _ context: ConsoleContext,
        _ fault: FormFieldError? = nil,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let sessions = SessionsPart(
            try await accounts.sessions(of: context.member.id, by: context.actor),
            present: accounts.sessionID(ofToken: context.session),
            action: .endSessions,
            context: context
        )
        return try site.page(
            "account",
            AccountPage(fault, sessions: sessions, context: context),
            title: context.words("account.title"),
            place: nil,
            context: context,
            status: status
        )
    }

    private func changePassword(_ context: ConsoleContext) async throws -> Response {
        let form = context.form
        do {
            guard form["password"] == form["again"] else {
                let text = context.words("account.fault_again")
                return try await page(
                    context,
                    .init(field: "again", text: text),
                    status: .unprocessableContent
                )
            }
            try await accounts.changePassword(
                of: context.member,
                from: form["present"],
                to: form["password"],
                session: context.session,
                from: context.clientAddress
            )
            return HTMLResponse.redirect(to: FlashMessage.passwordChanged.address(.account))
        } catch let error as ValidationError {
            return try await page(
                context,
                FormFieldError(error.problems[0], at: \.description, context.words),
                status: .unprocessableContent
            )
        } catch let refusal as RefusalError {
            var response = try await page(
                context,
                .init(field: "present", text: context.words(refusal.reason)),
                status: refusal.signInStatus
            )
            response.headers[.retryAfter] = refusal.retryAfterSeconds.map(String.init)
            return response
        }
    }

    private func linkPage(
        _ request: Request,
        _ token: String,
        fault: String? = nil,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let words = site.book[gate.language(of: request)]
        let member = try await accounts.member(passwordLink: token)
        return try site.barePage(
            "password-link",
            PasswordLinkPage(
                action: ConsolePath.passwordLink(token).path,
                loginAddress: ConsolePath.login.path,
                email: member?.email,
                fault: fault
            ),
            words: words,
            back: ConsolePath.passwordLink(token).path,
            status: member == nil ? .notFound : status
        )
    }

    private func choosePassword(_ request: Request, _ token: String) async throws -> Response {
        let words = site.book[gate.language(of: request)]
        let form = try await gate.strangersForm(of: request)
        func refuse(_ text: String, _ status: HTTPResponse.Status) async throws -> Response {
            try await linkPage(request, token, fault: text, status: status)
        }
        guard !ConsoleAuthenticator.isFromAnotherSite(request) else {
            return try await refuse(words("problem.stale_form.text"), .forbidden)
        }
        guard form["password"] == form["again"] else {
            return try await refuse(words("account.fault_again"), .unprocessableContent)
        }
        do {
            try await accounts.choosePassword(form["password"], passwordLink: token)
            return HTMLResponse.redirect(
                to: ConsolePath.login.query(FormFields([("password", "chosen")]))
            )
        } catch let error as ValidationError {
            return try await refuse(words(error.problems[0].reason), .unprocessableContent)
        } catch let refusal as RefusalError where refusal.code == .linkUnusable {
            return try await refuse(words(refusal.reason), .unprocessableContent)
        } catch let refusal as RefusalError {
            var response = try await refuse(words(refusal.reason), refusal.signInStatus)
            response.headers[.retryAfter] = refusal.retryAfterSeconds.map(String.init)
            return response
        }
    }
}

/// The member's account data, and the form for changing the password.
struct AccountPage {
    let name: String
    let email: String
    let role: String
    let workspace: String
    let signedIn: Moment?
    let action: String
    let secondFactorAddress: String
    let passkeysAddress: String
    let secondFactor: Moment?
    let sessions: SessionsPart
    /// Passwords are never written back into the page.
    let presentFault: String?
    let passwordFault: String?
    let againFault: String?

    init(_ fault: FormFieldError?, sessions: SessionsPart, context: ConsoleContext) {
        self.sessions = sessions
        passkeysAddress = ConsolePath.passkeys.path
        secondFactorAddress = ConsolePath.secondFactor.path
        secondFactor = context.member.secondFactorAt.map(context.moment)
        name = context.member.name
        email = context.member.email
        role = context.words(context.member.role.wordKey)
        workspace = context.home.name
        signedIn = context.member.lastSignedInAt.map(context.moment)
        action = ConsolePath.account.path
        func text(_ field: String) -> String? {
            fault.flatMap { $0.field == field ? $0.text : nil }
        }
        presentFault = text("present")
        passwordFault = text("password")
        againFault = text("again")
    }
}

/// The page of a link for a new password.
struct PasswordLinkPage {
    let action: String
    let loginAddress: String
    /// The member's address; `nil` if the link is invalid.
    let email: String?
    let fault: String?
}

extension RefusalError {
    /// Of a sign-in that was not tried.
    var signInStatus: HTTPResponse.Status {
        switch code {
        case .signInLimited: .tooManyRequests
        case .signInBusy: .serviceUnavailable
        default: .forbidden
        }
    }
}
