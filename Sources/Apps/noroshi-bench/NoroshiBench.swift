import ArgumentParser

/// Measures the parts that carry load, beside the tools and libraries one would compare them with.
@main
struct NoroshiBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "noroshi-bench",
        abstract: "Measures Noroshi's hot paths.",
        subcommands: [
            APNsBench.self, IngestBench.self, SegmentsBench.self, LiquidBench.self, WebPushBench.self,
            APNsBenchClient.self,
            SampleCommand.self,
        ]
    )
}
