import ClientTesting
import Foundation
import NoroshiWire
import Testing

@_spi(Testing) @testable import NoroshiOutbox

@Suite("Sending")
struct UploaderTests {
    let folder: TemporaryFolder
    let clock = ManualClock()
    let ingest = Ingest()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func recorder(
        transport: (any NoroshiTransport)? = nil,
        _ change: (inout NoroshiConfiguration) -> Void = { _ in },
        sleep: @escaping @Sendable (TimeInterval) async throws -> Void = {
            try await Task.sleep(nanoseconds: UInt64($0 * 1_000_000_000))
        }
    ) -> Recorder {
        var configuration = NoroshiConfiguration(apiKey: "key-1", endpoint: "push.example.com")
        configuration.storage.directory = folder.url
        configuration.api.requestPolicy = .manual
        configuration.logger.level = .disabled
        change(&configuration)
        let clock = clock
        return Recorder(
            configuration: configuration,
            dependencies: NoroshiDependencies(
                now: { clock.now },
                sleep: sleep,
                random: { 0.5 },
                transport: transport ?? ingest
            )
        )
    }

    private func log(_ count: Int, on recorder: Recorder) throws {
        for number in 0..<count {
            _ = try recorder.logEvent(name: "e", members: ["n": .integer(Int64(number))]).get()
        }
    }

    @Test("a batch carries key, device and records, and what is acknowledged is deleted")
    func acknowledged() async throws {
        let recorder = recorder()
        try log(3, on: recorder)
        await recorder.uploader.flush()
        let request = try #require(ingest.read(\.requests).first)
        #expect(request.url.absoluteString == "https://push.example.com/sdk/v1/batch")
        #expect(request.headers["Authorization"] == "Bearer key-1")
        #expect(ingest.records.map { $0.event?.properties["n"] } == [0, 1, 2])
        #expect(ingest.records.map(\.sequence) == [1, 2, 3])
        #expect(ingest.read(\.batches).first?.device.id == recorder.state?.deviceID)
        #expect(try recorder.store.pendingCount() == 0)
    }

    @Test("more than one batch is sent in order, at most 500 records each")
    func batches() async throws {
        let recorder = recorder()
        try log(1203, on: recorder)
        await recorder.uploader.flush()
        #expect(ingest.read(\.batches).map(\.records.count) == [500, 500, 203])
        #expect(ingest.records.map(\.sequence) == Array(1...1203))
    }

    @Test("a lost connection keeps everything; a lost answer does not count twice")
    func lostConnection() async throws {
        let recorder = recorder()
        try log(2, on: recorder)
        ingest.change { $0.nextAnswers = [nil] }
        await recorder.uploader.flush()
        #expect(try recorder.store.pendingCount() == 2)
        await recorder.uploader.flush()
        #expect(ingest.records.count == 2)
        #expect(try recorder.store.pendingCount() == 0)
    }

    @Test("Retry-After is kept even when the app asks for an immediate flush")
    func retryAfter() async throws {
        let recorder = recorder()
        try log(1, on: recorder)
        ingest.change {
            $0.nextAnswers = [NoroshiResponse(status: 429, headers: ["retry-after": "60"])]
        }
        await recorder.uploader.flush()
        clock.advance(by: 59)
        await recorder.uploader.flush()
        #expect(ingest.read(\.requests).count == 1)
        clock.advance(by: 5)
        await recorder.uploader.flush()
        #expect(ingest.records.count == 1)
    }

    @Test("a record that the server refuses is deleted and reported, its neighbours are stored")
    func rejected() async throws {
        let recorder = recorder()
        let reported = Locked<[SDKRejection]>([])
        recorder.listen { event in
            if case .rejected(let rejections) = event { reported.withLock { $0 += rejections } }
        }
        try log(3, on: recorder)
        ingest.change {
            $0.refuses = { $0.event?.properties["n"] == 1 ? "too good to be true" : nil }
        }
        await recorder.uploader.flush()
        #expect(ingest.records.map { $0.event?.properties["n"] } == [0, 2])
        #expect(reported.withLock { $0.map(\.message) } == ["too good to be true"])
        #expect(try recorder.store.pendingCount() == 0)
    }

