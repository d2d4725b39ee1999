import Audience
import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Segments

/// The names of references in a file: identifiers instead of the numbers of rows, and names of
/// uploaded lists.
struct ContentNames {
    private let segments: [String: String]
    private let lists: [String: String]
    private let campaigns: [String: String]
    private let news: [String: String]
    private let inAppMessages: [UUID: String]
    private let journeys: [UUID: String]
    /// The same as `segments`, by identifier.
    private let identified: [UUID: String]

    /// - Parameter segments: Those that questions of reports may name by identifier.
    init(_ content: Rows, segments known: [StoredSegment] = []) {
        identified = Dictionary(
            known.compactMap { segment in
                content.segments[segment.id.description].map { (segment.apiID, $0) }
            },
            uniquingKeysWith: { first, _ in first }
        )
        segments = content.segments
        lists = content.lists
        campaigns = content.campaigns
        news = content.news
        inAppMessages = content.inAppMessages
        journeys = content.journeys
    }

    /// Maps the numbers of rows, as texts, to their names; what is not numbered by its identifier.
    struct Rows {
        var segments: [String: String] = [:]
        var lists: [String: String] = [:]
        var campaigns: [String: String] = [:]
        var news: [String: String] = [:]
        var inAppMessages: [UUID: String] = [:]
        var journeys: [UUID: String] = [:]
    }

    /// A filter with identifiers.
    func filter(_ definition: String) throws -> JSONValue {
        let rule = try SegmentJSON.decode(Data(definition.utf8)).mappingReferences(
            segment: { segments[$0] ?? $0 },
            list: { lists[$0] ?? $0 },
            campaign: { campaigns[$0] ?? $0 }
        )
        return try JSONReader.read(SegmentJSON.encode(rule))
    }

    /// A question with what its segments are called.
    func question(_ question: [String: JSONValue]) -> [String: JSONValue] {
        question.mappingSegments { name in
            UUID(uuidString: name).map { identified[$0] ?? ContentWriter.text($0) } ?? name
        }
    }

    func list(_ id: UserListID) -> String { lists[id.description] ?? id.description }

    func inAppMessage(_ id: UUID) -> String { inAppMessages[id] ?? ContentWriter.text(id) }

    func journey(_ id: UUID) -> String { journeys[id] ?? ContentWriter.text(id) }

    func audience(_ query: SegmentQuery) throws -> JSONValue? {
        guard query != SegmentQuery() else { return nil }
        var members: [String: JSONValue] = [:]
        if !query.segments.isEmpty {
            members["segments"] = .array(
                query.segments.map { .string(segments[$0.description] ?? $0.description) }
            )
        }
        members["filter"] = try query.filter.map(filter)
        return .object(members)
    }

    /// The message with the identifier of its news item, or without the item if it was deleted.
    func named(_ message: PushMessage) -> PushMessage {
        guard let reference = message.news, Int64(reference.id) != nil else { return message }
        var message = message
        message.news?.id = news[reference.id] ?? ""
        if news[reference.id] == nil { message.news = nil }
        return message
    }
}

extension CampaignContent {
    /// The content with its messages replaced by the results of `change`.
    func changingMessages(
        _ change: (PushMessage, String) throws -> PushMessage
    ) rethrows -> CampaignContent {
        var content = self
        for index in variants.indices {
            let path = "variants.\(index).message."
            func changed(_ part: PlatformMessage, _ name: String) throws -> PlatformMessage {
                var part = part
                part.message = try change(part.message, path + name + ".message")
                return part
            }
            let message = variants[index].message
            content.variants[index].message = CampaignMessage(
                try changed(message.common, "common"),
                ios: try message.ios.map { try changed($0, "ios") },
                android: try message.android.map { try changed($0, "android") },
                web: try message.web.map { try changed($0, "web") }
            )
        }
        return content
    }
}
