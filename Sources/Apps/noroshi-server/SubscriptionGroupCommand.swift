import ArgumentParser
import Campaigns
import Foundation
import Model
import Server

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

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "What the group is called.")
        var name: String
        @Option(help: "email, sms, whatsapp or push.")
        var channel = "email"

        func run() async throws {
            guard let channel = SubscriptionGroup.Channel(rawValue: channel) else {
                throw ValidationError("--channel is email, sms, whatsapp or push")
            }
            let workspace = try await options.open()
            let group: SubscriptionGroup
            do {
                group = try await workspace.groups.create(
                    name,
                    channel: channel,
                    by: workspace.actor
                )
            } catch let error as Model.ValidationError {
                let texts = error.problems.map { "--\($0.field) \($0.message)" }
                throw ValidationError(texts.joined(separator: "; "))
            }
            print("The subscription group '\(name)' of '\(workspace.name)':")
            print(group.id.uuidString.lowercased())
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the groups.")

        @OptionGroup var options: WorkspaceOptions

        func run() async throws {
            let workspace = try await options.open()
            for group in try await workspace.groups.groups(in: workspace.id) {
                print("\(group.id.uuidString.lowercased())  \(group.channel)  \(group.name)")
            }
        }
    }
}
