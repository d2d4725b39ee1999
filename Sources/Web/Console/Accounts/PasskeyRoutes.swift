import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import Model
import WebPages

/// A member's own passkeys: made, named and removed.
struct PasskeyRoutes: Sendable {
    private let site: ConsoleRenderer

    init(site: ConsoleRenderer) {
        self.site = site
    }

    private var passkeys: PasskeyService { site.services.passkeys }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let gate = ConsoleAuthenticator(site: site)
        let get = gate.adder(of: .get, to: router)
        let post = gate.adder(of: .post, to: router)
        get(.passkeys, .viewer) { context, _ in try await page(context) }
        post(.passkeyChallenge, .viewer) { context, _ in try await challenge(context) }
        post(.passkeys, .viewer) { context, _ in try await addPasskey(context) }
        post(.removePasskey(":passkey"), .viewer) { context, parameters in
            let id = PasskeyID(try parameters.require("passkey", as: Int64.self))
            guard try await passkeys.remove(id, of: context.member.id, by: context.actor) else {
                throw PageError.notFound
            }
            return HTMLResponse.redirect(to: FlashMessage.passkeyRemoved.address(.passkeys))
        }
    }

    /// What a browser needs for making a passkey, or why it may not.
    private struct Creation: Encodable {
        var challenge = ""
        var server = ""
        var user = ""
        var name = ""
        var displayName = ""
        var known: [String] = []
        var fault: String?
    }

    private func challenge(_ context: ConsoleContext) async throws -> Response {
        var creation = Creation()
        var status = HTTPResponse.Status.ok
        do {
            let challenge = try await passkeys.begin(
                by: context.member,
                password: context.form["present"],
                from: context.clientAddress
            )
            creation.challenge = Base64URL.text(challenge)
            creation.server = PasskeyCeremony(origin: context.origin)?.server ?? ""
            creation.user = Base64URL.text(passkeys.userHandle(context.member.id))
            creation.name = context.member.email
            creation.displayName = context.member.name
            creation.known = try await passkeys.passkeys(of: context.member.id, by: context.actor)
                .map { Base64URL.text($0.credentialID) }
        } catch let error as ValidationError {
            creation.fault = context.words(error.problems[0].reason)
            status = .unprocessableContent
        } catch let refusal as RefusalError {
            creation.fault = context.words(refusal.reason)
            status = refusal.signInStatus
        }
        return HTMLResponse.json(try JSONEncoder().encode(creation), status: status)
    }

    private func addPasskey(_ context: ConsoleContext) async throws -> Response {
        guard let ceremony = PasskeyCeremony(origin: context.origin),
            let answer = PasskeyAnswer(context.form["credential"]),
            let registration = answer.registration
        else { return try await page(context, isRefused: true) }
        do {
            try await passkeys.add(
                registration,
                name: context.form["name"],
                by: context.member,
                ceremony: ceremony
            )
        } catch is PasskeyError {
            return try await page(context, isRefused: true)
        }
        return HTMLResponse.redirect(to: FlashMessage.passkeyAdded.address(.passkeys))
    }

    private func page(_ context: ConsoleContext, isRefused: Bool = false) async throws -> Response {
        try site.page(
            "passkeys",
            PasskeysPage(
                try await passkeys.passkeys(of: context.member.id, by: context.actor),
                isRefused: isRefused,
                context: context
            ),
            title: context.words("passkeys.title"),
            place: nil,
            context: context,
            status: isRefused ? .unprocessableContent : .ok
        )
    }
}

/// What the page's script sends about a passkey, as JSON with texts of base64url.
struct PasskeyAnswer: Decodable {
    var id: String?
    var clientData: String
    var attestation: String?
    var authenticatorData: String?
    var signature: String?
    var userHandle: String?

    init?(_ text: String) {
        guard text.utf8.count <= 65_536,
            let answer = try? JSONDecoder().decode(Self.self, from: Data(text.utf8))
        else { return nil }
        self = answer
    }

    var registration: PasskeyService.Registration? {
        guard let clientData = Base64URL.bytes(clientData),
            let attestation = attestation.flatMap(Base64URL.bytes)
        else { return nil }
        return PasskeyService.Registration(clientData: clientData, attestation: attestation)
    }

    var assertion: PasskeyService.Assertion? {
        guard let id = id.flatMap(Base64URL.bytes), let clientData = Base64URL.bytes(clientData),
            let authenticatorData = authenticatorData.flatMap(Base64URL.bytes),
            let signature = signature.flatMap(Base64URL.bytes)
        else { return nil }
        return PasskeyService.Assertion(
            credentialID: id,
            clientData: clientData,
            authenticatorData: authenticatorData,
            signature: signature,
            userHandle: userHandle.flatMap(Base64URL.bytes)
        )
    }
}

extension PasskeyCeremony {
    /// At the pages of an origin such as `https://push.example.com`; `nil` if it has no host.
    init?(origin: String) {
        guard let host = URLComponents(string: origin)?.host, !host.isEmpty else { return nil }
        self.init(origin: origin, server: host)
    }
}

/// The page of a member's passkeys.
struct PasskeysPage {
    struct Row {
        let name: String
        let since: Moment
        let used: Moment?
        let removeAction: String
        let removeQuestion: String
    }

    let accountAddress: String
    let email: String
    let rows: [Row]
    let isEmpty: Bool
    let action: String
    let challengeAction: String
    let isRefused: Bool

    init(_ passkeys: [Passkey], isRefused: Bool, context: ConsoleContext) {
        accountAddress = ConsolePath.account.path
        email = context.member.email
        rows = passkeys.map { passkey in
            Row(
                name: passkey.name,
                since: context.moment(passkey.createdAt),
                used: passkey.lastUsedAt.map(context.moment),
                removeAction: ConsolePath.removePasskey("\(passkey.id)").path,
                removeQuestion: context.words("passkeys.remove_confirm", ["name": passkey.name])
            )
        }
        isEmpty = rows.isEmpty
        action = ConsolePath.passkeys.path
        challengeAction = ConsolePath.passkeyChallenge.path
        self.isRefused = isRefused
    }
}
