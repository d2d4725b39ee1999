import Monitoring

extension Spans {
    /// Spans for a collector, where the settings name one.
    init(_ settings: Settings, queue: SpanQueue, _ dependencies: ServerDependencies) {
        guard settings.otlpEndpoint != nil else {
            self.init()
            return
        }
        self.init(
            QueueTracer(
                queue: queue,
                now: dependencies.now,
                uptime: dependencies.uptime,
                random: { dependencies.random(8).reduce(0) { $0 << 8 | UInt64($1) } }
            )
        )
    }
}
