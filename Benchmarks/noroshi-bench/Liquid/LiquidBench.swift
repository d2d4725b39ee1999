import ArgumentParser
import Foundation
import Liquid

/// `liquid`: renders and parses one message repeatedly, in comparison with ruby-liquid and
/// python-liquid if they are installed.
struct LiquidBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "liquid",
        abstract: "Renders and parses a message, beside ruby-liquid and python-liquid."
    )

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Benchmarks/liquid")

    @Option(help: "The file with template, context and expected text.")
    var file: String?
    @Flag(name: .customLong("json"), help: "Prints JSON.")
    var isJSON = false

    struct Rates: Codable {
        var rendersPerSecond: Double
        var parsesPerSecond: Double
    }

    struct ThreadRates: Codable {
        var threads: Int
        /// By elapsed time, all threads together.
        var rendersPerSecond: Double
        /// By processor time: the same for any number of threads if they do not interfere,
        /// independent of other load.
        var rendersPerProcessorSecond: Double
    }

    struct Report: Codable {
        /// Shopify Liquid, one thread, by processor time.
        var standard: Rates
        /// The messaging dialect, one thread, by processor time.
        var messaging: Rates
        /// Shopify Liquid on several concurrent threads.
        var byThreads: [ThreadRates]
        /// The output of the other implementations' scripts; `nil` if one is not installed.
        var rubyLiquid: String?
        var pythonLiquid: String?
    }

    func run() throws {
        let path = file ?? Self.folder.appending(path: "bench-liquid.json").path
        guard let data = FileManager.default.contents(atPath: path),
            case .object(let file) = try LiquidJSON.parse(Array(data)),
            case .string(let template)? = file["template"],
            case .string(let messaging)? = file["braze_template"],
            case .object(let context)? = file["context"],
            case .object(let messagingContext)? = file["braze_context"],
            case .string(let expected)? = file["expected"]
        else { throw ValidationError("\(path) is no file for this benchmark") }
        let standard = Work(
            source: template,
            dialect: .standard,
            variables: Variables(context),
            expected: expected
        )
        let report = Report(
            standard: try standard.rates(),
            messaging: try Work(
                source: messaging,
                dialect: .messaging,
                variables: Variables(messagingContext),
                expected: expected
            ).rates(),
            byThreads: try standard.ratesByThreads { _ in
                guard case .object(let file) = try LiquidJSON.parse(Array(data)),
                    case .object(let context)? = file["context"]
                else { throw ValidationError("\(path) is no file for this benchmark") }
                return Variables(context)
            },
            rubyLiquid: try peer("ruby", "peer.rb", path),
            pythonLiquid: try peer("python3", "peer.py", path)
        )
        if isJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            print(String(decoding: try encoder.encode(report), as: UTF8.self))
        } else {
            show(report)
        }
    }

    private func show(_ report: Report) {
        for (name, rates) in [("standard", report.standard), ("messaging", report.messaging)] {
            print(
                "noroshi \(name): \(Int(rates.rendersPerSecond)) renders/s, "
                    + "\(Int(rates.parsesPerSecond)) parses/s"
            )
        }
        for rates in report.byThreads {
            print(
                "noroshi with \(rates.threads) threads: \(Int(rates.rendersPerSecond)) renders/s "
                    + "by the clock, \(Int(rates.rendersPerProcessorSecond)) a second of processor"
            )
        }
        print(report.rubyLiquid ?? "ruby-liquid is not installed (Debian: ruby-liquid)")
        print(report.pythonLiquid ?? "python-liquid is not installed (PyPI: python-liquid)")
    }

    /// The output of another implementation's script; `nil` if it cannot run.
    private func peer(_ program: String, _ script: String, _ path: String) throws -> String? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program, Self.folder.appending(path: script).path, path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private struct Variables: LiquidVariables {
        let data: LiquidObject
        let profile: LiquidObject

        init(_ data: LiquidObject) {
            self.data = data
            if case .object(let profile)? = data["profile"] {
                self.profile = profile
            } else {
                profile = data
            }
        }

        func value(named name: LiquidName) -> LiquidValue? { data[name] }
        func attribute(named name: LiquidName) -> LiquidValue? { profile[name] }
    }

    private struct Work: Sendable {
        let source: String
        let dialect: Template.Dialect
        let variables: Variables
        let expected: String

        private var options: RenderOptions {
            RenderOptions { LiquidTime(seconds: 1_783_189_800) }
        }

        private func parsed() throws -> Template {
            let parsed = try Template(parsing: source, dialect: dialect)
            guard case .rendered(let text) = try parsed.render(variables, options: options),
                text.text == expected
            else { throw ValidationError("the template does not render the expected text") }
            return parsed
        }

        func rates() throws -> Rates {
            let parsed = try parsed()
            let options = options
            return Rates(
                rendersPerSecond: try median(20_000) {
                    _ = try parsed.render(variables, options: options)
                },
                parsesPerSecond: try median(5_000) {
                    _ = try Template(parsing: source, dialect: dialect)
                }
            )
        }

        /// The median of five rates by processor time, which excludes other load on the machine.
        private func median(_ count: Int, _ work: () throws -> Void) throws -> Double {
            var rates: [Double] = []
            for _ in 0..<5 {
                let start = clock()
                for _ in 0..<count { try work() }
                rates.append(Double(count) / (Double(clock() - start) / Double(CLOCKS_PER_SEC)))
            }
            return rates.sorted()[2]
        }

        /// Every thread renders for a different user, like workers.
        func ratesByThreads(_ variables: (Int) throws -> Variables) throws -> [ThreadRates] {
            let parsed = try parsed()
            let counts = Set([1, 2, ProcessInfo.processInfo.activeProcessorCount]).sorted()
            let users = try (0..<(counts.last ?? 1)).map(variables)
            var rounds: [[ThreadRates]] = []
            for _ in 0..<5 {
                rounds.append(counts.map { Self.rates(parsed, users, threads: $0) })
            }
            return counts.indices.map { index in
                let rates = rounds.map { $0[index] }
                return ThreadRates(
                    threads: counts[index],
                    rendersPerSecond: rates.map(\.rendersPerSecond).sorted()[2],
                    rendersPerProcessorSecond:
                        rates.map(\.rendersPerProcessorSecond).sorted()[2]
                )
            }
        }

        private static func rates(
            _ template: Template,
            _ users: [Variables],
            threads: Int
        ) -> ThreadRates {
            let count = 20_000
            let start = clock()
            let duration = ContinuousClock().measure {
                DispatchQueue.concurrentPerform(iterations: threads) { thread in
                    let user = users[thread]
                    let options = RenderOptions { LiquidTime(seconds: 1_783_189_800) }
                    for _ in 0..<count {
                        // Rendered without an error above; a failure here would only distort the
                        // rate.
                        _ = try? template.render(user, options: options)
                    }
                }
            }
            let processorSeconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
            return ThreadRates(
                threads: threads,
                rendersPerSecond: Double(count * threads) / (duration / .seconds(1)),
                rendersPerProcessorSecond: Double(count * threads) / processorSeconds
            )
        }
    }
}
