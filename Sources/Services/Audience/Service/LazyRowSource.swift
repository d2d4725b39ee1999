import Model
import Ports
import Segments

/// Opens a snapshot only when a filter needs data that columns do not have.
struct LazyRowSource: UserRowReader {
    let store: any UserChangeLog
    let workspace: WorkspaceID

    /// A snapshot that is opened later contains at least the commits of the columns.
    let sequence: Int64 = 0

    private func rows() async throws -> any UserRowReader {
        try await store.audienceView().rows(of: workspace)
    }

    func profileCount() async throws -> Int { try await rows().profileCount() }

    func eventCount() async throws -> Int { try await rows().eventCount() }

    func scanProfiles(_ receive: ([AudienceProfile]) throws -> Void) async throws {
        try await rows().scanProfiles(receive)
    }

    func scanEvents(
        _ query: AudienceEventQuery,
        _ receive: ([AudienceEvent]) throws -> Void
    ) async throws {
        try await rows().scanEvents(query, receive)
    }

    func scanOccurrences(_ receive: (ActivityBatch) throws -> Void) async throws {
        try await rows().scanOccurrences(receive)
    }

    func keptSince() async throws -> KeptSince { try await rows().keptSince() }

    func scanRemoved(
        _ receive: (Activity, [RemovedOccurrences]) throws -> Void
    ) async throws {
        try await rows().scanRemoved(receive)
    }

    func scanLists(_ receive: (_ id: String, _ profiles: [Int64]) throws -> Void) async throws {
        try await rows().scanLists(receive)
    }
}
