import Foundation
import GRDB
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

/// What was measured stays with what people saw, whatever becomes of the message.
@Suite("Variants of in-app messages have identities")
struct InAppVariantTests {
    private struct Site {
        let store: SQLStore
        let fixture: StoreConformance.Fixture
        let path: String

        var workspace: WorkspaceID { fixture.workspace }

        func read(_ id: UUID) async throws -> InAppMessageDefinition {
            try #require(try await store.inAppMessage(id, in: workspace))
        }

        /// What devices report each content as, in the order of the variants.
        func reported(_ id: UUID) async throws -> [String] {
            try await read(id).variants.map { $0.variant ?? "-" }
        }

        func see(_ id: UUID, as variant: String) async throws {
            let item = IngestItem(
                recordID: UUID(),
                user: .external("ada"),
                time: StoreConformance(store).now,
                content: .inAppMessage(
                    .init(kind: .impression, message: id.uuidString.lowercased(), variant: variant)
                )
            )
            _ = try await store.ingest(
                [
                    IngestRequest(
                        workspace: workspace,
                        source: .device(
                            SDKDevice(id: UUID(), platform: "ios"),
                            app: fixture.app.id
                        ),
                        items: [item]
                    )
                ],
                now: StoreConformance(store).now
            )
        }

        /// Impressions by what was seen.
        func seen(_ id: UUID) async throws -> [String: Int] {
            let counts = try await store.inAppMessageVariantCounts(of: id, in: workspace)
            let records = try await store.inAppVariantRecords(of: id, in: workspace)
            return Dictionary(
                uniqueKeysWithValues: records.compactMap { record in
                    counts[String(record.number)].map { (record.text, $0.impressions) }
                }
            )
        }
    }

