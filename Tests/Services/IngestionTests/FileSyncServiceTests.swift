import Analytics
import Foundation
import Ingestion
import Logging
import Model
import NoroshiWire
import Ports
import ServiceLifecycle
import StoreConformance
import StoreSQL
import StoreTesting
import Synchronization
import Testing

@Suite("Reading files of the operator's folder")
struct FileSyncServiceTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    /// Keeps what is asked of the real store.
    private final class RecordingStore: IngestStore {
        let store: any IngestStore
        let requests = Mutex<[IngestRequest]>([])

        init(_ store: any IngestStore) {
            self.store = store
        }

        func ingest(_ requests: [IngestRequest], now: Date) async throws -> [[IngestOutcome]] {
            self.requests.withLock { $0 += requests }
            return try await store.ingest(requests, now: now)
        }
    }

    @Test("a workspace has a thousand files at most, the first ones by name")
    func limit() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-files-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let users = folder.appending(path: "1/users")
        try FileManager.default.createDirectory(at: users, withIntermediateDirectories: true)
        for number in 1...1_001 {
            let name = String(format: "part-%04d.csv", number)
            try Data("external_id\n".utf8).write(to: users.appending(path: name))
        }
        let found = IntegrationFolder(path: folder.path).integrations(of: WorkspaceID(1))
        #expect(found.count == 1_000)
        #expect(found.last?.name == "part-1000")
    }

    private struct Site: Sendable {
        var folder: URL
        var store: SQLStore
        var recording: RecordingStore
        var service: FileSyncService
        var workspace: WorkspaceID

        func write(_ name: String, _ bytes: Data) throws {
            let file = folder.appending(path: "\(workspace)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try bytes.write(to: file)
        }

        func integration(_ name: String) throws -> FileIntegration {
            try #require(service.integrations(of: workspace).first { $0.name == name })
        }

        /// Reads a file and returns the job when it is over.
        func sync(_ name: String) async throws -> SyncJob {
            let integration = try integration(name)
            try await service.start(integration.id, in: workspace)
            while true {
                let job = try #require(
                    try await service.jobs(of: integration.id, in: workspace, limit: 1, offset: 0)
                        .first
                )
                if job.state != .running { return job }
                await Task.yield()
            }
        }
    }

    /// - Parameter before: Is done before the services start, which look for jobs that run.
    private func withSite(
        before: (Site) async throws -> Void = { _ in },
        _ body: @Sendable (Site) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-sync-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLStore.testing(at: folder.appending(path: "test.sqlite").path)
        let recording = RecordingStore(store)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let ingestion = IngestionService(
            store: recording,
            feed: ChangeFeed(),
            now: { Self.now },
            logger: logger
        )
        let site = Site(
            folder: folder,
            store: store,
            recording: recording,
            service: FileSyncService(
                folder: IntegrationFolder(path: folder.path),
                store: store,
                ingestion: ingestion,
                now: { Self.now },
                logger: logger
            ),
            workspace: try await StoreConformance(store).fixture().workspace
        )
        try await before(site)
        let group = ServiceGroup(services: [ingestion, site.service], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await body(site)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private func event(_ user: String, _ name: String = "poured") -> String {
        #"{"external_id":"\#(user)","name":"\#(name)","time":"2026-09-01T10:00:00Z"}"# + "\n"
    }

    @Test("the header of a table may come after a byte order mark; quotes hold line ends")
    func tables() async throws {
        try await withSite { site in
            let table = "external_id,note\nada,\"two\nlines\"\nbob,\"x\"\n"
            try site.write("users/plain.csv", Data(table.utf8))
            try site.write("users/marked.csv", Data([0xEF, 0xBB, 0xBF]) + Data(table.utf8))
            for name in ["plain", "marked"] {
                let job = try await site.sync(name)
                #expect(job.state == .success)
                #expect(job.storedRows == 2)
                #expect(job.rejectedRows == 0)
                #expect(job.problem == nil)
                #expect(job.finishedAt == Self.now)
            }
            let ada = try await site.store.profile(.external("ada"), in: site.workspace)
            #expect(ada?.custom["note"] == "two\nlines")
        }
    }

    @Test("objects have no header, and a quote in a line of theirs is nothing special")
    func objects() async throws {
        try await withSite { site in
            try site.write(
                "events/tea.ndjson",
                Data((event("ada", #"say \"tea"#) + event("bob") + event("eve")).utf8)
            )
            let job = try await site.sync("tea")
            #expect(job.state == .success)
            #expect(job.storedRows == 3)
        }
    }

    @Test("a job with some rows is partial, one with none has failed; the first fault is told")
    func states() async throws {
        try await withSite { site in
            // The third row is refused by the reader, the fourth by the store.
            let refusedByStore = event("ada").replacing("external_id", with: "braze_id")
                .replacing("\"ada\"", with: "\"\(UUID().uuidString.lowercased())\"")
            try site.write(
                "events/some.ndjson",
                Data((event("ada") + "\n" + "nonsense\n" + refusedByStore).utf8)
            )
            try site.write("events/none.ndjson", Data(("{}\n" + refusedByStore).utf8))
            try site.write("events/nothing.ndjson", Data("\n\n".utf8))
            let some = try await site.sync("some")
            #expect(some.state == .partial)
            #expect(some.storedRows == 1)
            #expect(some.rejectedRows == 2)
            #expect(some.problem?.hasPrefix("line 3: 'row'") == true, "\(some.problem ?? "")")
            let none = try await site.sync("none")
            #expect(none.state == .error)
            #expect(none.storedRows == 0)
            #expect(none.rejectedRows == 2)
            #expect(none.problem?.hasPrefix("line 1: ") == true, "\(none.problem ?? "")")
            let nothing = try await site.sync("nothing")
            #expect(nothing.state == .success)
            #expect(nothing.storedRows == 0)
        }
    }

    @Test("rows come 500 at a time, or as many as have a mebibyte")
    func batches() async throws {
        try await withSite { site in
            let rows = (0..<1_100).map { event("u\($0)") }
            try site.write("events/many.ndjson", Data(rows.joined().utf8))
            #expect(try await site.sync("many").storedRows == 1_100)
            let many = site.recording.requests.withLock { requests in
                defer { requests = [] }
                return requests
            }
            #expect(many.map(\.items.count) == [500, 500, 100])
            let lengths = rows.map { $0.utf8.count - 1 }
            func bytes(_ part: Range<Int>) -> Int { lengths[part].reduce(0, +) }
            #expect(
                many.map(\.bytes) == [bytes(0..<500), bytes(500..<1_000), bytes(1_000..<1_100)]
            )
            // Three rows of 350,000 bytes are more than a mebibyte, two are not.
            let note = String(repeating: "x", count: 350_000)
            let large = (0..<4).map { #"{"external_id":"u\#($0)","email":null,"n":"\#(note)"}"# }
            try site.write("users/large.ndjson", Data(large.joined(separator: "\n").utf8))
            _ = try await site.sync("large")
            #expect(
                site.recording.requests.withLock { $0.map(\.bytes) }.map { $0 / 350_000 } == [3, 1]
            )
        }
    }

    @Test("an event is its row, whatever the job; what is said of a user is said by every job")
    func identities() async throws {
        try await withSite { site in
            // Lines whose numbers differ by 2¹⁶ are different rows too.
            let gap = String(repeating: "\n", count: 65_535)
            let users = #"{"external_id":"ada"}"# + "\n" + gap + #"{"external_id":"bob"}"# + "\n"
            try site.write("users/all.ndjson", Data(users.utf8))
            try site.write("events/all.ndjson", Data((event("ada") + event("bob")).utf8))
            func ids(_ kind: ImportReader.Kind) async throws -> [UUID?] {
                let all = site.service.integrations(of: site.workspace)
                let integration = try #require(all.first { $0.kind == kind })
                try await site.service.start(integration.id, in: site.workspace)
                while try await site.service.lastJobs(of: [integration], in: site.workspace)[
                    integration.id
                ]?.state == .running {
                    await Task.yield()
                }
                return site.recording.requests.withLock { requests in
                    defer { requests = [] }
                    return requests.flatMap { $0.items.map(\.recordID) }
                }
            }
            let first = try await ids(.users)
            let second = try await ids(.users)
            #expect(Set(first + second).count == 4)
            let events = try await ids(.events)
            #expect(Set(events).count == 2)
            #expect(try await ids(.events) == events)
        }
    }

    @Test("a hundred jobs of a file are remembered, and the one that begins")
    func kept() async throws {
        try await withSite(before: { (site) async throws in
            try site.write("users/one.csv", Data("external_id\nada\n".utf8))
            let integration = try site.integration("one")
            for _ in 0..<103 {
                let job = try #require(
                    try await site.store.startSyncJob(
                        of: integration.id,
                        in: site.workspace,
                        fileChangedAt: Self.now,
                        kept: 1_000,
                        now: Self.now
                    )
                )
                var done = job
                done.state = .success
                try await site.store.updateSyncJob(done)
            }
        }) { (site) async throws in
            let integration = try site.integration("one")
            _ = try await site.sync("one")
            let jobs = try await site.service.jobs(
                of: integration.id,
                in: site.workspace,
                limit: 1_000,
                offset: 0
            )
            #expect(jobs.count == 101)
            #expect(jobs.map(\.id) == jobs.map(\.id).sorted(by: >))
        }
    }

    @Test("one that runs does not begin again; where a stop has interrupted it, it begins anew")
    func running() async throws {
        try await withSite(before: { (site) async throws in
            try site.write("users/one.csv", Data("external_id\nada\nbo\n".utf8))
            let integration = try site.integration("one")
            let job = try await site.store.startSyncJob(
                of: integration.id,
                in: site.workspace,
                fileChangedAt: Self.now,
                kept: 1,
                now: Self.now
            )
            #expect(job != nil)
            await #expect(throws: RefusalError(.syncRunning)) {
                try await site.service.start(integration.id, in: site.workspace)
            }
        }) { (site) async throws in
            let integration = try site.integration("one")
            while true {
                let jobs = try await site.service.jobs(
                    of: integration.id,
                    in: site.workspace,
                    limit: 9,
                    offset: 0
                )
                guard jobs.allSatisfy({ $0.state != .running }) else {
                    await Task.yield()
                    continue
                }
                #expect(jobs.map(\.state) == [.success] && jobs.map(\.storedRows) == [2])
                break
            }
        }
    }

    @Test("what is not there does not begin")
    func refusals() async throws {
        try await withSite { site in
            await #expect(throws: RefusalError(.noSync)) {
                try await site.service.start(UUID(), in: site.workspace)
            }
            await #expect(throws: RefusalError(.noSync)) {
                _ = try await site.service.jobs(
                    of: UUID(),
                    in: site.workspace,
                    limit: 1,
                    offset: 0
                )
            }
            #expect(IntegrationFolder(path: nil).integrations(of: site.workspace) == [])
        }
    }

    @Test("a folder shows its files by kind and name, each under an identity that stays")
    func folder() async throws {
        try await withSite { site in
            for name in ["users/b.csv", "users/a.NDJSON", "events/c.csv", "users/.d.csv"] {
                try site.write(name, Data())
            }
            let found = site.service.integrations(of: site.workspace)
            #expect(found.map(\.name) == ["a", "b", "c"])
            #expect(found.map(\.kind) == [.users, .users, .events])
            #expect(found.map(\.format) == [.ndjson, .csv, .csv])
            #expect(Set(found.map(\.id)).count == 3)
            #expect(site.service.integrations(of: site.workspace) == found)
            #expect(site.service.integrations(of: WorkspaceID(99)) == [])
        }
    }
}
