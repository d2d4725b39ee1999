import ClientTesting
import Foundation
import NoroshiWire
import Testing

@_spi(Testing) @testable import NoroshiOutbox

@Suite("The folder of an installation")
struct InstallationFolderTests {
    let own: TemporaryFolder
    let group: TemporaryFolder
    let ingest = Ingest()

    init() throws {
        own = try TemporaryFolder()
        group = try TemporaryFolder()
    }

    private func recorder(
        group name: String?,
        container: URL? = nil,
        isExtension: Bool = false
    ) -> Recorder {
        var configuration = NoroshiConfiguration(apiKey: "key", endpoint: "push.example.com")
        configuration.push.appGroup = name
        configuration.api.requestPolicy = .manual
        configuration.logger.level = .disabled
        var dependencies = NoroshiDependencies(transport: ingest)
        let (ownURL, groupURL) = (container ?? own.url, group.url)
        dependencies.privateContainer = { ownURL }
        dependencies.groupContainer = { $0 == "group.tea" ? groupURL : nil }
        return Recorder(
            configuration: configuration,
            dependencies: dependencies,
            isExtension: isExtension
        )
    }

    @Test("identity, session and waiting records survive the update that brings an App Group")
    func appGroupTurnedOnLater() async throws {
        let before = recorder(group: nil)
        _ = before.perform { access in
            access.state.externalID = "ann"
            access.state.session = .init(id: UUID(), start: Date(), user: .external("ann"))
        }
        _ = try before.logEvent(name: "ordered", members: [:]).get()
        let state = try #require(before.state)

        let after = recorder(group: "group.tea")
        #expect(after.state == state)
        await after.uploader.flush()
        #expect(ingest.records.compactMap(\.event?.name) == ["ordered"])
        #expect(ingest.read(\.batches).first?.device.id == state.deviceID)
        // It happens once.
        #expect(recorder(group: "group.tea").state == after.state)
    }

    @Test("an extension that is first in the group's folder does not change who the app is")
    func extensionFirst() async throws {
        let before = recorder(group: nil)
        _ = try before.logEvent(name: "ordered", members: [:]).get()
        let state = try #require(before.state)

        // An extension has a container of its own, where nothing is.
        let container = try TemporaryFolder()
        let extensions = recorder(
            group: "group.tea",
            container: container.url,
            isExtension: true
        )
        _ = try extensions.logEvent(name: "received", members: [:]).get()
        _ = extensions.perform { _ = $0.state.recordInteraction("push|received|") }

        let after = recorder(group: "group.tea")
        #expect(after.state?.deviceID == state.deviceID)
        #expect(after.state?.seenInteractions == ["push|received|"])
        await after.uploader.flush()
        #expect(Set(ingest.records.compactMap(\.event?.name)) == ["ordered", "received"])
        let sequences = ingest.records.map(\.sequence)
        #expect(Set(sequences).count == sequences.count)
    }

    @Test("an extension hands over what it kept by itself, and the app stays who it is")
    func extensionWithoutGroup() async throws {
        let container = try TemporaryFolder()
        let alone = recorder(group: nil, container: container.url, isExtension: true)
        _ = try alone.logEvent(name: "received", members: [:]).get()
        let app = recorder(group: "group.tea")
        _ = app.perform { $0.state.externalID = "ann" }
        let state = try #require(app.state)

        let together = recorder(group: "group.tea", container: container.url, isExtension: true)
        #expect(together.state?.deviceID == state.deviceID)
        #expect(together.state?.externalID == "ann")
        await together.uploader.flush()
        #expect(ingest.records.compactMap(\.event?.name) == ["received"])
    }

    @Test("without the entitlement the private folder stays in use")
    func noEntitlement() throws {
        let before = recorder(group: nil)
        _ = before.perform { $0.state.externalID = "ann" }
        #expect(recorder(group: "group.other").state?.externalID == "ann")
    }
}
