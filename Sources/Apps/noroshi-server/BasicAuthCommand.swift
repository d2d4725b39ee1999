import Accounts
import ArgumentParser
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

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "What templates call it.")
        var name: String
        @Option(help: "The user to sign in as.")
        var user: String

        func run() async throws {
            guard !name.isEmpty, !user.contains(":") else {
                throw ValidationError("--name is not empty, and --user holds no ':'")
            }
            guard let password = readLine(), !password.isEmpty else {
                throw ValidationError("give the password on standard input")
            }
            let workspace = try await options.open()
            let vault = BasicCredentialVault(
                store: workspace.store,
                key: try SecretKey.load(
                    path: workspace.settings.secretKeyPath,
                    random: World.live.random
                ),
                now: World.live.now
            )
            try await vault.save(
                BasicCredentials(user: user, password: password),
                named: name,
                in: workspace.id
            )
            try await workspace.recordChange("basic_auth_saved", name)
            print("Stored '\(name)' of '\(workspace.name)'.")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the names.")

        @OptionGroup var options: WorkspaceOptions

        func run() async throws {
            let workspace = try await options.open()
            for name in try await workspace.store.secretNames(in: workspace.id) { print(name) }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Forgets one.")

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "What templates call it.")
        var name: String

        func run() async throws {
            let workspace = try await options.open()
            guard try await workspace.store.deleteSecret(named: name, in: workspace.id) else {
                throw ValidationError("there are no credentials named '\(name)'")
            }
            try await workspace.recordChange("basic_auth_deleted", name)
            print("Deleted '\(name)' of '\(workspace.name)'.")
        }
    }
}
