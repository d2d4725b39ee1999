import Configuration
import Front

extension FrontSettings {
    /// - Throws: `SettingError`.
    init(_ config: ConfigReader) throws {
        self.init()
        connections = try Settings.count(config, "connection-limit", default: connections)
        headSeconds = try Settings.count(
            config,
            "head-seconds",
            upTo: 3600,
            default: headSeconds
        )
        idleSeconds = try Settings.count(
            config,
            "idle-seconds",
            upTo: 86_400,
            default: idleSeconds
        )
        bodySeconds = try Settings.count(
            config,
            "body-seconds",
            upTo: 86_400,
            default: bodySeconds
        )
        unreadSeconds = try Settings.count(
            config,
            "unread-seconds",
            upTo: 3600,
            default: unreadSeconds
        )
        bodyRate = try Settings.count(config, "body-rate", default: bodyRate)
        bodyBudget = try Settings.count(config, "body-budget", default: bodyBudget)
        stopSeconds = try Settings.count(
            config,
            "stop-seconds",
            upTo: 300,
            default: stopSeconds
        )
    }
}
