import Foundation
import Front
import Model
import Monitoring
import Reasons

extension NoroshiServer {
    /// - Throws: `SettingError` that names the file.
    static func certificate(_ tls: TLSSettings?, now: Date) throws -> ServerCertificate? {
        guard let tls else { return nil }
        do {
            return try ServerCertificate(
                certificatePath: tls.certificatePath,
                keyPath: tls.keyPath,
                now: now
            )
        } catch let problem as ServerCertificateError {
            throw SettingError(
                problem.file == .key ? "tls-key" : "tls-certificate",
                .certificate,
                ["path": .text(problem.path), "reason": "\(problem.fault)"]
            )
        }
    }

    func redirectListener() -> RedirectListener? {
        guard let tls = settings.tls, let host = tls.redirectHost else { return nil }
        return RedirectListener(
            settings: tls,
            host: host,
            front: { [limits] in limits.front },
            redirect: SecureRedirect(
                publicAddress: settings.publicAddress,
                port: settings.port
            ),
            logger: logger
        )
    }

    /// Serves the metrics, where the settings say so.
    package func metricsListener(places: ConnectionPlaces) -> MetricsListener? {
        guard let listen = settings.metrics, let registry else { return nil }
        let figures = ServerFigures(
            ServerFigures.Parts(
                store: store,
                database: settings.database,
                watch: storeWatch,
                audience: settings.roles.keepsColumns ? audience : nil,
                ingestion: ingestion,
                delivery: delivery,
                accounts: accounts,
                credentials: credentials,
                holds: holdWatch,
                backups: backups,
                retention: retention,
                certificate: certificate,
                places: places,
                claim: claim,
                part: part,
                dependencies: dependencies,
                logger: logger
            )
        )
        return MetricsListener(
            settings: listen,
            key: metricsKey,
            text: { registry.text(with: await figures.samples()) },
            logger: logger
        )
    }
}
