import ArgumentParser
import Credentials
import Server

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
            try await workspace.basicCredentials().save(
                BasicCredentials(user: user, password: password),
                named: name,
                by: workspace.actor
            )
            print("Stored '\(name)' of '\(workspace.name)'.")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the names.")

        @OptionGroup var options: WorkspaceOptions

        func run() async throws {
            let workspace = try await options.open()
            let names = try await workspace.basicCredentials().names(in: workspace.id)
            for name in names { print(name) }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Forgets one.")

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "What templates call it.")
        var name: String

        func run() async throws {
            let workspace = try await options.open()
            guard
                try await workspace.basicCredentials().delete(name, by: workspace.actor)
            else { throw ValidationError("there are no credentials named '\(name)'") }
            print("Deleted '\(name)' of '\(workspace.name)'.")
        }
    }
}
