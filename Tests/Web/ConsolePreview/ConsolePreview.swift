import Console
import Foundation
import Hummingbird
import Phones
import SampleWorkspace
import Server

/// Serves the console over the sample workspace, for looking at pages and for the browser tests:
/// `console-preview [port] [empty|small|large]`; `console-preview routes` lists what it answers.
@main
struct ConsolePreview {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let port = arguments.count > 1 ? Int(arguments[1]) ?? 8090 : 8090
        let size = arguments.count > 2 ? SampleSize(rawValue: arguments[2]) ?? .small : .small
        let phones = SamplePhones(now: Date())
        let sample = try await SampleServer.open(
            arguments.contains("routes") ? .empty : size,
            now: Date(),
            clock: { Date() },
            settings: { settings in
                settings.port = port
                // Nothing of the sample reaches a provider.
                settings.apnsServer = "127.0.0.1:9"
                settings.fcmServer = "127.0.0.1:9"
            }
        )
        defer { sample.remove() }
        if arguments.contains("routes") {
            let pages = try sample.server.pages(phones: phones, books: ConsoleBooks.embedded.get())
            for route in pages.routes { print(route) }
            return
        }
        if size != .empty {
            try await SampleWorkspace.launchCampaign(
                of: sample.server.store,
                size: size,
                now: Date()
            )
        }
        try await sample.server.run(phones: phones)
    }
}
