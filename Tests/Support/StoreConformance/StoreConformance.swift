import Foundation
import Model
import NoroshiWire
import Ports
import Testing

/// What every store must do. Each adapter's tests run all of it on an empty store.
package struct StoreConformance: Sendable {
    package let store: any Store
    package let now = Date(timeIntervalSince1970: 1_790_000_000)

    package init(_ store: any Store) {
        self.store = store
    }

    package struct Fixture: Sendable {
        package var workspace: WorkspaceID
        package var app: App

        package init(workspace: WorkspaceID, app: App) {
            self.workspace = workspace
            self.app = app
        }
    }

    package func fixture() async throws -> Fixture {
        let workspace = try await store.createWorkspace(
            name: "Tea house",
            timeZone: "Asia/Tokyo",
            now: now
        )
        let app = try await store.createApp(
            AppDraft(
                name: "Tea",
                platform: "ios",
                bundleID: "example.tea",
                sdkKey: UUID().uuidString
            ),
            in: workspace,
            noting: nil,
            now: now
        )
        return Fixture(workspace: workspace, app: app)
    }

    /// Registers one device of a user and returns its installation id.
    @discardableResult
    package func register(
        _ externalID: String,
        token: String,
        in fixture: Fixture,
        authorization: PushAuthorization = .authorized
    ) async throws -> UUID {
        let installation = UUID()
        let item = IngestItem(
            recordID: UUID(),
            user: .external(externalID),
            time: now,
            content: .pushRegistered(
                PushRegistration(
                    provider: .apns,
                    token: token,
                    environment: .sandbox,
                    authorization: authorization,
                    registeredAt: now
                )
            )
        )
        let outcomes = try await store.ingest(
            [
                IngestRequest(
                    workspace: fixture.workspace,
                    source: .device(
                        SDKDevice(id: installation, platform: "ios"),
                        app: fixture.app.id
                    ),
                    items: [item]
                )
            ],
            now: now
        )
        #expect(outcomes == [[.stored(except: [])]])
        return installation
    }

    package func ingest(
        _ items: [IngestItem],
        in workspace: WorkspaceID
    ) async throws -> [IngestOutcome] {
        let outcomes = try await store.ingest(
            [IngestRequest(workspace: workspace, source: .api, items: items)],
            now: now
        )
        return try #require(outcomes.first)
    }

    /// Makes a send, plans it completely and returns it.
    package func plannedSend(
        to audience: Audience,
        in fixture: Fixture
    ) async throws -> Send {
        let send = try await store.createSend(
            SendContent(message: PushMessage(body: "Hello"), audience: audience),
            in: fixture.workspace,
            scheduledAt: now,
            now: now
        )
        _ = try await store.startPlanningDueSends(now: now)
        while try await !store.planNextBatch(of: send.id, limit: 2, now: now).isComplete {}
        return send
    }

    package func claim(
        _ limit: Int,
        by owner: String = "worker",
        at time: Date? = nil
    ) async throws -> [ClaimedDispatch] {
        let time = time ?? now
        return try await store.claimDispatches(
            ClaimRequest(
                limit: limit,
                owner: owner,
                leaseEnd: time.addingTimeInterval(60),
                now: time
            )
        ).rows
    }
}
