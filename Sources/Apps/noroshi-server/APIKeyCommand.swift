import Accounts
import ArgumentParser
import Foundation
import Model
import Server

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

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "What the key is called in lists.")
        var name: String
        @Option(help: "Endpoints, such as users.track,messages.send; * for all.")
        var permissions: String
        @Option(help: "Addresses it may be used from, such as 10.0.0.0/8,2001:db8::/32.")
        var allow: String?
        @Option(
            help:
                "Its last day on the workspace's calendar, such as 2027-06-30; without it, it has no end."
        )
        var until: String?

        func run() async throws {
            let permissions = Set(
                self.permissions.split(separator: ",").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }.filter { !$0.isEmpty }
            )
            let addresses = try (allow ?? "").split(separator: ",").map { text in
                let range = text.trimmingCharacters(in: .whitespaces)
                guard let addresses = AddressRange(range) else {
                    throw ValidationError("--allow: '\(range)' is no address or range")
                }
                return addresses
            }
            let workspace = try await options.open()
            var expiresAt: Date?
            if let until {
                let zone = try await workspace.workspaces.workspace(workspace.id).zone
                expiresAt = LocalDays(zone).end(ofDayNamed: until)
                if expiresAt == nil {
                    throw ValidationError("--until: '\(until)' is no day; write it as 2027-06-30")
                }
            }
            let secret: String
            do {
                secret = try await workspace.accounts.createAPIKey(
                    name: name,
                    permissions: permissions,
                    allowedAddresses: addresses,
                    expiresAt: expiresAt,
                    by: workspace.actor
                )
            } catch let error as Model.ValidationError {
                throw ValidationError(error.problems.map(\.message).joined(separator: "; "))
            }
            print("The key '\(name)' of '\(workspace.name)'. It is not shown again:")
            print(secret)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the keys.")

        @OptionGroup var options: WorkspaceOptions

        func run() async throws {
            let workspace = try await options.open()
            for key in try await workspace.accounts.apiKeys(in: workspace.id) {
                let places = key.allowedAddresses.map(\.description).joined(separator: ",")
                let use = key.lastUsedAt.map { "last used \(Timestamp.format($0))" }
                print(
                    [
                        key.name, key.permissions.sorted().joined(separator: ","),
                        key.expiresAt.map { "until \(Timestamp.format($0))" },
                        places.isEmpty ? nil : "from \(places)", use ?? "never used",
                        key.revokedAt == nil ? nil : "(revoked)",
                        key.isExpired(at: ServerDependencies.live.now()) ? "(expired)" : nil,
                    ].compactMap(\.self).joined(separator: "  ")
                )
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes a key useless at once.")

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "The name of the key.")
        var name: String

        func run() async throws {
            let workspace = try await options.open()
            let isRevoked = try await workspace.accounts.revokeAPIKey(
                named: name,
                by: workspace.actor
            )
            guard isRevoked else { throw ValidationError("there is no key '\(name)'") }
            print("The key '\(name)' is revoked.")
        }
    }
}
