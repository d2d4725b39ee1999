import ClientTesting
import Foundation
import NoroshiWire
import Testing

@_spi(Testing) @testable import NoroshiOutbox

@Suite("The outbox shared by processes")
struct OutboxProcessTests {
    /// The writer that is built beside the tests.
    private static let writer = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent()
        .appendingPathComponent("outbox-writer")

    @Test(
        "eight processes append and send, some die by kill -9; what they recorded arrives once",
        .timeLimit(.minutes(20))
    )
    func processes() async throws {
        let folder = try TemporaryFolder()
        let ingest = Ingest()
        let server = try SocketServer { try ingest.answer(to: $0) }
        let recorded = await withTaskGroup(of: [String: Set<Int64>].self) { group in
            for writer in 0..<8 {
                group.addTask {
                    // Reading from a pipe blocks; a thread of its own keeps the others running.
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            continuation.resume(
                                returning: Self.runWriter(
                                    "writer-\(writer)",
                                    total: 1250,
                                    folder: folder.url,
                                    server: server.endpoint,
                                    seed: UInt64(writer)
                                )
                            )
                        }
                    }
                }
            }
            return await group.reduce(into: [:]) { all, part in
                all.merge(part) { $0.union($1) }
            }
        }
        #expect(recorded.count > 16, "too few writers were killed")
        #expect(recorded.values.map(\.count).reduce(0, +) >= 10_000)

        var configuration = NoroshiConfiguration(apiKey: "key", endpoint: server.endpoint)
        configuration.storage.directory = folder.url
        let recorder = Recorder(configuration: configuration, dependencies: NoroshiDependencies())
        await recorder.uploader.flush()
        #expect(try recorder.store.pendingCount() == 0)
        #expect(try recorder.store.droppedCount() == 0)

        var arrived: [String: [Int64]] = [:]
        for record in ingest.records {
            let event = try #require(record.event)
            arrived[event.name, default: []].append(event.properties["number"]?.integerValue ?? -1)
        }
        for (writer, numbers) in recorded {
            let counts = Dictionary((arrived[writer] ?? []).map { ($0, 1) }, uniquingKeysWith: +)
            #expect(numbers.allSatisfy { counts[$0] == 1 }, "\(writer)")
            #expect(counts.values.allSatisfy { $0 == 1 }, "\(writer)")
        }
        let sequences = ingest.records.map(\.sequence)
        #expect(Set(sequences).count == sequences.count)
    }

    /// Runs one writer to its end, in as many processes as the killing makes necessary, and
    /// collects what they said was recorded.
    private static func runWriter(
        _ name: String,
        total: Int,
        folder: URL,
        server: String,
        seed: UInt64
    ) -> [String: Set<Int64>] {
        var recorded: [String: Set<Int64>] = [:]
        var state = seed &+ 0x9E37_79B9_7F4A_7C15
        var life = 0
        var done = 0
        while done < total {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Each life has a name of its own: a killed one may have recorded what it did not say.
            let lifeName = "\(name)-\(life)"
            life += 1
            let process = Process()
            process.executableURL = writer
            process.arguments = [
                folder.path, server, lifeName, "0", "\(total - done)", "\(20 + seed * 7)",
            ]
            let output = Pipe()
            process.standardOutput = output
            do {
                try process.run()
            } catch {
                Issue.record("the writer could not be started: \(error)")
                return recorded
            }
            let isVictim = life <= 4
            let victimAfter = Int(state >> 33) % 250 + 1
            var text = Data()
            var lines = 0
            while let part = try? output.fileHandleForReading.read(upToCount: 512), !part.isEmpty {
                text.append(part)
                lines += part.count { $0 == 0x0A }
                if isVictim, lines >= victimAfter, process.isRunning {
                    kill(process.processIdentifier, SIGKILL)
                }
            }
            process.waitUntilExit()
            let numbers = String(decoding: text, as: UTF8.self)
                .split(separator: "\n")
                .compactMap { Int64($0) }
            recorded[lifeName] = Set(numbers)
            done += numbers.count
        }
        return recorded
    }
}
