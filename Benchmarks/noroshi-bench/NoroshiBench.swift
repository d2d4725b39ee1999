import ArgumentParser

/// Measures the parts under load, in comparison with similar tools and libraries.
@main
struct NoroshiBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "noroshi-bench",
        abstract: "Measures Noroshi's hot paths.",
        subcommands: [
            APNsBench.self, DeliveryBench.self, IngestBench.self, SegmentsBench.self,
            ReportsBench.self, RecordIDsBench.self,
            LiquidBench.self, WebPushBench.self, TortureCommand.self, APNsBenchClient.self,
            DeliveryRun.self,
            PushSimulatorCommand.self,
            SampleCommand.self, ExperimentsCommand.self, JourneysModelCommand.self,
            JourneysBench.self, RehearsalBench.self, GrowthBench.self,
        ]
    )
}
