import Accounts
import ArgumentParser
import Foundation
import Model
import Ports
import Server
import StoreSQLite

/// What the commands that change accounts share: the store and the service over it.
func accounts(_ options: SettingsOptions) async throws -> (SQLiteStore, AccountService) {
    let settings = try await options.settings()
    let store = try SQLiteStore(path: settings.databasePath, synchronous: settings.synchronous)
    let world = World.live
    return (store, AccountService(store: store, now: world.now, random: world.random))
}

/// Writes down what was changed here, by the account of the operating system.
func recordChange(
    _ action: String,
    _ subject: String,
    detail: String = "",
    of workspace: WorkspaceID,
    in store: SQLiteStore
) async throws {
    try await AuditLog(store: store, origin: .commandLine, now: World.live.now).record(
        action,
        subject,
        detail: detail,
        by: NSUserName(),
        in: workspace
    )
}

struct APIKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apikey",
        abstract: "Keys of the REST API.",
        subcommands: [Create.self, List.self, Revoke.self]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a key; its secret is printed once, alone on the last line."
        )

        @OptionGroup var options: SettingsOptions
        @Option(help: "What the key is called in lists.")
        var name: String
        @Option(help: "Endpoints, such as users.track,messages.send; * for all.")
        var permissions: String
        @Option(help: "Addresses it may be used from, such as 10.0.0.0/8,2001:db8::/32.")
        var allow: String?
        @Option(help: "The workspace, where there are several.")
        var workspace: String?

        func run() async throws {
            let permissions = Set(
                self.permissions.split(separator: ",").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }.filter { !$0.isEmpty }
            )
            guard !permissions.isEmpty else {
                throw ValidationError("--permissions names no endpoint; * allows all")
            }
            let addresses = try (allow ?? "").split(separator: ",").map { text in
                let range = text.trimmingCharacters(in: .whitespaces)
                guard let addresses = AddressRange(range) else {
                    throw ValidationError("--allow: '\(range)' is no address or range")
                }
                return addresses
            }
            let (store, accounts) = try await accounts(options)
            let owner = try await noroshi_server.workspace(workspace, in: store)
            let secret = try await accounts.createAPIKey(
                name: name,
                permissions: permissions,
                allowedAddresses: addresses,
                in: owner.id
            )
            try await recordChange(
                "key_created",
                name,
                detail: permissions.sorted().joined(separator: ", "),
                of: owner.id,
                in: store
            )
            print("The key '\(name)' of '\(owner.name)'. It is not shown again:")
            print(secret)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the keys.")

        @OptionGroup var options: SettingsOptions
        @Option(help: "The workspace, where there are several.")
        var workspace: String?

        func run() async throws {
            let (store, _) = try await accounts(options)
            let owner = try await noroshi_server.workspace(workspace, in: store)
            for key in try await store.apiKeys(in: owner.id) {
                let places = key.allowedAddresses.map(\.description).joined(separator: ",")
                let use = key.lastUsedAt.map { "last used \(Timestamp.format($0))" }
                print(
                    [
                        key.name, key.permissions.sorted().joined(separator: ","),
                        places.isEmpty ? nil : "from \(places)", use ?? "never used",
                        key.revokedAt == nil ? nil : "(revoked)",
                    ].compactMap(\.self).joined(separator: "  ")
                )
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes a key useless at once.")

        @OptionGroup var options: SettingsOptions
        @Option(help: "The name of the key.")
        var name: String
        @Option(help: "The workspace, where there are several.")
        var workspace: String?

        func run() async throws {
            let (store, _) = try await accounts(options)
            let owner = try await noroshi_server.workspace(workspace, in: store)
            let isRevoked = try await store.revokeAPIKey(
                named: name,
                in: owner.id,
                now: World.live.now()
            )
            guard isRevoked else { throw ValidationError("there is no key '\(name)'") }
            try await recordChange("key_revoked", name, of: owner.id, in: store)
            print("The key '\(name)' is revoked.")
        }
    }
}

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

        @OptionGroup var options: SettingsOptions
        @Option(help: "The e-mail address to sign in with.")
        var email: String
        @Option(help: "The person's name.")
        var name: String
        @Option(help: "viewer, marketer or administrator.")
        var role = "administrator"
        @Option(help: "The workspace, where there are several.")
        var workspace: String?

        func run() async throws {
            guard let role = Member.Role(rawValue: role) else {
                throw ValidationError("--role is viewer, marketer or administrator")
            }
            let (store, accounts) = try await accounts(options)
            let owner = try await noroshi_server.workspace(workspace, in: store)
            let password = String(accounts.token().prefix(20))
            _ = try await accounts.createMember(
                name: name,
                email: email,
                password: password,
                role: role,
                in: owner.id
            )
            try await recordChange(
                "member_added",
                email,
                detail: role.rawValue,
                of: owner.id,
                in: store
            )
            print("\(email) can sign in to '\(owner.name)' with this password:")
            print(password)
        }
    }
}
