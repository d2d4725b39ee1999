import Foundation
import Model
import NoroshiWire
import Ports
import Segments

/// The workspace of a café chain, written into a store through the ports that the product uses.
///
/// What tests ask for by its address has numbers that stay: push 9, user 3, news item 2, and
/// ``id(_:)`` for content blocks and in-app messages.
package struct SampleWorkspace: Sendable {
    package static let now = Date(timeIntervalSince1970: 1_767_225_600)
    package static let password = "lighthouse"

    let store: any Store
    let size: SampleSize
    let workspace: WorkspaceID
    let now: Date

    /// The identifier of the in-app message or content block with a number.
    package static func id(_ number: Int) -> UUID {
        let digits = String(number)
        let text = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
        return UUID(uuidString: text + digits) ?? UUID()
    }

    /// As addresses have it.
    package static func name(_ number: Int) -> String { id(number).uuidString.lowercased() }

    /// Fills an empty workspace.
    ///
    /// - Parameter now: The moment at which the last of it has happened.
    static func fill(
        _ workspace: WorkspaceID,
        of store: any Store,
        size: SampleSize,
        now: Date
    ) async throws {
        guard size != .empty else { return }
        let sample = SampleWorkspace(store: store, size: size, workspace: workspace, now: now)
        try await sample.addSettings()
        try await sample.addUsers()
        try await sample.addSegments()
        try await sample.addContent()
        try await sample.addPushes()
        try await sample.addCampaigns()
        try await sample.addInAppMessages()
        try await sample.addJourneys()
        try await sample.addNews()
    }

    func before(_ seconds: TimeInterval) -> Date { now.addingTimeInterval(-seconds) }

    /// Stores what apps or servers have told.
    func ingest(_ items: [IngestItem], from source: IngestRequest.Source = .api) async throws {
        let request = IngestRequest(workspace: workspace, source: source, items: items)
        let outcomes = try await store.ingest([request], now: now)
        for outcome in outcomes.joined() {
            guard case .stored(except: []) = outcome else {
                throw SampleError(description: "a sample was refused: \(outcome)")
            }
        }
    }

    // MARK: Segments

    private func addSegments() async throws {
        for (name, condition) in [
            ("Kyoto regulars", #"city = "Kyoto" and session count >= 1 in last 30 days"#),
            ("常連（京都）", "custom.\"stamps\" >= 8"),
        ] {
            let rule = try SegmentParser.parse(condition).rule
            let definition = String(decoding: try SegmentJSON.encode(rule), as: UTF8.self)
            let segment = try await store.createSegment(
                SegmentContent(name: name, definition: definition, author: "Hanae Mori"),
                in: workspace,
                now: before(86_400)
            )
            let today = Int(now.timeIntervalSince1970 / 86_400)
            for day in 0..<30 {
                let users = size.users / 2 - day * size.users / 90 + day % 4
                try await store.saveSegmentSizes([segment.id: users], day: today - day)
            }
        }
        let ids = (1...max(1, size.users / 5)).map { SamplePeople.id($0) }
        let known = try await store.profiles(externalIDs: ids, in: workspace)
        _ = try await store.saveUserList(
            named: "夏祭り 2025",
            profiles: Array(known.values),
            author: "Hanae Mori",
            in: workspace,
            noting: nil,
            now: before(9 * 86_400)
        )
    }

    // MARK: News

    private func addNews() async throws {
        let texts = [
            ("The garden terrace is open", "Shop"), ("土曜日は朝8時から営業します", "お知らせ"),
            ("Novo cardápio de outono", "Cardápio"), ("New beans from Uji", "Shop"),
        ]
        let day: TimeInterval = 86_400
        for number in 1...size.news {
            let (title, category) = texts[number % texts.count]
            var content = NewsContent(
                title: number > texts.count ? "\(title) #\(number)" : title,
                text: "Come by and see it for yourself.\nWe are looking forward to you."
            )
            content.category = category
            content.isDraft = number % 5 == 1
            let age = Double(size.news - number - 1) * day
            content.releaseFrom = content.isDraft ? nil : before(age)
            content.releaseEnd = number % 6 == 3 ? before(max(day, age - day)) : nil
            _ = try await store.createNews(
                content,
                author: "Hanae Mori",
                in: workspace,
                now: before(3600 * Double(size.news - number + 1))
            )
        }
    }
}

struct SampleError: Error, CustomStringConvertible {
    var description: String
}
