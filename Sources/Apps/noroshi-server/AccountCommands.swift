import APNs
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
            let (store, accounts) = try await accounts(options)
            let owner = try await noroshi_server.workspace(workspace, in: store)
            let secret = try await accounts.createAPIKey(
                name: name,
                permissions: permissions,
                in: owner.id
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
                let state = key.revokedAt == nil ? "" : "  (revoked)"
                print("\(key.name)  \(key.permissions.sorted().joined(separator: ","))\(state)")
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
            print("\(email) can sign in to '\(owner.name)' with this password:")
            print(password)
        }
    }
}

struct CredentialsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credentials",
        abstract: "What push providers want to see of an app.",
        subcommands: [SetAPNs.self, BasicAuthCommand.self]
    )

    struct SetAPNs: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Stores an app's APNs signing key (.p8) or certificate (.p12), encrypted."
        )

        @OptionGroup var options: SettingsOptions
        @Option(name: .customLong("bundle-id"), help: "The app.")
        var bundleID: String
        @Option(help: "The signing key from Apple, a .p8 file.")
        var p8: String?
        @Option(name: .customLong("key-id"), help: "With --p8: the key's ten characters.")
        var keyID: String?
        @Option(name: .customLong("team-id"), help: "With --p8: the team's ten characters.")
        var teamID: String?
        @Option(help: "The push certificate with its private key, a .p12 file.")
        var p12: String?
        @Option(help: "With --p12: its password, where it has one.")
        var password: String?
        @Option(help: "The workspace, where there are several.")
        var workspace: String?

        func run() async throws {
            let stored: APNsCredentials
            switch (p8, p12) {
            case (let path?, nil):
                guard let keyID, let teamID else {
                    throw ValidationError("--p8 needs --key-id and --team-id")
                }
                stored = .token(
                    keyID: keyID,
                    teamID: teamID,
                    privateKeyPEM: try String(contentsOfFile: path, encoding: .utf8)
                )
            case (nil, let path?):
                stored = .certificate(
                    p12: Array(try Data(contentsOf: URL(filePath: path))),
                    password: password
                )
            default:
                throw ValidationError("give either --p8 or --p12")
            }
            let settings = try await options.settings()
            let (store, _) = try await accounts(options)
            let owner = try await noroshi_server.workspace(workspace, in: store)
            guard
                let app = try await store.apps(in: owner.id).first(where: {
                    $0.bundleID == bundleID
                })
            else { throw ValidationError("there is no app with the bundle id \(bundleID)") }
            let vault = CredentialVault(
                store: store,
                key: try SecretKey.load(
                    path: settings.secretKeyPath,
                    random: World.live.random
                ),
                now: World.live.now
            )
            try await vault.save(stored, app: app.id, provider: .apns)
            print("Stored the APNs credentials of '\(app.name)'.")
        }
    }
}
