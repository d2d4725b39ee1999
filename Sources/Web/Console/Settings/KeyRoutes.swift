import Accounts
import Hummingbird
import Model
import WebPages

/// The keys of the REST API.
struct KeyRoutes: Sendable {
    private let site: ConsoleRenderer

    init(site: ConsoleRenderer) {
        self.site = site
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = ConsoleAuthenticator(site: site)
        let get = gate.adder(of: .get, to: router)
        let post = gate.adder(of: .post, to: router)
        get(.apiKeys, .administrator) { context, _ in try await list(context) }
        post(.apiKeys, .administrator) { context, _ in try await create(context) }
        post(.revokeAPIKey, .administrator) { context, _ in
            // A key that was already revoked is not an error.
            _ = try await site.services.accounts.revokeAPIKey(
                named: context.form["name"],
                by: context.actor
            )
            return HTMLResponse.redirect(to: FlashMessage.keyRevoked.address(.apiKeys))
        }
    }

    private func create(_ context: ConsoleContext) async throws -> Response {
        var (addresses, faults) = addresses(context)
        let end = LocalDays(context.zone).end(ofDayNamed: context.form["until"])
        if end == nil, !context.form["until"].isEmpty {
            faults.append(
                FormFieldError(
                    FieldProblem(.apiKey(.until), .keyEnded),
                    at: \.description,
                    context.words
                )
            )
        }
        guard faults.isEmpty else { return try await list(context, faults: faults) }
        do {
            let secret = try await site.services.accounts.createAPIKey(
                name: context.form.trimmed("name"),
                permissions: Set(context.form.all("permission"))
                    .intersection(site.services.apiPermissions + [KeysPage.all]),
                allowedAddresses: addresses,
                // The key is good on its last day too.
                expiresAt: end,
                by: context.actor
            )
            return try await list(context, secret: secret)
        } catch let error as ValidationError {
            faults = error.problems.map { FormFieldError($0, at: \.description, context.words) }
        }
        return try await list(context, faults: faults)
    }

    /// The ranges, and what is none.
    private func addresses(_ context: ConsoleContext) -> ([AddressRange], [FormFieldError]) {
        var ranges: [AddressRange] = []
        var faults: [FormFieldError] = []
        for text in context.form["addresses"].split(whereSeparator: { $0.isWhitespace || $0 == "," }
        ) {
            if let range = AddressRange(String(text)) {
                ranges.append(range)
            } else {
                let text = context.words("fault.address_range", ["address": String(text)])
                faults.append(FormFieldError(field: "addresses", text: text))
            }
        }
        return (ranges, faults)
    }

    private func list(
        _ context: ConsoleContext,
        secret: String? = nil,
        faults: [FormFieldError] = []
    ) async throws -> Response {
        let keys = try await site.services.accounts.apiKeys(in: context.workspace)
        return try site.settingsPage(
            "settings-keys",
            .keys,
            context,
            KeysPage(
                keys.filter { $0.revokedAt == nil },
                permissions: site.services.apiPermissions,
                secret: secret,
                faults: faults,
                context: context
            ),
            isWrong: !faults.isEmpty
        )
    }
}
