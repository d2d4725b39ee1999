import Accounts
import Audience
import Credentials
import Delivery
import Foundation
import Front
import Ingestion
import Logging
import Model
import Monitoring
import NoroshiWire
import Ports
import Retention
import Sends
import StoreSQL
import Synchronization

/// Reads what the server does not count by itself, at the moment when somebody asks.
final class ServerFigures: Sendable {
    /// What is too expensive to be read for each question.
    private struct Slow {
        var readAt: Duration
        var samples: [MetricSample]
    }

    private static let slowPause: Duration = .seconds(60)

    private let parts: Parts
    private let startedAt: Date
    private let slow = Mutex<Slow?>(nil)

    struct Parts: Sendable {
        var store: any Store
        var database: DatabaseLocation
        var watch: StoreWatch
        /// `nil` where no columns of users are kept.
        var audience: SegmentationService?
        var ingestion: IngestionService
        var delivery: DeliveryService
        var accounts: AccountService
        var credentials: CredentialService
        var holds: HoldWatch
        var backups: BackupSchedule?
        var retention: RetentionService
        var certificate: ServerCertificate?
        var places: ConnectionPlaces
        var claim: ServerClaim
        var part: ServerPart
        var dependencies: ServerDependencies
        var logger: Logger
    }

    init(_ parts: Parts) {
        self.parts = parts
        startedAt = parts.dependencies.now()
    }

    /// All figures. What cannot be read is left out, and the log says why.
    func samples() async -> [MetricSample] {
        let open = await told("sends", of: openWork)
        let retention = await told("retention", of: retention)
        let facts = await told("facts", of: factWebhooks)
        let slow = await told("credentials", of: slowly)
        let size = await told("database", of: size)
        let servers = await told("servers", of: servers)
        return process + front + ingestion + delivery + open + held + audience + accounts + store
            + size + servers + disk + backups + retention + facts + certificate + slow
    }

    private func told(
        _ name: String,
        of read: () async throws -> [MetricSample]
    ) async -> [MetricSample] {
        // Each of them would wait for a database that does not answer, until whoever asks has given up and takes
        // the server to be gone.
        guard parts.watch.trouble == nil || !parts.claim.isShared else { return [] }
        do {
            return try await read()
        } catch {
            parts.logger.warning(
                "metrics are left out, because they cannot be read",
                metadata: ["metrics.part": "\(name)", "metrics.error": "\(error)"]
            )
            return []
        }
    }

    private var process: [MetricSample] {
        [
            Metric.serverLeads.sample(parts.part.leads ? 1 : 0),
            Metric.build.sample(1, NoroshiVersion.current),
            Metric.start.sample(startedAt.timeIntervalSince1970),
            Metric.processorTime.sample(SystemFigures.processorTime),
            SystemFigures.memory.map { Metric.memory.sample($0) },
            SystemFigures.openFiles.map { Metric.openFiles.sample(Double($0)) },
            SystemFigures.fileLimit.map { Metric.fileLimit.sample($0) },
        ].compactMap(\.self)
    }

    private var front: [MetricSample] {
        let turnedAway = parts.places.turnedAway
        return [
            Metric.connections.sample(Double(parts.places.count)),
            Metric.connectionsTurnedAway.sample(Double(turnedAway.refused), "refused"),
            Metric.connectionsTurnedAway.sample(Double(turnedAway.evicted), "evicted"),
        ]
    }

    private var ingestion: [MetricSample] {
        let waiting = parts.ingestion.waiting
        return [
            Metric.ingestWaitingItems.sample(Double(waiting.items)),
            Metric.ingestWaitingBytes.sample(Double(waiting.bytes)),
        ]
    }

    private var delivery: [MetricSample] {
        let load = parts.delivery.load
        func labels(_ lane: DeliveryLane) -> (String, String) {
            ("\(lane.app.rawValue)", lane.provider.rawValue)
        }
        var samples = [
            Metric.pushesClaimed.sample(Double(load.claimed)),
            Metric.pushBytesInFlight.sample(Double(load.inFlightBytes)),
            Metric.unrecordedOutcomes.sample(Double(load.unrecorded)),
        ]
        for lane in Set(load.inFlight.keys).union(load.lanes.keys).sorted(by: {
            $0.number < $1.number
        }) {
            let (app, provider) = labels(lane)
            let isClosed = load.lanes[lane] ?? false
            samples.append(
                Metric.pushesInFlight.sample(Double(load.inFlight[lane] ?? 0), app, provider)
            )
            samples.append(Metric.laneClosed.sample(isClosed ? 1 : 0, app, provider))
        }
        return samples
    }

    private func openWork() async throws -> [MetricSample] {
        let work = try await parts.store.openWork()
        return [
            Metric.waitingPushes.sample(Double(work.newPushes), "new"),
            Metric.waitingPushes.sample(Double(work.retriedPushes), "retry"),
        ]
            + OpenWork.states.map {
                Metric.openSends.sample(Double(work.sends[$0] ?? 0), $0.rawValue)
            }
    }

    private var held: [MetricSample] {
        [Metric.sendingHeld.sample(parts.holds.hold == nil ? 0 : 1)]
    }

    private var audience: [MetricSample] {
        guard let audience = parts.audience else { return [] }
        let status = audience.status
        return [
            Metric.audienceReady.sample(status.isReady ? 1 : 0),
            Metric.audienceUsers.sample(Double(status.users)),
            Metric.audienceLag.sample(audience.lag),
        ]
    }

