import ClientTesting
import Foundation
import Noroshi
import NoroshiOutbox
import NoroshiWire
import Testing

@Suite("In the background")
@MainActor
struct BackgroundTests {
    let folder: TemporaryFolder
    let ingest = Ingest()

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("the app is not suspended before what waits is sent")
    func lastFlush() async throws {
        let server = HangingServer(ingest)
        let system = AppSystem(folder: folder.url, transport: server)
        let noroshi = system.launch()
        system.becomeActive()
        noroshi.logCustomEvent(name: "left")
        system.enterBackground()
        #expect(!system.isSuspended)
        #expect(await eventually { server.requestCount > 0 })
        #expect(!system.isSuspended)
        server.open()
        #expect(await eventually { system.isSuspended })
        #expect(ingest.records.contains { $0.event?.name == "left" })
    }

    @Test(
        "when the time is over sending is given up, and nothing is lost",
        arguments: [true, false]
    )
    func expiration(hearsOfCancellation: Bool) async throws {
        let server = HangingServer(ingest, hearsOfCancellation: hearsOfCancellation)
        let system = AppSystem(folder: folder.url, transport: server, sleep: { _ in })
        let noroshi = system.launch { $0.api.flushInterval = 0 }
        system.becomeActive()
        noroshi.logCustomEvent(name: "left")
        system.enterBackground()
        #expect(await eventually { server.requestCount > 0 })
        system.expireBackgroundTasks()
        #expect(await eventually { system.isSuspended })
        #expect(noroshi.pendingRecordCount > 0)
        server.open()
        await noroshi.flush()
        #expect(ingest.records.contains { $0.event?.name == "left" })
    }

    @Test("an SDK that is made while the app is in front begins a session at once, and only one")
    func lateStart() async throws {
        let system = AppSystem(folder: folder.url, transport: ingest)
        system.becomeActive()
        let noroshi = system.launch { $0.api.requestPolicy = .manual }
        #expect(await eventually { noroshi.pendingRecordCount == 1 })
        noroshi.applicationDidBecomeActive()
        await noroshi.flush()
        #expect(ingest.records.map(\.content) == [.sessionStarted])
    }

    @Test("an SDK that is switched on while the app is in front begins a session at once")
    func switchedOn() async throws {
        let system = AppSystem(folder: folder.url, transport: ingest)
        let noroshi = system.launch { $0.api.requestPolicy = .manual }
        noroshi.enabled = false
        system.becomeActive()
        noroshi.enabled = true
        #expect(await eventually { noroshi.pendingRecordCount == 1 })
        await noroshi.flush()
        #expect(ingest.records.map(\.content) == [.sessionStarted])
    }

    @Test("the receipt of a silent push is sent before the system is told that the app is done")
    func silentPush() async throws {
        let server = HangingServer(ingest)
        let system = AppSystem(folder: folder.url, transport: server)
        let noroshi = system.launch()
        let answers = Locked<[(result: String, isMain: Bool)]>([])
        system.wake(noroshi) { result, isMain in answers.withLock { $0.append((result, isMain)) } }
        #expect(await eventually { server.requestCount > 0 })
        #expect(answers.withLock { $0.isEmpty })
        server.open()
        #expect(await eventually { answers.withLock { $0.count } == 1 })
        #expect(ingest.records.compactMap(\.push).map(\.kind) == [.received])
        #expect(answers.withLock { $0.first?.result } == "newData")
        #expect(answers.withLock { $0.first?.isMain } == true)
    }

    @Test("a Mac has sessions, permission and a badge")
    func mac() async throws {
        let registrations = Locked(0)
        let mac = MacSystem(
            folder: folder.url,
            transport: ingest,
            register: { registrations.withLock { $0 += 1 } }
        )
        mac.setActive(true)
        #expect(mac.noroshi.pendingRecordCount == 1)
        mac.noroshi.notifications.setBadge(3)
        #expect(await eventually { mac.badge == "3" })
        mac.noroshi.notifications.setBadge(0)
        #expect(await eventually { mac.badge == nil })
        #expect(await mac.noroshi.notifications.requestAuthorization())
        #expect(registrations.withLock { $0 } == 1)
    }

    @Test("a server that says nothing does not keep the system waiting")
    func silentServer() async throws {
        let server = HangingServer(ingest)
        let system = AppSystem(folder: folder.url, transport: server, sleep: { _ in })
        let noroshi = system.launch()
        let answers = Locked(0)
        system.wake(noroshi) { _, _ in answers.withLock { $0 += 1 } }
        #expect(await eventually { answers.withLock { $0 } == 1 })
        #expect(noroshi.pendingRecordCount == 1)
    }
}
