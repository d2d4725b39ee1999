import Accounts
import ArgumentParser
import Foundation
import Model
import Server

struct MemberCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "member",
        abstract: "People who use the console.",
        subcommands: [
            Create.self, Add.self, PasswordLink.self, EndSessions.self, SecondFactors.self,
            RemoveSecondFactor.self, RemovePasskey.self, OpenIDCommand.self,
        ]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a sign-in; the password is printed once, alone on the last line.",
            discussion: """
                Whoever has a sign-in to another workspace of this server becomes a member with \
                it; then no password is printed.
                """
        )

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "The e-mail address to sign in with.")
        var email: String
        @Option(help: "The person's name.")
        var name: String
        @Option(help: "viewer, marketer or administrator.")
        var role = "administrator"
        @Flag(help: "Prints a path with which they choose a password, in place of one.")
        var passwordLink = false

        func run() async throws {
            guard let role = Member.Role(rawValue: role) else {
                throw ValidationError("--role is viewer, marketer or administrator")
            }
            let workspace = try await options.open()
            let password = passwordLink ? nil : String(workspace.accounts.token().prefix(20))
            let (entry, link) = try await workspace.members.invite(
                MemberDirectory.Draft(email: email, name: name, role: role, password: password),
                by: workspace.actor
            )
            if entry.belongsElsewhere {
                Add.say(entry, in: workspace)
            } else if let password {
                print("\(email) can sign in to '\(workspace.name)' with this password:")
                print(password)
            } else if let link {
                PasswordLink.say(link)
            } else {
                print("\(email) can sign in to '\(workspace.name)' with its provider")
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a member of one workspace a member of another one too."
        )

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "The e-mail address with which they sign in.")
        var email: String
        @Option(help: "viewer, marketer or administrator.")
        var role = "viewer"

        func run() async throws {
            guard let role = Member.Role(rawValue: role) else {
                throw ValidationError("--role is viewer, marketer or administrator")
            }
            let workspace = try await options.openExisting()
            do {
                let entry = try await workspace.members.addKnown(
                    email: email,
                    role: role,
                    by: workspace.actor
                )
                Self.say(entry, in: workspace)
            } catch let refusal as RefusalError where refusal.code == .noMember {
                throw ValidationError(
                    "--email: nobody who may sign in has the address \(email); "
                        + "make them a member with member create"
                )
            }
        }

        static func say(_ entry: MemberEntry, in workspace: WorkspaceHandle) {
            print(
                "\(entry.member.email) can open '\(workspace.name)' as "
                    + "\(entry.member.role.rawValue), with the password that they have"
            )
        }
    }

    struct PasswordLink: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "password-link",
            abstract: "Prints a path with which a member chooses a new password, once."
        )

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "The e-mail address of the member.")
        var email: String

        func run() async throws {
            let workspace = try await options.openExisting()
            guard
                let entry = try await workspace.members.member(email: email, in: workspace.id),
                let made = try await workspace.accounts.makePasswordLink(
                    for: entry.member.id,
                    by: workspace.actor
                )
            else { throw ValidationError("nobody who may sign in has the address \(email)") }
            Self.say(made)
        }

        static func say(_ link: Accounts.PasswordLink) {
            print(
                "\(link.member.email) can choose a new password at this path of the server, once,"
            )
            print("within 24 hours:")
            print(link.path)
        }
    }

    struct EndSessions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "end-sessions",
            abstract: "Ends all sign-ins of a member."
        )

        @OptionGroup var options: NamedMemberOptions

        func run() async throws {
            let (workspace, member) = try await options.open()
            let count = try await workspace.accounts.endSessions(
                of: member.id,
                by: workspace.actor
            )
            print("ended \(count) sign-ins of \(member.email)")
        }
    }

    struct SecondFactors: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "second-factors",
            abstract: "Lists what a member signs in with besides the password."
        )

        @OptionGroup var options: NamedMemberOptions

        func run() async throws {
            let (workspace, member) = try await options.open()
            let factor = try await workspace.secondFactors().factor(
                of: member,
                by: workspace.actor
            )
            let passkeys = try await workspace.passkeys.passkeys(
                of: member.id,
                by: workspace.actor
            )
            if let factor, let since = factor.confirmedAt {
                print(
                    "authenticator app since \(Timestamp.format(since)), "
                        + "\(factor.recoveryCodes) recovery codes left"
                )
            }
            for passkey in passkeys {
                let used = passkey.lastUsedAt.map(Timestamp.format) ?? "never"
                print("passkey \(passkey.id) '\(passkey.name)', last used: \(used)")
            }
            if factor == nil, passkeys.isEmpty {
                print("\(member.email) signs in with the password alone")
            }
        }
    }

    struct RemovePasskey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-passkey",
            abstract: "Removes a passkey of a member."
        )

        @OptionGroup var options: NamedMemberOptions
        @Option(help: "The number of the passkey; see member second-factors.")
        var id: Int64

        func run() async throws {
            let (workspace, member) = try await options.open()
            guard
                try await workspace.passkeys.remove(
                    PasskeyID(id),
                    of: member.id,
                    by: workspace.actor
                )
            else { throw ValidationError("\(member.email) has no passkey with the number \(id)") }
            print("\(member.email) has one passkey less")
        }
    }

    struct RemoveSecondFactor: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-second-factor",
            abstract: "Lets a member who has lost the app sign in with the password alone."
        )

        @OptionGroup var options: NamedMemberOptions

        func run() async throws {
            let (workspace, member) = try await options.open()
            guard
                try await workspace.secondFactors().remove(of: member.id, by: workspace.actor)
            else { throw ValidationError("\(member.email) has no second factor") }
            print("\(member.email) signs in with the password alone")
        }
    }
}
