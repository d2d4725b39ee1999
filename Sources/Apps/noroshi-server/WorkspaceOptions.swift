import Accounts
import ArgumentParser
import Campaigns
import Credentials
import Crypto
import Facts
import Foundation
import Model
import Server
import StoreSQL

/// The options of a command that works on one workspace.
struct WorkspaceOptions: ParsableArguments {
    @OptionGroup var options: SettingsOptions
    @Option(help: "The workspace, where there are several.")
    var workspace: String?

    /// Opens the store and finds the workspace: the one that is named, or the only one.
    func open() async throws -> WorkspaceHandle {
        let settings = try await options.settings()
        return try await open(settings.openStore(), of: settings)
    }

    /// The same for a command that needs an existing database.
    func openExisting() async throws -> WorkspaceHandle {
        let settings = try await options.settings()
        return try await open(settings.openExistingStore(), of: settings)
    }

    private func open(_ store: SQLStore, of settings: Settings) async throws -> WorkspaceHandle {
        let summary = try await noroshi_server.workspace(workspace, in: store)
        return WorkspaceHandle(settings: settings, store: store, id: summary.id, name: summary.name)
    }
}

/// A workspace on which a command works, with or without a running server.
struct WorkspaceHandle {
    let settings: Settings
    let store: SQLStore
    let id: WorkspaceID
    let name: String

    /// The same workspace in a copy of its database.
    func with(_ copy: SQLStore) -> WorkspaceHandle {
        WorkspaceHandle(settings: settings, store: copy, id: id, name: name)
    }

    /// The account of the operating system.
    var actor: Actor { .commandLine(account: NSUserName(), id) }

    var accounts: AccountService {
        AccountService(
            store: store,
            now: ServerDependencies.live.now,
            random: ServerDependencies.live.random
        )
    }

    var members: MemberDirectory {
        MemberDirectory(store: store, accounts: accounts, now: ServerDependencies.live.now)
    }

    var workspaces: WorkspaceService {
        WorkspaceService(store: store, now: ServerDependencies.live.now)
    }

    var apps: AppService {
        AppService(store: store, now: ServerDependencies.live.now, makeToken: accounts.token)
    }

    var sdkKeys: SDKKeyService {
        SDKKeyService(store: store, now: ServerDependencies.live.now, makeID: { UUID() })
    }

    var groups: SubscriptionGroupService {
        SubscriptionGroupService(store: store, now: ServerDependencies.live.now, makeID: { UUID() })
    }

    func secondFactors() async throws -> SecondFactorService {
        SecondFactorService(
            store: store,
            accounts: accounts,
            vault: SecondFactorVault(key: try await secretKey()),
            now: ServerDependencies.live.now
        )
    }

    var passkeys: PasskeyService {
        PasskeyService(store: store, accounts: accounts, now: ServerDependencies.live.now)
    }

    /// Asks providers over the network; whoever lets it ask shuts it down.
    var openIDWeb: OpenIDWebClient {
        OpenIDWebClient(
            settings: settings,
            logger: settings.log.logger(LogLevel(settings.log.level))
        )
    }

    func openIDProviders(_ web: OpenIDWebClient? = nil) async throws -> OpenIDProviderService {
        OpenIDProviderService(
            store: store,
            vault: OpenIDVault(key: try await secretKey()),
            client: (web ?? openIDWeb).client,
            now: ServerDependencies.live.now
        )
    }

    /// The key that encrypts the secrets in the database; beside a file it is created if it is missing.
    private func secretKey() async throws -> SymmetricKey {
        let key = try SecretKey.load(settings, random: ServerDependencies.live.random)
        try await SecretKey.check(key, with: store, settings)
        return key
    }

    func basicCredentials() async throws -> BasicCredentialVault {
        BasicCredentialVault(
            store: store,
            key: try await secretKey(),
            now: ServerDependencies.live.now
        )
    }

    func factWebhooks() async throws -> FactWebhookService {
        FactWebhookService(
            store: store,
            vault: FactWebhookVault(key: try await secretKey()),
            now: ServerDependencies.live.now,
            random: ServerDependencies.live.random,
            makeID: { UUID() }
        )
    }

    func credentials() async throws -> CredentialService {
        let vault = CredentialVault(
            store: store,
            key: try await secretKey(),
            now: ServerDependencies.live.now
        )
        return CredentialService(
            store: store,
            vault: vault,
            inspector: ProviderCredentials(vault: vault, now: ServerDependencies.live.now),
            now: ServerDependencies.live.now
        )
    }
}

extension Settings {
    /// Opens the database, and creates it if it is missing.
    func openStore() throws -> SQLStore {
        try SQLStore(
            at: database,
            synchronous: synchronous,
            copiesBeforeUpdate: copiesBeforeUpdate,
            // A command asks one thing after the other.
            readers: 1
        )
    }

    func openExistingStore() throws -> SQLStore {
        try requireDatabase()
        return try openStore()
    }

    /// Rejects a file that does not exist yet. Of a database that does not exist PostgreSQL says so.
    func requireDatabase() throws {
        guard let path = database.path else { return }
        guard FileManager.default.fileExists(atPath: path) else {
            throw ValidationError("there is no database \(path); name it with --database")
        }
    }
}
