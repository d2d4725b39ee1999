import Audience
import Foundation
import Model
import NoroshiWire
import Ports
import Server
import Testing

@Suite("The extraction timing that the console's composer offers")
struct ExtractionConsoleTests {
    @Test("frozen keeps who matched when it was reserved; at delivery asks who matches then")
    func timing() async throws {
        let clock = HandClock(Date())
        try await ConsoleSession.open(dependencies: clock.dependencies) { console in
            let store = console.server.store
            let app = try await store.createApp(
                AppDraft(name: "Tea", platform: "ios", bundleID: "org.tea", sdkKey: "key"),
                in: console.workspace,
                noting: nil,
                now: clock.now
            )
            let devices = ["ada": UUID(), "ben": UUID(), "cas": UUID()]
            func set(_ stamps: Int64, of user: String) async throws {
                let device = try #require(devices[user])
                _ = try await store.ingest(
                    [
                        IngestRequest(
                            workspace: console.workspace,
                            source: .device(.init(id: device, platform: "ios"), app: app.id),
                            items: [
                                IngestItem(
                                    recordID: nil,
                                    user: .external(user),
                                    time: clock.now,
                                    content: .attributes(
                                        AttributeChanges(["stamps": .integer(stamps)])
                                    )
                                ),
                                IngestItem(
                                    recordID: nil,
                                    user: .external(user),
                                    time: clock.now,
                                    content: .pushRegistered(
                                        PushRegistration(
                                            provider: .apns,
                                            token: user,
                                            authorization: .authorized,
                                            registeredAt: clock.now
                                        )
                                    )
                                ),
                            ]
                        )
                    ],
                    now: clock.now
                )
            }
            try await set(8, of: "ada")
            try await set(8, of: "ben")
            try await set(1, of: "cas")
            while !console.server.audience.status.isReady {
                try await Task.sleep(for: .milliseconds(5))
            }
            try await console.post(
                "/console/segments/new",
                ["name": "Regulars", "condition": "stamps >= 5"]
            )
            let segment = try #require(
                try await store.segments(in: console.workspace).first
            )
            let later = clock.now.addingTimeInterval(2 * 3600)
            let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
            let time = later.formatted(
                Date.ISO8601FormatStyle(timeZone: zone)
                    .year().month().day().dateTimeSeparator(.standard)
                    .time(includingFractionalSeconds: false)
            )
            func reserve(_ extraction: String) async throws -> SendID {
                try await console.post(
                    "/console/push/send",
                    [
                        "message": "Tea is ready", "audience": "segment",
                        "segment": "\(segment.id)", "extraction": extraction, "timing": "later",
                        "deliverAt": String(time.prefix(16)),
                    ],
                    tokenFrom: "/console/push/new"
                )
                let send = try await store.sends(in: console.workspace, limit: 1, offset: 0)
                return try #require(send.first).id
            }
            let frozen = try await reserve("whenReserved")
            let open = try await reserve("whenSent")
            #expect(try await store.send(frozen)?.content.extraction == .whenScheduled)
            #expect(try await store.send(open)?.content.extraction == nil)
            try await eventually("the audience is listed") {
                let listed = try await store.snapshotRecipients(of: frozen, after: nil, limit: 9)
                let snapshotContains = try await store.sendsAwaitingSnapshot().isEmpty
                return snapshotContains && listed.count == 2
            }
            // One leaves the segment, another one joins it.
            try await set(1, of: "ada")
            try await set(8, of: "cas")
            clock.advance(3 * 3600)
            for (send, users) in [(frozen, ["ada", "ben"]), (open, ["ben", "cas"])] {
                try await eventually("the recipients are in the ledger") {
                    let state = try await store.send(send)?.state
                    return state == .sending || state == .finished
                }
                let rows = try await store.dispatches(of: send, limit: 9)
                #expect(rows.map(\.userName).sorted() == users)
            }
        }
    }
}
