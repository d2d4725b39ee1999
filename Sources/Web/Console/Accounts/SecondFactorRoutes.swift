import Accounts
import HTTPTypes
import Hummingbird
import Model
import WebPages

/// A member's own second factor: setting it up, its recovery codes, and removing it.
struct SecondFactorRoutes: Sendable {
    private let site: ConsoleRenderer

    init(site: ConsoleRenderer) {
        self.site = site
    }

    private var factors: SecondFactorService { site.services.secondFactors }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = ConsoleAuthenticator(site: site)
        let get = gate.adder(of: .get, to: router)
        let post = gate.adder(of: .post, to: router)
        get(.secondFactor, .viewer) { context, _ in try await page(context) }
        post(.secondFactorStep(":step"), .viewer) { context, parameters in
            guard let step = Step(rawValue: try parameters.require("step")) else {
                throw PageError.notFound
            }
            do {
                return try await take(step, context)
            } catch let error as ValidationError {
                let text = context.words(error.problems[0].reason)
                let fault = FormFieldError(field: "present", text: text)
                return try await page(context, fault: fault, status: .unprocessableContent)
            } catch let refusal as RefusalError {
                let fault = FormFieldError(field: "present", text: context.words(refusal.reason))
                var response = try await page(context, fault: fault, status: refusal.signInStatus)
                response.headers[.retryAfter] = refusal.retryAfterSeconds.map(String.init)
                return response
            }
        }
    }

    /// What can be done on the page.
    enum Step: String {
        case begin, confirm, codes, remove

        var path: String { ConsolePath.secondFactorStep(rawValue).path }
    }

    private func take(_ step: Step, _ context: ConsoleContext) async throws -> Response {
        let member = context.member
        let form = context.form
        func wrongCode() async throws -> Response {
            let fault = FormFieldError(field: "code", text: context.words("factor.wrong"))
            return try await page(context, fault: fault, status: .unprocessableContent)
        }
        switch step {
        case .begin:
            let secret = try await factors.begin(
                by: member,
                password: form["present"],
                issuer: Self.issuer(context),
                from: context.clientAddress
            )
            return try await page(context, secret: secret)
        case .confirm:
            let codes = try await factors.confirm(
                form["code"],
                by: member,
                from: context.clientAddress
            )
            if let codes { return try await page(context, codes: codes) }
            // The app has the secret; it is not shown again without the password.
            return try await wrongCode()
        case .codes:
            let codes = try await factors.makeRecoveryCodes(
                by: member,
                password: form["present"],
                from: context.clientAddress
            )
            return try await page(context, codes: codes ?? [])
        case .remove:
            let isRemoved = try await factors.remove(
                by: member,
                password: form["present"],
                code: form["code"],
                from: context.clientAddress
            )
            guard isRemoved else { return try await wrongCode() }
            return HTMLResponse.redirect(
                to: FlashMessage.secondFactorRemoved.address(.secondFactor)
            )
        }
    }

    /// The name that apps show.
    private static func issuer(_ context: ConsoleContext) -> String {
        "Noroshi \(context.home.name)"
    }

    private func page(
        _ context: ConsoleContext,
        secret: TOTPSecret? = nil,
        codes: [String] = [],
        fault: FormFieldError? = nil,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        try site.page(
            "second-factor",
            SecondFactorPage(
                try await factors.factor(of: context.member.id),
                secret: secret,
                codes: codes,
                fault: fault,
                context: context
            ),
            title: context.words("factor.title"),
            place: nil,
            context: context,
            status: status
        )
    }
}

/// The page of a member's second factor.
struct SecondFactorPage {
    /// The secret, as a picture and to be typed.
    struct Secret {
        let size: Int
        let path: String
        let key: String
        let link: String
    }

    /// Another form on the page, with the password.
    struct Forms {
        let codes: String
        let remove: String
        let codesLeft: String
    }

    let accountAddress: String
    let email: String
    let isRequired: Bool
    /// Since when there is a second factor.
    let since: Moment?
    let begin: String?
    let secret: Secret?
    let confirm: String?
    /// The recovery codes, one in each line, when they were just made.
    let codes: String?
    let forms: Forms?
    let presentFault: String?
    let codeFault: String?

    init(
        _ factor: SecondFactor?,
        secret: TOTPSecret?,
        codes: [String],
        fault: FormFieldError?,
        context: ConsoleContext
    ) {
        typealias Step = SecondFactorRoutes.Step
        accountAddress = ConsolePath.account.path
        email = context.member.email
        isRequired = context.home.requiresSecondFactor && factor == nil
        since = factor?.confirmedAt.map(context.moment)
        self.secret = secret.flatMap { secret in
            QRCode(secret.link).map { code in
                Secret(
                    size: code.size + 8,
                    path: code.path,
                    key: secret.groups,
                    link: secret.link
                )
            }
        }
        begin = factor == nil && secret == nil ? Step.begin.path : nil
        let isAwaited = factor == nil && (secret != nil || fault?.field == "code")
        confirm = isAwaited ? Step.confirm.path : nil
        self.codes = codes.isEmpty ? nil : codes.joined(separator: "\n")
        forms = factor.map {
            Forms(
                codes: Step.codes.path,
                remove: Step.remove.path,
                codesLeft: context.words.counted("factor.codes_left", $0.recoveryCodes)
            )
        }
        func text(_ field: String) -> String? {
            fault.flatMap { $0.field == field ? $0.text : nil }
        }
        presentFault = text("present")
        codeFault = text("code")
    }
}
