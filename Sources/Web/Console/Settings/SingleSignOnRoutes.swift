import Accounts
import Hummingbird
import Model
import WebPages

/// The provider with which the workspace's members sign in.
struct SingleSignOnRoutes: Sendable {
    private let site: ConsoleRenderer

    init(site: ConsoleRenderer) {
        self.site = site
    }

    private var providers: OpenIDProviderService { site.services.openIDProviders }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = ConsoleAuthenticator(site: site)
        let get = gate.adder(of: .get, to: router)
        let post = gate.adder(of: .post, to: router)
        get(.singleSignOn, .administrator) { context, _ in
            try await page(try await stored(context) ?? SingleSignOnForm(), context)
        }
        post(.singleSignOn, .administrator) { context, _ in try await save(context) }
        post(.trySingleSignOn, .administrator) { context, _ in try await look(context) }
        post(.removeSingleSignOn, .administrator) { context, _ in
            // One that is gone already is not an error.
            _ = try await providers.remove(by: context.actor)
            return HTMLResponse.redirect(
                to: FlashMessage.singleSignOnRemoved.address(.singleSignOn)
            )
        }
    }

    private func stored(_ context: ConsoleContext) async throws -> SingleSignOnForm? {
        try await providers.provider(of: context.workspace).map(SingleSignOnForm.init)
    }

    private func save(_ context: ConsoleContext) async throws -> Response {
        let form = SingleSignOnForm(context.form)
        do {
            _ = try await providers.save(form.draft, by: context.actor)
            return HTMLResponse.redirect(
                to: FlashMessage.singleSignOnSaved.address(.singleSignOn)
            )
        } catch let error as ValidationError {
            let faults = error.problems.map { FormFieldError($0, at: \.description, context.words) }
            return try await page(form, context, faults: faults)
        }
    }

    /// Reads what the provider publishes, without storing anything.
    private func look(_ context: ConsoleContext) async throws -> Response {
        let form = SingleSignOnForm(context.form)
        do {
            let found = try await providers.look(at: form.draft.issuer, by: context.actor)
            return try await page(form, context, finding: .works(found))
        } catch let flaw as OpenIDError {
            return try await page(form, context, finding: .flaw(flaw))
        } catch let error as ValidationError {
            let faults = error.problems.map { FormFieldError($0, at: \.description, context.words) }
            return try await page(form, context, faults: faults)
        }
    }

    private func page(
        _ form: SingleSignOnForm,
        _ context: ConsoleContext,
        faults: [FormFieldError] = [],
        finding: SingleSignOnPage.Finding? = nil
    ) async throws -> Response {
        try site.settingsPage(
            "settings-single-sign-on",
            .singleSignOn,
            context,
            SingleSignOnPage(
                form,
                isStored: try await providers.provider(of: context.workspace) != nil,
                faults: faults,
                finding: finding,
                context: context
            ),
            isWrong: !faults.isEmpty
        )
    }
}

/// The raw fields of a provider's settings.
struct SingleSignOnForm: Sendable {
    var name = ""
    var issuer = ""
    var clientID = ""
    /// Never written back into the page.
    var secret = ""
    var isOnlyWay = false
    var isSecondFactor = true
    /// Separated by spaces or commas.
    var domains = ""
    var role = Member.Role.viewer

    init() {}

    init(_ provider: OpenIDProvider) {
        name = provider.name
        issuer = provider.issuer
        clientID = provider.clientID
        isOnlyWay = provider.isOnlyWay
        isSecondFactor = provider.isSecondFactor
        domains = provider.domains.joined(separator: " ")
        role = provider.newcomerRole
    }

    init(_ fields: FormFields) {
        name = fields["name"]
        issuer = fields.trimmed("issuer")
        clientID = fields["client_id"]
        secret = fields["secret"]
        isOnlyWay = fields["only_way"] == "yes"
        isSecondFactor = fields["second_factor"] == "yes"
        domains = fields["domains"]
        role = Member.Role(rawValue: fields["role"]) ?? .viewer
    }

    var draft: OpenIDProviderService.Draft {
        OpenIDProviderService.Draft(
            name: name,
            issuer: issuer,
            clientID: clientID,
            secret: secret,
            isOnlyWay: isOnlyWay,
            isSecondFactor: isSecondFactor,
            domains: domains.split { $0.isWhitespace || $0 == "," || $0 == "、" }.map(String.init),
            newcomerRole: role
        )
    }
}
