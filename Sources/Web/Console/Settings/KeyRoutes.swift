import Accounts
import Foundation
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
        let fault: FormFault
        do {
            let secret = try await site.services.accounts.createAPIKey(
                name: visit.form["name"].trimmingCharacters(in: .whitespaces),
                permissions: Set(visit.form.all("permission"))
                    .intersection(site.services.apiPermissions + [KeysPage.all]),
                allowedAddresses: try addresses(visit),
                by: visit.actor
            )
            return try await list(visit, secret: secret)
        } catch let problem as FormFault {
            fault = problem
        } catch let error as ValidationError {
            fault = FormFault(error.problems[0], at: \.description, visit.words)
        }
        return try await list(visit, fault: fault)
    }

    private func addresses(_ visit: Visit) throws(FormFault) -> [AddressRange] {
        var ranges: [AddressRange] = []
        for text in visit.form["addresses"].split(whereSeparator: { $0.isWhitespace || $0 == "," })
        {
            guard let range = AddressRange(String(text)) else {
                throw FormFault(
                    field: "addresses",
                    text: visit.words("fault.address_range", ["address": String(text)])
                )
            }
            ranges.append(range)
        }
        return ranges
    }

    private func list(
        _ visit: Visit,
        secret: String? = nil,
        fault: FormFault? = nil
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
                fault: fault,
                visit: visit
            ),
            isWrong: fault != nil
        )
    }
}
