import Foundation
import Model
import Ports

extension SampleWorkspace {
    /// Apps, limits, a key of the REST API and the log.
    func addSettings() async throws {
        for (platform, bundleID, key) in [
            ("ios", "com.example.aoi", "sdk_5f0c2a7b91d84e31"),
            ("android", "com.example.aoi", "sdk_11aa2a7b91d8ccee"),
            ("web", "https://aoi.example", "sdk_33cc2a7b91d8ccee"),
        ] {
            _ = try await store.createApp(
                AppDraft(
                    name: "Kissa Aoi",
                    platform: platform,
                    bundleID: bundleID,
                    sdkKey: key
                ),
                in: workspace,
                noting: nil,
                now: before(40 * 86_400)
            )
        }
        var limits = MessagingLimits(caps: [FrequencyCap(messages: 3, days: 7)])
        if let start = TimeOfDay(22, 0), let end = TimeOfDay(8, 0) {
            limits.quietHours = QuietHours(start: start, end: end)
        }
        try await store.saveLimits(limits, of: workspace)
        try await store.saveAPIKey(
            APIKey(
                workspace: workspace,
                name: "shop backend",
                permissions: ["users.track", "messages.send"],
                allowedAddresses: [AddressRange("203.0.113.0/24")].compactMap(\.self),
                createdAt: before(40 * 86_400),
                lastUsedAt: before(60)
            ),
            secretHash: Data(repeating: 7, count: 32),
            noting: nil
        )
        for record in [
            AuditRecord(
                at: before(3600),
                origin: .api,
                author: "shop backend",
                action: "messages.send",
                subject: "#11"
            ),
            AuditRecord(
                at: now,
                origin: .console,
                author: "Hanae Mori",
                action: "push_sent",
                subject: "#12",
                detail: "Saturday only"
            ),
        ] {
            try await store.addAudit(record, in: workspace)
        }
    }
}
