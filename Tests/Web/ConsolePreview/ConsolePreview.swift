import Console
import ConsoleSamples
import Foundation
import Hummingbird
import Logging
import Phones
import WebPages

/// Serves the console over made-up data, for looking at pages and for the browser tests:
/// `console-preview [port] [empty|small|large]`; `console-preview routes` lists what it answers.
@main
struct ConsolePreview {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let port = arguments.count > 1 ? Int(arguments[1]) ?? 8090 : 8090
        let size = arguments.count > 2 ? SampleSize(rawValue: arguments[2]) ?? .small : .small
        let settings = ConsoleSettings(
            phonesAddress: "/phones",
            now: { Date() },
            makeToken: { UUID().uuidString.replacingOccurrences(of: "-", with: "") }
        )
        let router = Router()
        let phones = SamplePhones(now: Date())
        let samples = SampleServices(size: size, phones: phones, now: Date())
        AssetRoutes(files: .embedded).add(to: router)
        let site = try ConsoleSite(
            services: samples,
            features: .samples(size, now: Date()),
            settings: settings
        )
        ConsoleRoutes(site: site).add(to: router)
        try PhoneRoutes(host: phones, consoleAddress: ConsolePath.overview.path)
            .add(to: router)
        if arguments.contains("routes") {
            for route in router.routes { print(route) }
            return
        }
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            logger: Logger(label: "console-preview")
        )
        try await application.runService()
    }
}