    private var accounts: [MetricSample] {
        let counts = parts.accounts.signInCounts
        return [
            ("succeeded", counts.succeeded), ("failed", counts.failed),
            ("limited", counts.limited), ("busy", counts.busy),
        ].map { Metric.signIns.sample(Double($0.1), $0.0) }
    }

    private var store: [MetricSample] {
        [
            Metric.storeWritable.sample(parts.watch.trouble == nil ? 1 : 0),
            Metric.storeWrites.sample(Double(parts.store.writesDone)),
            Metric.unreadableRows.sample(Double(parts.store.unreadableRows().total)),
        ]
    }

    private func servers() async throws -> [MetricSample] {
        let all = try await parts.store.servers()
        let own = all.first { $0.id == parts.claim.id }
        return [
            // The only one of a file is not listed.
            Metric.servers.sample(Double(parts.claim.isShared ? all.count : 1)),
            Metric.serverClockOffset.sample(own?.clockOffset ?? 0),
        ]
            + ServerRole.allCases.map { role in
                let count = all.count { $0.roles.contains(role) }
                let figure = parts.claim.isShared ? count : 1
                return Metric.serversInRole.sample(Double(figure), role.rawValue)
            }
    }

    private func size() async throws -> [MetricSample] {
        guard let path = parts.database.path else {
            return [Metric.databaseSize.sample(Double(try await parts.store.storedBytes()))]
        }
        return [
            Metric.databaseSize.sample(SystemFigures.size(of: path)),
            Metric.logSize.sample(SystemFigures.size(of: path + "-wal")),
        ]
    }

    /// That of a file; PostgreSQL's may be another computer's.
    private var disk: [MetricSample] {
        guard let disk = parts.database.path.flatMap(SystemFigures.disk) else { return [] }
        return [
            Metric.diskFree.sample(disk.free), Metric.diskSize.sample(disk.size),
        ]
    }

    private var backups: [MetricSample] {
        guard let schedule = parts.backups else { return [] }
        let newest = schedule.newest.map {
            Metric.backupTime.sample($0.timeIntervalSince1970)
        }
        return [newest, Metric.backupFailures.sample(Double(schedule.failures))].compactMap(\.self)
    }

    private var certificate: [MetricSample] {
        parts.certificate.map {
            [Metric.certificateExpiry.sample($0.expiry.timeIntervalSince1970)]
        } ?? []
    }

    private func retention() async throws -> [MetricSample] {
        var ends: [RetainedKind: Date] = [:]
        for workspace in try await parts.store.workspaces() {
            for progress in try await parts.store.retentionProgress(in: workspace.id)
            where workspace.settings.retention[progress.kind] != nil {
                guard let end = progress.finishedAt else { continue }
                ends[progress.kind] = min(ends[progress.kind] ?? end, end)
            }
        }
        let free = try await parts.store.freeBytes().map { Metric.databaseFree.sample(Double($0)) }
        return (free.map { [$0] } ?? [])
            + RetainedKind.allCases.map {
                Metric.removedRows.sample(
                    Double(parts.retention.removedRows(of: $0)),
                    $0.rawValue
                )
            }
            + RetainedKind.allCases.compactMap { kind in
                ends[kind].map {
                    Metric.retentionTime.sample($0.timeIntervalSince1970, kind.rawValue)
                }
            }
    }

    private func factWebhooks() async throws -> [MetricSample] {
        let now = parts.dependencies.now()
        let last = try await parts.store.lastFactNumber()
        var all: [FactWebhook] = []
        for workspace in try await parts.store.workspaces() {
            all += try await parts.store.factWebhooks(in: workspace.id)
        }
        let active = all.filter { $0.state == .active }
        let lag = active.map { last - $0.position }.max() ?? 0
        let failing = active.compactMap(\.failingSince).map { now.timeIntervalSince($0) }.max()
        return FactWebhook.State.allCases.map { state in
            Metric.factWebhooks.sample(Double(all.count { $0.state == state }), state.rawValue)
        } + [
            Metric.factWebhookLag.sample(Double(max(0, lag))),
            Metric.factWebhookFailing.sample(max(0, failing ?? 0)),
        ]
    }

    /// Credentials are opened for their dates, and columns are walked through for their size.
    private func slowly() async throws -> [MetricSample] {
        let now = parts.dependencies.uptime()
        let known = slow.withLock { slow in
            slow.flatMap { now - $0.readAt < Self.slowPause ? $0.samples : nil }
        }
        if let known { return known }
        var samples: [MetricSample] = []
        for workspace in try await parts.store.workspaces() {
            for (app, provider, end) in try await parts.credentials.expiries(in: workspace.id) {
                samples.append(
                    Metric.credentialExpiry.sample(
                        end.timeIntervalSince1970,
                        "\(app.rawValue)",
                        provider.rawValue
                    )
                )
            }
        }
        if let memory = parts.audience?.memory {
            samples += [
                ("attributes", memory.attributes), ("dictionaries", memory.dictionaries),
                ("devices", memory.devices), ("activities", memory.activities),
                ("others", memory.others),
            ].map { Metric.audienceMemory.sample(Double($0.1), $0.0) }
        }
        slow.withLock { $0 = Slow(readAt: now, samples: samples) }
        return samples
    }
}
