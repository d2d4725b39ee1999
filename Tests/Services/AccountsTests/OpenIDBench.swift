import Accounts
import Credentials
import Crypto
import Foundation
import Logging
import Model
import NoroshiWire
import Synchronization

/// A workspace whose members sign in with a provider.
struct OpenIDBench {
    static let redirect = "https://push.example.com/console/login/openid/1/return"
    static let place = "192.0.2.1"

    let accounts: AccountsBench
    let provider: TestProvider
    let providers: OpenIDProviderService
    let signIns: OpenIDSignInService

    static func open(_ work: (OpenIDBench) async throws -> Void) async throws {
        try await AccountsBench.open { accounts in
            let provider = try TestProvider.withRSA()
            let vault = OpenIDVault(key: SymmetricKey(size: .bits256))
            let client = OpenIDProviderClient(fetcher: provider, now: { accounts.clock.now })
            try await work(
                OpenIDBench(
                    accounts: accounts,
                    provider: provider,
                    providers: OpenIDProviderService(
                        store: accounts.store,
                        vault: vault,
                        client: client,
                        now: { accounts.clock.now }
                    ),
                    signIns: OpenIDSignInService(
                        store: accounts.store,
                        accounts: accounts.service,
                        vault: vault,
                        client: client,
                        now: { accounts.clock.now },
                        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                    )
                )
            )
        }
    }

    var workspace: WorkspaceID { accounts.viewer.workspace }

    @discardableResult
    func setUp(
        _ change: (inout OpenIDProviderService.Draft) -> Void = { _ in }
    ) async throws -> OpenIDProvider {
        var draft = OpenIDProviderService.Draft(
            name: "Tea ID",
            issuer: TestProvider.issuer,
            clientID: TestProvider.client,
            secret: TestProvider.secret
        )
        change(&draft)
        return try await providers.save(draft, by: .member(accounts.administrator))
    }

    func place(
        browser: String = "browser",
        address: String? = Self.place
    ) -> OpenIDSignInService.Place {
        OpenIDSignInService.Place(
            browser: browser,
            redirect: Self.redirect,
            address: address,
            userAgent: "Firefox"
        )
    }

    /// Begins a sign-in.
    ///
    /// - Returns: What the provider's address says.
    func begin(browser: String = "browser", back: String = "/console/push") async throws
        -> [String: String]
    {
        let address = try await signIns.begin(
            in: workspace,
            at: place(browser: browser),
            back: back
        )
        let query = (address ?? "").split(separator: "?", maxSplits: 1).last.map(String.init) ?? ""
        return TestProvider.fields(query)
    }

    /// Lets somebody sign in at the provider.
    ///
    /// - Returns: The code that the browser brings back.
    func letIn(
        _ begun: [String: String],
        subject: String = "s-1",
        email: String? = "ren@example.com",
        isVerified: Bool = true,
        _ changes: [String: JSONValue] = [:],
        header: [String: JSONValue] = [:]
    ) throws -> String {
        let time = Int64(accounts.clock.now.timeIntervalSince1970)
        var claims: [String: JSONValue] = [
            "iss": .string(TestProvider.issuer), "sub": .string(subject),
            "aud": .string(TestProvider.client), "nonce": .string(begun["nonce"] ?? ""),
            "exp": .integer(time + 300), "iat": .integer(time), "name": "Ren Abe",
            "email_verified": .bool(isVerified),
        ]
        claims["email"] = email.map(JSONValue.string)
        let key = provider.state.withLock { $0.keys[0].key }
        let token = try TestProvider.token(
            claims.merging(changes) { $1 },
            by: key,
            header: header
        )
        let code = "code-\(begun["state"] ?? "")"
        provider.change { $0.tokens[code] = token }
        return code
    }

    func complete(
        _ begun: [String: String],
        code: String,
        error: String = "",
        issuer: String = "",
        browser: String = "browser",
        address: String? = Self.place
    ) async throws -> (signIn: SignIn, back: String) {
        try await signIns.complete(
            OpenIDSignInService.Answer(
                state: begun["state"] ?? "",
                code: code,
                error: error,
                issuer: issuer
            ),
            in: workspace,
            at: place(browser: browser, address: address)
        )
    }

    /// The whole of a sign-in.
    @discardableResult
    func signIn(
        subject: String = "s-1",
        email: String? = "ren@example.com",
        isVerified: Bool = true,
        _ changes: [String: JSONValue] = [:]
    ) async throws -> SignIn {
        let begun = try await begin()
        let code = try letIn(
            begun,
            subject: subject,
            email: email,
            isVerified: isVerified,
            changes
        )
        return try await complete(begun, code: code).signIn
    }

    /// Why a sign-in was refused; `nil` if it was not.
    func refusal(_ work: () async throws -> Void) async throws -> RefusalReason? {
        do {
            try await work()
            return nil
        } catch let refusal as RefusalError {
            return refusal.code
        }
    }
}
