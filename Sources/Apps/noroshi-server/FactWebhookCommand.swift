import ArgumentParser
import Facts
import Foundation
import Model
import Server

/// Addresses that get facts.
struct FactWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook",
        abstract: "Addresses that get facts in signed calls.",
        subcommands: [Add.self, List.self, Pause.self, Resume.self, Delete.self]
    )

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds an address; the secret that signs its calls is alone on the last line."
        )

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "What it is called in lists.")
        var name: String
        @Option(help: "Where the calls go, such as https://example.org/facts.")
        var url: String
        @Flag(help: "Begins with everything so far, instead of what happens from now on.")
        var fromBeginning = false

        func run() async throws {
            let opened = try await options.openExisting()
            do {
                let made = try await opened.factWebhooks().create(
                    name: name,
                    address: url,
                    kinds: Set(Fact.Kind.allCases),
                    from: fromBeginning ? .beginning : .now,
                    by: opened.actor
                )
                print(made.secret)
            } catch let error as Model.ValidationError {
                throw ValidationError(error.problems.map(\.message).joined(separator: "; "))
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the addresses, with how many numbers each is behind."
        )

        @OptionGroup var options: WorkspaceOptions

        func run() async throws {
            let opened = try await options.openExisting()
            for status in try await opened.factWebhooks().webhooks(in: opened.id) {
                let webhook = status.webhook
                let problem = webhook.problem.map { ", \($0)" } ?? ""
                print(
                    "\(webhook.name): \(webhook.state.rawValue), \(status.lag) behind\(problem); "
                        + webhook.address
                )
            }
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Pauses an address.")

        @OptionGroup var options: WorkspaceOptions
        @Argument(help: "Its name.")
        var name: String

        func run() async throws {
            let opened = try await options.openExisting()
            let id = try await opened.factWebhook(named: name).id
            _ = try await opened.factWebhooks().set(id, isActive: false, by: opened.actor)
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets an address go on where it was, also one that was given up."
        )

        @OptionGroup var options: WorkspaceOptions
        @Argument(help: "Its name.")
        var name: String

        func run() async throws {
            let opened = try await options.openExisting()
            let id = try await opened.factWebhook(named: name).id
            _ = try await opened.factWebhooks().set(id, isActive: true, by: opened.actor)
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes an address.")

        @OptionGroup var options: WorkspaceOptions
        @Argument(help: "Its name.")
        var name: String

        func run() async throws {
            let opened = try await options.openExisting()
            let id = try await opened.factWebhook(named: name).id
            _ = try await opened.factWebhooks().delete(id, by: opened.actor)
        }
    }
}

extension WorkspaceHandle {
    fileprivate func factWebhook(named name: String) async throws -> FactWebhook {
        let all = try await factWebhooks().webhooks(in: id).map(\.webhook)
        guard let webhook = all.first(where: { $0.name == name }) else {
            throw ValidationError("there is no webhook named '\(name)'")
        }
        return webhook
    }
}
