import Foundation
import Front
import Logging
import ServiceLifecycle

/// Uses another certificate as soon as its files have changed, as after a renewal.
struct CertificateWatch: Service {
    /// Both files are small, and two of them are rarely written in the same moment: a pair that
    /// does not fit is looked at again.
    private static let pause: Duration = .seconds(10)

    let certificate: ServerCertificate
    let now: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // Cancellation ends the sleep, and with it the loop.
                try? await Task.sleep(for: Self.pause)
                look()
            }
        }
    }

    func look() {
        do {
            guard try certificate.reload(now: now()) else { return }
            logger.notice(
                "new connections get another certificate",
                metadata: ["certificate.end": "\(certificate.expiry.formatted(.iso8601))"]
            )
        } catch {
            logger.error(
                "the new certificate cannot be used; the former one stays",
                metadata: ["certificate.error": "\(error)"]
            )
        }
    }
}
