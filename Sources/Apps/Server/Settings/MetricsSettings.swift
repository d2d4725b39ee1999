import Configuration
import Foundation
import Reasons

/// Where metrics are served.
package struct MetricsSettings: Sendable, Hashable {
    package var host: String
    /// The port; 0 chooses a free one.
    package var port: Int
    /// The file whose first line is the key that Prometheus sends; `nil` asks for none.
    package var keyPath: String?

    private static let leastKeyBytes = 16

    package init(host: String, port: Int, keyPath: String? = nil) {
        self.host = host
        self.port = port
        self.keyPath = keyPath
    }

    /// Whether only this computer reaches the address.
    package var isLocal: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    /// - Throws: `SettingError`.
    static func read(_ config: ConfigReader) throws -> MetricsSettings? {
        let keyPath = config.string(forKey: "metrics-key-file")
        guard let text = config.string(forKey: "metrics-listen") else {
            guard keyPath == nil else {
                throw SettingError("metrics-key-file", .withoutMetrics)
            }
            return nil
        }
        let (host, port) = try Settings.address(text, key: "metrics-listen")
        let metrics = MetricsSettings(host: host, port: port, keyPath: keyPath)
        guard metrics.isLocal || keyPath != nil else {
            throw SettingError(
                "metrics-listen",
                .metricsWithoutKey,
                ["value": .text(text), "port": "\(port)"]
            )
        }
        return metrics
    }

    /// Reads the key.
    ///
    /// - Throws: `SettingError`.
    func key() throws -> String? {
        guard let keyPath else { return nil }
        guard let text = try? String(contentsOfFile: keyPath, encoding: .utf8) else {
            throw SettingError(
                "metrics-key-file",
                .unreadable,
                ["path": .text(keyPath)]
            )
        }
        let key = text.prefix { !$0.isNewline }.trimmingCharacters(in: .whitespaces)
        guard key.utf8.count >= Self.leastKeyBytes else {
            throw SettingError(
                "metrics-key-file",
                .metricsKey,
                ["path": .text(keyPath), "count": "\(Self.leastKeyBytes)"]
            )
        }
        return key
    }
}
