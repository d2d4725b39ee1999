import Accounts
import ArgumentParser
import Model

/// The options of a command about one member.
struct NamedMemberOptions: ParsableArguments {
    @OptionGroup var options: WorkspaceOptions
    @Option(help: "The e-mail address of the member.")
    var email: String

    func open() async throws -> (workspace: WorkspaceHandle, member: Member) {
        let workspace = try await options.openExisting()
        guard let entry = try await workspace.members.member(email: email, in: workspace.id) else {
            throw ValidationError("nobody has the address \(email)")
        }
        return (workspace, entry.member)
    }
}
