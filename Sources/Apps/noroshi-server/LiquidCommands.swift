import ArgumentParser
import Foundation
import Liquid
import Server

struct LiquidCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "liquid",
        abstract: "Tries Liquid templates.",
        subcommands: [Render.self, Check.self]
    )

    private static func read(_ path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ValidationError("the file \(path) cannot be read")
        }
        return Array(data)
    }

    struct Render: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Renders a template; an error shows its line and column."
        )

        @Argument(help: "The file with the template.")
        var template: String
        @Option(help: "A file with a JSON object: the variables.")
        var data: String?

        func run() throws {
            let source = String(decoding: try LiquidCommands.read(template), as: UTF8.self)
            let json = try data.map(LiquidCommands.read) ?? Array("{}".utf8)
            let now = LiquidTime(seconds: Int(ServerDependencies.live.now().timeIntervalSince1970))
            let result = LiquidCommand.render(
                template: source,
                named: template,
                data: json,
                now: now
            )
            print(result.text)
            if !result.isSuccess { throw ExitCode.failure }
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Runs a file of cases; prints every failing name and 'N passed, N failed'."
        )

        @Argument(help: "The file, in the format of Tests/Core/LiquidTests/Cases.")
        var file: String
        @Flag(help: "The messaging dialect, with ${attributes}, instead of Shopify Liquid.")
        var messaging = false

        func run() throws {
            let result = LiquidCommand.check(
                file: try LiquidCommands.read(file),
                dialect: messaging ? .messaging : .standard
            )
            print(result.text)
            if !result.isSuccess { throw ExitCode.failure }
        }
    }
}
