import Foundation
import Model
import Ports
import Segments
import Testing

/// What is read at once for the columns is what is read row by row.
extension StoreConformance {
    package func readsTheAppOfEachDevice() async throws {
        let fixture = try await fixture()
        var cups = fixture
        cups.app = try await store.createApp(
            AppDraft(
                name: "Cups",
                platform: "ios",
                bundleID: "example.cups",
                sdkKey: UUID().uuidString
            ),
            in: fixture.workspace,
            noting: nil,
            now: now
        )
        // Alike but for their app.
        try await register("ada", token: "01", in: fixture)
        try await register("grace", token: "02", in: cups)
        try await register("grace", token: "03", in: fixture)
        let rows = try await store.audienceView().rows(of: fixture.workspace)
        var expected: [[AudienceDevice]] = []
        try await rows.scanProfiles { expected += $0.map(\.devices) }
        var found: [[AudienceDevice]] = []
        try await rows.scanBatches(skipping: []) { batch in
            var kinds = batch.devices.kinds[...]
            for count in batch.devices.counts {
                found.append(
                    kinds.prefix(Int(count)).map { batch.devices.distinctKinds[Int($0)] }
                )
                kinds.removeFirst(Int(count))
            }
        }
        #expect(found == expected)
        let apps = found.map { $0.map(\.app) }
        #expect(apps == [["example.tea"], ["example.cups", "example.tea"]])
    }
}
