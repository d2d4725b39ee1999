import Monitoring

extension Spans {
    /// Spans for a collector, where the settings name one.
    init(_ settings: Settings, queue: SpanQueue, _ world: World) {
        guard settings.otlpEndpoint != nil else {
            self.init()
            return
        }
        self.init(
            QueueTracer(
                queue: queue,
                now: world.now,
                uptime: world.uptime,
                random: { world.random(8).reduce(0) { $0 << 8 | UInt64($1) } }
            )
        )
    }
}
