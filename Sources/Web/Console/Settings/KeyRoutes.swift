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
        get(.apiKeys, .administrator) { visit, _ in try await list(visit) }
        post(.apiKeys, .administrator) { visit, _ in try await create(visit) }
        post(.revokeAPIKey, .administrator) { visit, _ in
            // A key that was already revoked is not an error.
            _ = try await site.services.accounts.revokeAPIKey(
                named: visit.form["name"],
                by: visit.actor
            )
            return HTMLResponse.redirect(to: FlashMessage.keyRevoked.address(.apiKeys))
        }
    }

    private func create(_ visit: Visit) async throws -> Response {
        var (addresses, faults) = addresses(visit)
        let end = LocalDays(visit.zone).end(ofDayNamed: visit.form["until"])
        if end == nil, !visit.form["until"].isEmpty {
            faults.append(
                FormFault(FieldProblem(.apiKey(.until), .keyEnded), at: \.description, visit.words)
            )
        }
        guard faults.isEmpty else { return try await list(visit, faults: faults) }
        do {
            let secret = try await site.services.accounts.createAPIKey(
                name: visit.form.trimmed("name"),
                permissions: Set(visit.form.all("permission"))
                    .intersection(site.services.apiPermissions + [KeysPage.all]),
                allowedAddresses: addresses,
                // The key is good on its last day too.
                expiresAt: end,
                by: visit.actor
            )
            return try await list(visit, secret: secret)
        } catch let error as ValidationError {
            faults = error.problems.map { FormFault($0, at: \.description, visit.words) }
        }
        return try await list(visit, faults: faults)
    }

    /// The ranges, and what is none.
    private func addresses(_ visit: Visit) -> ([AddressRange], [FormFault]) {
        var ranges: [AddressRange] = []
        var faults: [FormFault] = []
        for text in visit.form["addresses"].split(whereSeparator: { $0.isWhitespace || $0 == "," })
        {
            if let range = AddressRange(String(text)) {
                ranges.append(range)
            } else {
                let text = visit.words("fault.address_range", ["address": String(text)])
                faults.append(FormFault(field: "addresses", text: text))
            }
        }
        return (ranges, faults)
    }

    private func list(
        _ visit: Visit,
        secret: String? = nil,
        faults: [FormFault] = []
    ) async throws -> Response {
        let keys = try await site.services.accounts.apiKeys(in: visit.workspace)
        return try site.settingsPage(
            "settings-keys",
            .keys,
            visit,
            KeysPage(
                keys.filter { $0.revokedAt == nil },
                permissions: site.services.apiPermissions,
                secret: secret,
                faults: faults,
                visit: visit
            ),
            isWrong: !faults.isEmpty
        )
    }
}
