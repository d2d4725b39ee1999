import Devices
import Foundation
import Journeys
import Logging
import Model
import NoroshiWire
import Server
import Synchronization
import Testing

/// Server, push services and phones in one process, with a clock that is moved.
@Suite("The clock of a demo")
struct DemoClockTests {
    private static func folder() -> URL {
        FileManager.default.temporaryDirectory
            .appending(path: "noroshi-clock-\(UUID().uuidString)")
    }

    @Test("lets a journey's wait of a day be over at once, on the server and on the phones")
    func journey() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let demo = try await Demo(
            folder: folder,
            host: "127.0.0.1",
            port: 0,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await demo.run { _, phones in
            let service = demo.server.journeys
            let actor = Actor.commandLine(account: "demo", demo.workspace)
            let journey = try await service.publish(
                try await service.create(Self.cart, by: actor),
                by: actor
            )
            try await phones.apple.perform(.openApp)
            try await phones.apple.perform(.shop(.view(tea: "Assam")))
            try await phones.apple.perform(.shop(.addToCart))
            try await eventually("the guest enters") {
                try await service.figures(of: journey).inside == 1
            }
            let before = demo.clock.now
            try await demo.rack.moveClock(by: 86_400)
            try await eventually("the message arrives") {
                await phones.apple.state.banners.first?.title == "Still there?"
            }
            let banner = try #require(await phones.apple.state.banners.first)
            #expect(banner.date >= before.addingTimeInterval(86_400))
        }
    }

    private static var cart: JourneyDefinition {
        let (wait, push) = (JourneyStepID(UUID()), JourneyStepID(UUID()))
        let variant = CampaignVariant(
            apiID: UUID(),
            name: "A",
            message: CampaignMessage(
                PlatformMessage(PushMessage(title: "Still there?", body: "Your tea is."))
            )
        )
        return JourneyDefinition(
            name: "Cart",
            entry: .event(EventMatch(.custom(name: "added_to_cart"))),
            steps: [
                JourneyStep(id: wait, kind: .wait(.duration(86_400)), next: push),
                JourneyStep(id: push, kind: .push(JourneyPush(variants: [variant]))),
            ]
        )
    }

    @Test("never goes back, and outlives the process with the data of its demo")
    func kept() throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "clock.json")
        let start = Date(timeIntervalSince1970: 1_790_000_000)
        let clock = DemoClock(source: { start }, file: file)
        try clock.move(by: 3_600)
        try clock.move(by: -7_200)
        #expect(clock.now == start.addingTimeInterval(3_600))
        #expect(DemoClock(source: { start }, file: file).ahead == 3_600)
        // Without a folder it begins anew.
        #expect(DemoClock(source: { start }).ahead == 0)
    }

    @Test("stays where it was if the time cannot be kept")
    func unkept() {
        let clock = DemoClock(file: Self.folder().appending(path: "gone/clock.json"))
        #expect(throws: (any Error).self) { try clock.move(by: 3_600) }
        #expect(clock.ahead == 0)
    }
}