    private func withSite(_ body: (Site) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-in-app-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "test.sqlite").path
        let store = try SQLStore.testing(at: path)
        let fixture = try await StoreConformance(store).fixture()
        try await body(Site(store: store, fixture: fixture, path: path))
    }

    private func content(_ text: String, _ id: UUID) -> InAppMessage {
        InAppMessage(
            id: id.uuidString.lowercased(),
            kind: .modal,
            message: text,
            rules: InAppMessageRules(triggers: [.sessionStart])
        )
    }

    private func message(
        _ texts: [String],
        _ state: InAppMessageDefinition.State,
        in site: Site
    ) -> InAppMessageDefinition {
        let id = UUID()
        let now = StoreConformance(site.store).now
        return InAppMessageDefinition(
            id: id,
            workspace: site.workspace,
            name: "Tea \(id)",
            state: state,
            message: content(texts[0], id),
            experiment: InAppExperiment(
                weights: texts.map { _ in 1 },
                others: texts.dropFirst().map { content($0, id) }
            ),
            createdAt: now,
            updatedAt: now
        )
    }

    @Test("a variant that is taken away keeps what was seen under its text, the others theirs")
    func removed() async throws {
        try await withSite { site in
            var stored = message(["Alpha", "Beta", "Gamma"], .active, in: site)
            let id = stored.id
            try await site.store.createInAppMessage(stored)
            #expect(try await site.reported(id) == ["0", "1", "2"])
            try await site.see(id, as: "0")
            try await site.see(id, as: "1")
            stored = try await site.read(id)
            let beta = stored.experiment.identities[1]
            stored.message = stored.experiment.others.removeFirst()
            stored.experiment.weights = [1, 1]
            stored.experiment.identities.removeFirst()
            _ = try await site.store.updateInAppMessage(stored)
            #expect(try await site.reported(id) == ["1", "2"])
            #expect(try await site.read(id).experiment.identities[0] == beta)
            // A new one gets a number that nothing had, also when the last one has gone.
            stored = try await site.read(id)
            stored.experiment.others = [content("Delta", id)]
            stored.experiment.identities = [beta, InAppVariantIdentity(id: UUID())]
            _ = try await site.store.updateInAppMessage(stored)
            #expect(try await site.reported(id) == ["1", "3"])
            #expect(try await site.seen(id) == ["Alpha": 1, "Beta": 1])
        }
    }

    @Test("another text of a variant is measured apart, under the same identifier")
    func reworded() async throws {
        try await withSite { site in
            var stored = message(["Old", "Other"], .active, in: site)
            let id = stored.id
            try await site.store.createInAppMessage(stored)
            try await site.see(id, as: "0")
            stored = try await site.read(id)
            let before = stored
            stored.message.message = "New"
            _ = try await site.store.updateInAppMessage(stored)
            #expect(try await site.reported(id) == ["2", "1"])
            let identities = try await site.read(id).experiment.identities
            #expect(identities.map(\.id) == before.experiment.identities.map(\.id))
            try await site.see(id, as: "2")
            #expect(try await site.seen(id) == ["Old": 1, "New": 1])
            // Back to the old text: that is what it is counted as.
            stored.message.message = "Old"
            _ = try await site.store.updateInAppMessage(stored)
            #expect(try await site.reported(id) == ["0", "1"])
        }
    }

    @Test("who names no identifiers means the variant that says the same, or a new one")
    func unnamed() async throws {
        try await withSite { site in
            var stored = message(["Alpha", "Beta"], .active, in: site)
            let id = stored.id
            try await site.store.createInAppMessage(stored)
            let first = try await site.read(id).experiment.identities
            stored.message = content("Beta", id)
            stored.experiment.others = [content("Gamma", id)]
            stored.experiment.identities = []
            _ = try await site.store.updateInAppMessage(stored)
            let second = try await site.read(id).experiment.identities
            #expect(second[0] == first[1])
            #expect(second[1].number == 2 && !first.map(\.id).contains(second[1].id))
        }
    }

    @Test("a draft may be written until it is good: no device has had its texts")
    func draft() async throws {
        try await withSite { site in
            var stored = message(["Alpha", "Beta"], .draft, in: site)
            let id = stored.id
            try await site.store.createInAppMessage(stored)
            stored = try await site.read(id)
            stored.message.message = "Better"
            _ = try await site.store.updateInAppMessage(stored)
            #expect(try await site.reported(id) == ["0", "1"])
            let texts = try await site.store.inAppVariantRecords(of: id, in: site.workspace)
            #expect(texts.map(\.text) == ["Better", "Beta"])
            // Once it was shown its texts stay, also when it is made a draft again.
            for state in [InAppMessageDefinition.State.active, .draft] {
                stored = try await site.read(id)
                stored.state = state
                _ = try await site.store.updateInAppMessage(stored)
            }
            stored = try await site.read(id)
            stored.message.message = "Best"
            _ = try await site.store.updateInAppMessage(stored)
            #expect(try await site.reported(id) == ["2", "1"])
        }
    }

    @Test(
        "what an earlier version measured by places stays with the texts at these places",
        .aboutFiles
    )
    func migration() async throws {
        try await withSite { site in
            let stored = message(["Alpha", "Beta"], .active, in: site)
            let plain = message(["Alone"], .active, in: site)
            for message in [stored, plain] { try await site.store.createInAppMessage(message) }
            try await site.see(stored.id, as: "0")
            try await site.see(stored.id, as: "1")
            // Of a third variant that was taken away before the update.
            try await site.see(stored.id, as: "2")
            try await site.store.close()
            let queue = try DatabaseQueue(path: site.path)
            try await queue.write { database in
                try database.execute(
                    sql: """
                        DROP TABLE in_app_variants;
                        UPDATE in_app_messages
                            SET experiment = json_remove(experiment, '$.identities');
                        DELETE FROM grdb_migrations
                            WHERE identifier = 'identities of in-app variants';
                        """
                )
            }
            try queue.close()
            let again = Site(
                store: try SQLStore.testing(at: site.path),
                fixture: site.fixture,
                path: site.path
            )
            #expect(try await again.reported(stored.id) == ["0", "1"])
            #expect(try await again.seen(stored.id) == ["Alpha": 1, "Beta": 1])
            #expect(try await again.reported(plain.id) == ["-"])
            // The text keeps its number although another version wrote it, and a new one gets none
            // that was reported.
            var edited = try await again.read(stored.id)
            edited.experiment.others[0].message = "Gamma"
            _ = try await again.store.updateInAppMessage(edited)
            #expect(try await again.reported(stored.id) == ["0", "3"])
        }
    }
}
