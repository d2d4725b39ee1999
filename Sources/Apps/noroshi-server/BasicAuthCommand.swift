import Accounts
import ArgumentParser
import Ports
import Server
import StoreSQLite

/// Names and passwords that `connected_content` sends with `:basic_auth`.
struct BasicAuthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "basic-auth",
        abstract: "What connected_content sends with :basic_auth, kept encrypted by name.",
        subcommands: [Set.self, List.self, Delete.self]
    )

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stores a user and password; the password is read from standard input."
        )

        @OptionGroup var options: SettingsOptions
        @Option(help: "What templates call it.")
        var name: String
        @Option(help: "The user to sign in as.")
        var user: String
        @Option(help: "The workspace, where there are several.")
        var workspace: String?

        func run() async throws {
            guard !name.isEmpty, !user.contains(":") else {
                throw ValidationError("--name is not empty, and --user holds no ':'")
            }
            guard let password = readLine(), !password.isEmpty else {
                throw ValidationError("give the password on standard input")
            }
            let settings = try await options.settings()
            let store = try SQLiteStore(
                path: settings.databasePath,
                synchronous: settings.synchronous
            )
            let owner = try await noroshi_server.workspace(workspace, in: store)
            let vault = BasicCredentialVault(
                store: store,
                key: try SecretKey.load(path: settings.secretKeyPath, random: World.live.random),
                now: World.live.now
            )
            try await vault.save(
                BasicCredentials(user: user, password: password),
                named: name,
                in: owner.id
            )
            print("Stored '\(name)' of '\(owner.name)'.")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the names.")

        @OptionGroup var options: SettingsOptions
        @Option(help: "The workspace, where there are several.")
        var workspace: String?

        func run() async throws {
            let settings = try await options.settings()
            let store = try SQLiteStore(path: settings.databasePath)
            let owner = try await noroshi_server.workspace(workspace, in: store)
            for name in try await store.secretNames(in: owner.id) { print(name) }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Forgets one.")

        @OptionGroup var options: SettingsOptions
        @Option(help: "What templates call it.")
        var name: String
        @Option(help: "The workspace, where there are several.")
        var workspace: String?

        func run() async throws {
            let settings = try await options.settings()
            let store = try SQLiteStore(path: settings.databasePath)
            let owner = try await noroshi_server.workspace(workspace, in: store)
            guard try await store.deleteSecret(named: name, in: owner.id) else {
                throw ValidationError("there are no credentials named '\(name)'")
            }
            print("Deleted '\(name)' of '\(owner.name)'.")
        }
    }
}
