import Accounts
import ArgumentParser
import Model
import Ports
import Server

struct MemberCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "member",
        abstract: "People who use the console.",
        subcommands: [Create.self]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a sign-in; the password is printed once, alone on the last line."
        )

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "The e-mail address to sign in with.")
        var email: String
        @Option(help: "The person's name.")
        var name: String
        @Option(help: "viewer, marketer or administrator.")
        var role = "administrator"

        func run() async throws {
            guard let role = Member.Role(rawValue: role) else {
                throw ValidationError("--role is viewer, marketer or administrator")
            }
            let workspace = try await options.open()
            let password = String(workspace.accounts.token().prefix(20))
            _ = try await workspace.accounts.createMember(
                name: name,
                email: email,
                password: password,
                role: role,
                in: workspace.id
            )
            try await workspace.recordChange("member_added", email, detail: role.rawValue)
            print("\(email) can sign in to '\(workspace.name)' with this password:")
            print(password)
        }
    }
}
