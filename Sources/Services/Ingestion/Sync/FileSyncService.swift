import Foundation
import Logging
import Model
import Ports
import Reasons
import ServiceLifecycle

/// Imports files of the operator's folder into workspaces, one after another.
///
/// An interrupted job starts over at the next start: users get the same attributes again, and
/// stored events are recognized.
package final class FileSyncService: Service {
    /// Number of jobs kept per integration.
    private static let keptJobs = 100
    /// Number of rows per request to the ingestion.
    private static let batch = 500

    private let folder: IntegrationFolder
    private let store: any SyncJobStore
    private let ingestion: IngestionService
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    package init(
        folder: IntegrationFolder,
        store: any SyncJobStore,
        ingestion: IngestionService,
        now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.folder = folder
        self.store = store
        self.ingestion = ingestion
        self.now = now
        self.logger = logger
        (arrivals, arrival) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
    }

    // MARK: Asking

    package func integrations(of workspace: WorkspaceID) -> [FileIntegration] {
        folder.integrations(of: workspace)
    }

    /// Starts to import a file and returns while the import continues.
    ///
    /// - Throws: `RefusalError` with the code `noSync`, or `syncRunning` while another job of the same integration
    ///   is running.
    package func start(_ integration: UUID, in workspace: WorkspaceID) async throws {
        guard let file = folder.integration(integration, of: workspace) else {
            throw RefusalError(.noSync)
        }
        let job = try await store.startSyncJob(
            of: integration,
            in: workspace,
            fileChangedAt: file.changedAt,
            kept: Self.keptJobs,
            now: now()
        )
        // Also wakes up for a job that an error has left running.
        arrival.yield()
        guard job != nil else { throw RefusalError(.syncRunning) }
    }

    /// The newest jobs first. The jobs of a deleted file are not listed.
    ///
    /// - Throws: `RefusalError` with the code `noSync`.
    package func jobs(
        of integration: UUID,
        in workspace: WorkspaceID,
        limit: Int,
        offset: Int
    ) async throws -> [SyncJob] {
        guard folder.integration(integration, of: workspace) != nil else {
            throw RefusalError(.noSync)
        }
        return try await store.syncJobs(
            of: integration,
            in: workspace,
            limit: limit,
            offset: offset
        )
    }

    /// The last job of each integration; integrations without jobs are missing.
    package func lastJobs(
        of integrations: [FileIntegration],
        in workspace: WorkspaceID
    ) async throws -> [UUID: SyncJob] {
        var jobs: [UUID: SyncJob] = [:]
        for integration in integrations {
            jobs[integration.id] = try await store.syncJobs(
                of: integration.id,
                in: workspace,
                limit: 1,
                offset: 0
            ).first
        }
        return jobs
    }

    // MARK: Working

    package func run() async throws {
        arrival.yield()
        await cancelWhenGracefulShutdown {
            for await _ in self.arrivals {
                do {
                    for job in try await self.store.runningSyncJobs() {
                        try await self.perform(job)
                    }
                } catch is CancellationError {
                    return
                } catch {
                    self.logger.error(
                        "a sync of a file ended early; it begins anew with the next one",
                        metadata: ["sync.error": "\(error)"]
                    )
                }
            }
        }
    }

    private func perform(_ started: SyncJob) async throws {
        var job = started
        do {
            guard let file = folder.integration(job.integration, of: job.workspace) else {
                throw FieldProblem("file", .fileGone)
            }
            try await read(file, for: &job)
            job.state =
                job.rejectedRows == 0 ? .success : job.storedRows == 0 ? .error : .partial
        } catch let problem as FieldProblem {
            job.state = .unreadable
            job.problem = "'\(problem.field)' \(problem.message)"
        }
        job.finishedAt = now()
        try await store.updateSyncJob(job)
    }

    private func read(_ integration: FileIntegration, for job: inout SyncJob) async throws {
        let file = try Self.reading {
            try RecordFile(path: integration.path, hasQuotes: integration.format == .csv)
        }
        var reader = ImportReader(kind: integration.kind, columns: nil)
        if integration.format == .csv {
            guard let header = try Self.reading(file.next) else {
                throw FieldProblem("file", .isEmpty)
            }
            // Spreadsheets put a byte order mark before it.
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            reader.columns = try CSVRecord.fields(
                header.bytes.dropFirst(header.bytes.starts(with: mark) ? 3 : 0)
            )
        }
        var isOver = false
        while !isOver {
            try Task.checkCancellation()
            var items: [IngestItem] = []
            var lines: [Int] = []
            var bytes = 0
            while items.count < Self.batch, bytes < 1 << 20 {
                guard let record = try Self.reading(file.next) else {
                    isOver = true
                    break
                }
                bytes += record.bytes.count
                do throws(FieldProblem) {
                    let id = Self.id(of: record, integration, job)
                    items.append(try reader.item(record.bytes, id: id, now: now()))
                    lines.append(record.line)
                } catch {
                    job.reject(record.line, error)
                }
            }
            let outcomes = try await submit(
                IngestRequest(workspace: job.workspace, source: .api, items: items, bytes: bytes)
            )
            for (line, outcome) in zip(lines, outcomes) {
                switch outcome {
                case .stored, .duplicate: job.storedRows += 1
                case .rejected(let problem): job.reject(line, problem)
                }
            }
            try await store.updateSyncJob(job)
        }
    }

    /// Reports an error of the file system as a problem of the file.
    private static func reading<Value>(_ read: () throws -> Value) throws(FieldProblem) -> Value {
        do {
            return try read()
        } catch let problem as FieldProblem {
            throw problem
        } catch {
            throw FieldProblem("file", .unreadableFile, ["reason": "\(error.localizedDescription)"])
        }
    }

    /// The identity of a row. An event is identified by its row, so that a growing file can be
    /// imported again; attributes of a user are stored again by every job.
    private static func id(
        of record: RecordFile.Record,
        _ integration: FileIntegration,
        _ job: SyncJob
    ) -> UUID {
        switch integration.kind {
        case .events:
            RecordKey(
                workspace: job.workspace,
                request: "sync/\(integration.id)/" + String(decoding: record.bytes, as: UTF8.self)
            ).id(list: 0, index: 0)
        case .users:
            RecordKey(workspace: job.workspace, request: "sync/\(job.id)/\(record.line >> 16)")
                .id(list: 1, index: record.line & 0xFFFF)
        }
    }

    /// Retries as long as the writer cannot keep up.
    private func submit(_ request: IngestRequest) async throws -> [IngestOutcome] {
        while true {
            do {
                return try await ingestion.submit(request)
            } catch IngestionError.overloaded(let pause) {
                try await Task.sleep(for: pause)
            } catch IngestionError.shuttingDown {
                throw CancellationError()
            }
        }
    }
}

extension SyncJob {
    fileprivate mutating func reject(_ line: Int, _ found: FieldProblem) {
        rejectedRows += 1
        problem = problem ?? "line \(line): '\(found.field)' \(found.message)"
    }
}
