import Foundation

/// How a simulated service is started.
package struct GatewayConfiguration: Sendable {
    package var host = "127.0.0.1"
    /// The port; 0 chooses a free one.
    package var port = 0
    /// Maximum number of remembered pushes.
    package var recordLimit = 10_000
    /// The file for the certificate that clients must trust.
    package var authorityFile: URL?
    /// Maximum number of concurrent streams on one connection.
    package var streamLimit = 100
    package var faults = FaultScript()
    package var limits = GatewayLimits()

    package init() {}
}
