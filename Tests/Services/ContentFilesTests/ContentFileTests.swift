import Campaigns
import ContentFiles
import Foundation
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

@Suite("Files of what is written")
struct ContentFileTests {
    static let now = Date(timeIntervalSince1970: 1_790_000_000)

    /// A server with a workspace.
    struct Site {
        let store: SQLStore
        let workspace: WorkspaceID
        var service: ContentFileService {
            ContentFileService(store: store, now: { ContentFileTests.now })
        }

        func export() async throws -> String {
            var text = ""
            _ = try await service.export(workspace) { text += $0 }
            return text
        }

        @discardableResult
        func bringIn(_ text: String, to other: WorkspaceID? = nil) async throws
            -> ContentFileOutcome
        {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let records = lines.enumerated().filter { !$0.element.isEmpty }
                .map { (number: $0.offset + 1, bytes: Array($0.element.utf8)) }
            return try await service.bringIn(
                records,
                by: .commandLine(account: "ada", other ?? workspace)
            )
        }

        /// The lines and fields at fault.
        func refusal(_ text: String) async throws -> [String] {
            let before = try await export()
            do {
                try await bringIn(text)
                return []
            } catch let error as ValidationError {
                #expect(try await export() == before, "nothing of a refused file is stored")
                return error.problems.map { problem in
                    guard case .line(let number, let field) = problem.path else { return "" }
                    return "\(number) \(field)"
                }
            }
        }
    }

    static func withSites(
        _ count: Int = 1,
        _ body: ([Site]) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-content-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var sites: [Site] = []
        for number in 0..<count {
            let store = try SQLStore.testing(
                at: folder.appending(path: "\(number).sqlite").path
            )
            let workspace = try await StoreConformance(store).fixture().workspace
            sites.append(Site(store: store, workspace: workspace))
        }
        try await body(sites)
    }

    @Test(
        "what is taken out and brought in elsewhere is taken out again byte for byte",
        arguments: 1...12
    )
    func roundTrip(seed: Int) async throws {
        try await Self.withSites(2) { sites in
            var content = RandomContent(
                seed: UInt64(seed),
                sites[0].store,
                sites[0].workspace,
                now: Self.now
            )
            try await content.write()
            let file = try await sites[0].export()
            // Lists of users are uploaded, not written.
            for list in try await sites[0].store.userLists(in: sites[0].workspace) {
                _ = try await sites[1].store.saveUserList(
                    named: list.name,
                    profiles: [],
                    author: "Ada",
                    in: sites[1].workspace,
                    noting: nil,
                    now: Self.now
                )
            }
            let first = try await sites[1].bringIn(file)
            #expect(first.added + first.changed + first.unchanged + first.items > 10)
            #expect(try await sites[1].export() == file)
            let again = try await sites[1].bringIn(file)
            #expect(again.added == 0 && again.changed == 0)
            let there = try await sites[0].bringIn(file)
            #expect(there.changed == 0 && there.added == 0)
            #expect(try await sites[0].export() == file)
        }
    }

    @Test("a second import of a file writes nothing at all", arguments: [21, 22])
    func idempotent(seed: Int) async throws {
        try await Self.withSites { sites in
            let site = sites[0]
            var content = RandomContent(
                seed: UInt64(seed),
                site.store,
                site.workspace,
                now: Self.now
            )
            try await content.write()
            let file = try await site.export()
            let query = AuditQuery(limit: 100)
            let before = try await site.store.audit(in: site.workspace, matching: query).total
            try await site.bringIn(file)
            let after = try await site.store.audit(in: site.workspace, matching: query).total
            #expect(before == after)
        }
    }

    @Test("nothing that comes in sends or is shown: campaigns, messages and news are drafts")
    func drafts() async throws {
        try await Self.withSites(2) { sites in
            for seed in 31...36 {
                var content = RandomContent(
                    seed: UInt64(seed),
                    sites[0].store,
                    sites[0].workspace,
                    now: Self.now
                )
                try? await content.write()
            }
            for list in try await sites[0].store.userLists(in: sites[0].workspace) {
                _ = try await sites[1].store.saveUserList(
                    named: list.name,
                    profiles: [],
                    author: "Ada",
                    in: sites[1].workspace,
                    noting: nil,
                    now: Self.now
                )
            }
            try await sites[1].bringIn(try await sites[0].export())
            let stored = try #require(
                try await sites[1].store.writtenContent(of: sites[1].workspace)
            )
            #expect(stored.campaigns.count > 5 && stored.news.count > 5)
            #expect(stored.campaigns.allSatisfy { [.draft, .archived].contains($0.state) })
            #expect(stored.campaigns.allSatisfy { $0.nextDueAt == nil && $0.activatedAt == nil })
            #expect(stored.inAppMessages.allSatisfy { [.draft, .archived].contains($0.state) })
            #expect(stored.news.allSatisfy { $0.content.isDraft })
        }
    }

    @Test("another workspace of the same server gets copies, found again by the next import")
    func secondWorkspace() async throws {
        try await Self.withSites { sites in
            let site = sites[0]
            var content = RandomContent(seed: 41, site.store, site.workspace, now: Self.now)
            try await content.write()
            let file = try await site.export()
            let other = try await site.store.createWorkspace(
                name: "Other",
                timeZone: "UTC",
                now: Self.now
            )
            for list in try await site.store.userLists(in: site.workspace) {
                _ = try await site.store.saveUserList(
                    named: list.name,
                    profiles: [],
                    author: "Ada",
                    in: other,
                    noting: nil,
                    now: Self.now
                )
            }
            let first = try await site.bringIn(file, to: other)
            #expect(first.added > 5)
            let again = try await site.bringIn(file, to: other)
            #expect(again.added == 0 && again.changed == 0)
            #expect(try await site.export() == file)
            var copy = ""
            _ = try await site.service.export(other) { copy += $0 }
            #expect(copy.split(separator: "\n").count == file.split(separator: "\n").count)
        }
    }
}
