import Audience
import ConnectedContent
import Credentials
import Delivery
import Foundation
import Front
import Hummingbird
import Ingestion
import Logging
import Model
import Monitoring
import NIOCore
import NIOPosix
import Phones
import Ports
import Reasons
import ServiceLifecycle
import StoreSQL
import UnixSignals

extension NoroshiServer {
    /// Runs until the process is told to stop.
    ///
    /// - Parameters:
    ///   - phones: Virtual phones, whose pages are also served.
    ///   - until: The server stops when this returns, as after a signal.
    ///   - reloading: What is read again after `SIGHUP`; `nil` leaves the signal to others.
    ///   - onRunning: Called once with the port, when requests are served.
    /// - Throws: `SettingError` if the port is in use, or the key is not the one of the database.
    package func run(
        phones: (any PhoneHost)? = nil,
        handlesSignals: Bool = true,
        until: @escaping @Sendable () async -> Void = NoroshiServer.forever,
        reloading: Reloading? = nil,
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        try await SecretKey.check(secretKey, with: store, settings)
        // A write that exceeds a limit of the system must fail instead of ending the process.
        _ = signal(SIGXFSZ, SIG_IGN)
        let front = FrontDoor(settings: { [limits] in limits.front }, certificate: certificate)
        let manager = ServiceManagerLink(settings, logger)
        let http = Application(
            router: try router(phones: phones),
            server: front.server,
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                serverName: "Noroshi"
            ),
            onServerRunning: { [claim, part, settings] channel in
                let port = channel.localAddress?.port ?? 0
                part.address = "\(settings.host):\(port)"
                if case .file(let claim) = claim {
                    claim.announce(address: "\(settings.host):\(port)")
                }
                manager?.ready(address: "\(settings.host):\(port)")
                await onRunning(port)
            },
            logger: logger
        )
        let stopping = StopDeadline(
            inner: http,
            places: front.places,
            seconds: settings.front.stopSeconds,
            mayExit: handlesSignals,
            logger: logger
        )
        // Stopped in reverse order: the service manager hears of it, since what comes last may run out
        // of time; no new requests, no new pushes, then the last commits.
        let parts =
            presence + requestServices + loops(reloading: reloading, places: front.places) + [
                stopping, ShutdownTrigger(wait: until),
            ] + (manager.map { [$0] } ?? [])
        var configuration = ServiceGroupConfiguration(
            services: parts.map {
                ServiceGroupConfiguration.ServiceConfiguration(
                    service: $0,
                    successTerminationBehavior: .gracefullyShutdownGroup,
                    // Whoever was struck off answers what it can, and then ends.
                    failureTerminationBehavior: $0 is PresenceService
                        ? .gracefullyShutdownGroup : .cancelGroup
                )
            },
            gracefulShutdownSignals: handlesSignals ? [.sigterm, .sigint] : [],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration =
            .milliseconds(settings.front.stopSeconds * 800)
        let group = ServiceGroup(configuration: configuration)
        // The database is free for another server once this method has returned.
        defer { claim.release() }
        do {
            try await group.run()
        } catch {
            throw Self.problem(error, settings)
        }
        await providers.shutDown(grace: .seconds(1))
        await connectedContent.shutDown()
        await openIDWeb.shutDown()
        await deviceContent.shutDown()
    }

    /// The problem with the settings that an error shows; the error itself otherwise.
    static func problem(_ error: any Error, _ settings: Settings) -> any Error {
        guard let error = error as? IOError, error.errnoCode == EADDRINUSE else { return error }
        return SettingError(
            "listen",
            .portTaken,
            ["host": .text(settings.host), "port": "\(settings.port)"]
        )
    }

    /// What runs beside the requests, in the order in which it starts.
    private func loops(reloading: Reloading?, places: ConnectionPlaces) -> [any Service] {
        let certificates = certificate.map {
            CertificateWatch(certificate: $0, now: dependencies.now, logger: logger)
        }
        let reload = reloading.map {
            ReloadService(
                reloading: $0,
                settings: settings,
                limits: limits,
                certificates: certificates,
                logger: logger
            )
        }
        let exporter = settings.otlpEndpoint.map {
            OTLPExporter(
                endpoint: $0,
                queue: spanQueue,
                resource: [
                    ("service.name", "noroshi"), ("service.version", BuildInfo.version),
                    ("service.instance.id", settings.node),
                ],
                logger: logger
            )
        }
        let wanted: [(any Service)?] = [
            exporter, metricsListener(places: places), backups, certificates, reload,
            redirectListener(),
        ]
        let sending = settings.roles.contains(.delivery) ? [delivery] : []
        return wanted.compactMap(\.self) + sending + leading
    }

    /// What only one server does for all. On PostgreSQL it is the one that leads.
    private var leading: [any Service] {
        let watch = CredentialExpiryMonitor(store: store, credentials: credentials, logger: logger)
        let services: [any Service] = [
            scheduler, journeyRunner, journeyCaller, syncs, reportWebhooks, factSender, watch,
            retention, UserEventIndexer(store: store, logger: logger),
        ]
        guard case .postgres(_, let address) = claim else { return services }
        guard settings.roles.contains(.leadership) else { return [] }
        let upkeep = ServerUpkeep(store: store, now: dependencies.now, logger: logger)
        return [
            LeaderService(
                address: address,
                part: part,
                services: [upkeep, delivery.planning] + services,
                now: dependencies.now,
                logger: logger
            )
        ]
    }

    /// What tells other servers that this one works.
    private var presence: [any Service] {
        guard case .postgres(let presence, _) = claim else { return [] }
        return [
            PresenceService(
                presence: presence,
                part: part,
                database: settings.database,
                report: report,
                share: share,
                uptime: dependencies.uptime,
                logger: logger
            ),
            changeExchange(of: presence.server.id),
        ]
    }

    /// The services that must run while requests are served.
    package var requestServices: [any Service] {
        let columns: [any Service] = settings.roles.keepsColumns ? [audience] : []
        return [storeWatch, holdWatch, ingestion] + columns + [figures, rehearsals]
    }

    /// Ends the service group when `until` returns.
    private struct ShutdownTrigger: Service {
        let wait: @Sendable () async -> Void

        func run() async {
            await cancelWhenGracefulShutdown { await wait() }
        }
    }

    /// Waits until it is cancelled.
    package static let forever: @Sendable () async -> Void = {
        let (silence, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in silence {}
    }
}
