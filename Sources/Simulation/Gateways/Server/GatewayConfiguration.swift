import Foundation

/// How a simulated service is started.
package struct GatewayConfiguration: Sendable {
    package var host = "127.0.0.1"
    /// 0 for a free one.
    package var port = 0
    /// How many accepted pushes are remembered.
    package var recordLimit = 10_000
    /// Where the certificate is written that clients have to trust.
    package var authorityFile: URL?
    /// Streams on one connection at once.
    package var streamLimit = 100
    package var faults = FaultScript()
    package var limits = GatewayLimits()

    package init() {}
}
