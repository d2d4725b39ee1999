import PostgresClient
import PostgresTesting
import Testing

@testable import Relational

@Suite(
    "Connections to PostgreSQL",
    .enabled(if: TemporaryPostgres.isInstalled, "libpq is not installed on this machine")
)
struct PostgresLaneTests {
    @Test("who waits while a server is silent is told with the one who tried")
    func silence() async throws {
        let server = try SilentServer()
        let place = "postgres://tea@127.0.0.1:\(server.port)/tea"
        let address = place + "?connect_timeout=2&sslmode=disable&gssencmode=disable"
        let reach = PostgresReach()
        let lanes = ["one", "two"].map { PostgresLane(address, reach: reach, $0) }
        let number = reach.failures
        let refused = await withTaskGroup(of: Bool.self) { group in
            for lane in lanes {
                for _ in 0..<10 {
                    group.addTask {
                        do {
                            try await lane.performUnbound(since: number) { _ in }
                            return false
                        } catch {
                            return error is PostgresError
                        }
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(refused == 20)
        #expect((1...2).contains(server.attempts()))
        await #expect(throws: PostgresError.self) { try await lanes[0].performUnbound { _ in } }
        #expect(server.attempts() == 1)
    }
}
