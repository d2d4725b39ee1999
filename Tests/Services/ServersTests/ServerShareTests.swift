import Foundation
import Model
import Ports
import Servers
import Testing

@Suite("The part of one of several servers")
struct ServerShareTests {
    @Test("is of those that have the role, and never of none")
    func roles() {
        let share = ServerShare()
        #expect(share.servers == 1 && share.servers(in: .delivery) == 1)
        let servers: [WorkingServer] =
            .stand(2, as: [.requests]) + .stand(3, as: [.delivery, .leadership])
        share.set(servers)
        #expect(share.servers == 5)
        #expect(share.servers(in: .requests) == 2)
        #expect(share.servers(in: .delivery) == 3)
        // This one has a role that the database does not know of yet.
        share.set(.stand(2, as: [.requests]))
        #expect(share.servers(in: .delivery) == 1)
        share.set([])
        #expect(share.servers == 1 && share.servers(in: .requests) == 1)
    }
}

extension [WorkingServer] {
    /// Servers of which only their number and roles matter.
    static func stand(_ count: Int, as roles: Set<ServerRole> = .all) -> Self {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        return (0..<count).map { number in
            WorkingServer(
                id: UUID(),
                name: "server-\(number)",
                host: "tea",
                process: 1,
                version: "0.2.0",
                roles: roles,
                startedAt: now,
                seenAt: now,
                clockOffset: 0,
                report: ServerReport()
            )
        }
    }
}