    @Test("a batch that the server cannot read is halved until the culprit is alone")
    func poison() async throws {
        let recorder = recorder()
        try log(20, on: recorder)
        ingest.change {
            $0.refusesBatch = { batch in
                batch.records.contains { $0.event?.properties["n"] == 13 }
                    ? NoroshiResponse(status: 400, body: Data(#"{"message":"unreadable"}"#.utf8))
                    : nil
            }
        }
        await recorder.uploader.flush()
        #expect(ingest.records.count == 19)
        #expect(try recorder.store.pendingCount() == 0)
    }

    @Test("a wrong key stops sending and keeps the records")
    func wrongKey() async throws {
        let recorder = recorder()
        try log(1, on: recorder)
        ingest.change { $0.nextAnswers = [NoroshiResponse(status: 401)] }
        await recorder.uploader.flush()
        await recorder.uploader.flush()
        #expect(ingest.read(\.requests).count == 1)
        #expect(try recorder.store.pendingCount() == 1)
    }

    @Test("an answer that names none of the records is no acknowledgement")
    func emptyReceipt() async throws {
        let recorder = recorder()
        try log(1, on: recorder)
        ingest.change {
            $0.nextAnswers = [
                NoroshiResponse(
                    status: 200,
                    body: Data(#"{"acknowledged":[],"rejected":[]}"#.utf8)
                ),
                NoroshiResponse(status: 200, body: Data("<html>a portal's log-in page".utf8)),
            ]
        }
        await recorder.uploader.flush()
        await recorder.uploader.flush()
        #expect(try recorder.store.pendingCount() == 1)
        await recorder.uploader.flush()
        #expect(ingest.records.count == 1)
    }

    @Test("with SDK authentication a batch holds one user's records and that user's token")
    func signatures() async throws {
        let recorder = recorder { $0.api.sdkAuthentication = true }
        for (user, signature) in [("ann", "token-a"), ("ben", "token-b")] {
            _ = try recorder.transaction { access in
                access.state.externalID = user
                access.state.setSignature(signature, of: user)
            }.get()
            try log(2, on: recorder)
        }
        await recorder.uploader.flush()
        let batches = ingest.read(\.batches)
        #expect(batches.map(\.signature) == ["token-a", "token-b"])
        #expect(batches.map(\.records.count) == [2, 2])
    }

    @Test("a refused token is reported, and the records go with a new one")
    func refusedSignature() async throws {
        let recorder = recorder { $0.api.sdkAuthentication = true }
        let failures = Locked<[SDKAuthenticationFailure]>([])
        recorder.listen { event in
            if case .signatureRefused(let failure, "ann", "old") = event {
                failures.withLock { $0.append(failure) }
            }
        }
        _ = try recorder.transaction { access in
            access.state.externalID = "ann"
            access.state.setSignature("old", of: "ann")
        }.get()
        try log(1, on: recorder)
        ingest.change {
            $0.refusesBatch = { batch in
                let body = #"{"message":"expired","authentication":{"code":22,"reason":"EXPIRED"}}"#
                return batch.signature == "new"
                    ? nil : NoroshiResponse(status: 401, body: Data(body.utf8))
            }
        }
        await recorder.uploader.flush()
        await recorder.uploader.flush()
        #expect(ingest.read(\.requests).count == 1)
        #expect(failures.withLock { $0 } == [SDKAuthenticationFailure(code: 22, reason: "EXPIRED")])
        _ = try recorder.transaction { $0.state.setSignature("new", of: "ann") }.get()
        await recorder.uploader.signatureChanged()
        #expect(ingest.records.count == 1)
    }

    /// Whether any file of the folder is locked, by whomever.
    private func isAnythingLocked() throws -> Bool {
        let files = FileManager.default.enumerator(atPath: folder.url.path)
        for case let name as String in try #require(files) {
            let descriptor = open(folder.url.appendingPathComponent(name).path, O_RDWR)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return true }
        }
        return false
    }

    @Test("no file is locked while a request is under way")
    func noLockAcrossRequests() async throws {
        let server = HangingServer(ingest)
        let recorder = recorder(transport: server)
        try log(1, on: recorder)
        let sending = Task { await recorder.uploader.flush() }
        #expect(await eventually { server.requestCount == 1 })
        #expect(try !isAnythingLocked())
        try log(1, on: recorder)
        server.open()
        await sending.value
        #expect(ingest.records.count == 2)
    }

    @Test("of two that share a folder one sends at a time, and the other goes on when it is late")
    func lease() async throws {
        let server = HangingServer(ingest)
        let (first, second) = (recorder(transport: server), recorder())
        try log(1, on: first)
        let sending = Task { await first.uploader.flush() }
        #expect(await eventually { server.requestCount == 1 })
        await second.uploader.flush()
        #expect(ingest.read(\.requests).isEmpty)
        // The app was suspended in the middle of a request.
        clock.advance(by: 60)
        await second.uploader.flush()
        #expect(ingest.records.count == 1)
        server.open()
        await sending.value
        #expect(ingest.records.count == 1)
        try log(1, on: first)
        await first.uploader.flush()
        #expect(ingest.records.count == 2)
    }

    @Test("whoever asks for everything to be sent waits for the other one that is sending")
    func patience() async throws {
        let server = HangingServer(ingest)
        let pauses = Locked(0)
        let first = recorder(transport: server)
        let second = recorder(sleep: { _ in
            pauses.withLock { $0 += 1 }
            await Task.yield()
        })
        try log(1, on: first)
        let sending = Task { await first.uploader.flush() }
        #expect(await eventually { server.requestCount == 1 })
        await second.uploader.flush(waitingForOthers: 1)
        #expect(pauses.withLock { $0 } == 20)
        let waiting = Task { await second.uploader.flush(waitingForOthers: 1e9) }
        #expect(await eventually { pauses.withLock { $0 } > 20 })
        server.open()
        await waiting.value
        #expect(try second.store.pendingCount() == 0)
        #expect(ingest.records.count == 1)
        await sending.value
    }

    @Test("the right to send does not outlive a clock that is set back")
    func clockSetBack() async throws {
        let server = HangingServer(ingest)
        let (first, second) = (recorder(transport: server), recorder())
        try log(1, on: first)
        let sending = Task { await first.uploader.flush() }
        #expect(await eventually { server.requestCount == 1 })
        clock.advance(by: -86_400)
        await second.uploader.flush()
        #expect(ingest.records.count == 1)
        server.open()
        await sending.value
    }

    @Test("many flushes at once end, and each record is sent once")
    func concurrentFlushes() async throws {
        let recorder = recorder()
        try log(1000, on: recorder)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { await recorder.uploader.flush() } }
        }
        #expect(ingest.records.count == 1000)
        #expect(ingest.read(\.repeatedCount) == 0)
    }

    @Test("under the automatic policy records go without being asked for")
    func automatic() async throws {
        let recorder = recorder {
            $0.api.requestPolicy = .automatic
            $0.api.flushInterval = 0.01
        }
        try log(5, on: recorder)
        #expect(await eventually { ingest.records.count == 5 })
    }

    @Test(
        "pauses double from about one second to five minutes and spread",
        arguments: [(1, 1.0...2.0), (3, 4.0...8.0), (30, 150.0...300.0)]
    )
    func pauses(attempt: Int, range: ClosedRange<Double>) {
        for random in [0, 0.5, 0.999] {
            let decision = RetryPolicy.decision(
                attempt: attempt,
                outcome: .unavailable(retryAfter: nil),
                random: random
            )
            guard case .retry(let pause) = decision else {
                Issue.record("\(decision)")
                return
            }
            #expect(range.contains(pause))
        }
    }

    @Test("Retry-After is read as seconds and as a date")
    func retryAfterForms() throws {
        let now = Date(timeIntervalSince1970: 1_445_412_480)
        #expect(RetryPolicy.seconds(of: "120", now: now) == 120)
        #expect(RetryPolicy.seconds(of: "Wed, 21 Oct 2015 07:30:00 GMT", now: now) == 120)
        #expect(RetryPolicy.seconds(of: "soon", now: now) == nil)
    }
}
