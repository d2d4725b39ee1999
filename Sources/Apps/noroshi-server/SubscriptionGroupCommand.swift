import ArgumentParser
import Foundation
import Model
import Ports
import Server
import StoreSQLite

struct SubscriptionGroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscription-group",
        abstract: "Lists that users join and leave, such as a newsletter.",
        subcommands: [Create.self, List.self]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a group; its identifier is alone on the last line."
        )

        @OptionGroup var options: SettingsOptions
        @Option(help: "What the group is called.")
        var name: String
        @Option(help: "email, sms, whatsapp or push.")
        var channel = "email"
        @Option(help: "The workspace, where there are several.")
        var workspace: String?

        func run() async throws {
            guard let channel = SubscriptionGroup.Channel(rawValue: channel) else {
                throw ValidationError("--channel is email, sms, whatsapp or push")
            }
            let settings = try await options.settings()
            let store = try SQLiteStore(path: settings.databasePath)
            let owner = try await noroshi_server.workspace(workspace, in: store)
            let group = SubscriptionGroup(
                id: UUID(),
                workspace: owner.id,
                name: name,
                channel: channel
            )
            try await store.createSubscriptionGroup(group, now: World.live.now())
            print("The subscription group '\(name)' of '\(owner.name)':")
            print(group.id.uuidString.lowercased())
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the groups.")

        @OptionGroup var options: SettingsOptions
        @Option(help: "The workspace, where there are several.")
        var workspace: String?

        func run() async throws {
            let settings = try await options.settings()
            let store = try SQLiteStore(path: settings.databasePath)
            let owner = try await noroshi_server.workspace(workspace, in: store)
            for group in try await store.subscriptionGroups(in: owner.id) {
                print("\(group.id.uuidString.lowercased())  \(group.channel)  \(group.name)")
            }
        }
    }
}
