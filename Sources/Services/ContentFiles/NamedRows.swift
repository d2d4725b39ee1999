import Foundation
import Model
import Ports
import Reasons

/// The names by which forms may call rows, besides their identifiers.
struct NamedRows {
    var segments = UniqueNames<Int64>()
    var campaigns = UniqueNames<Int64>()
    var inAppMessages = UniqueNames<UUID>()
    var journeys = UniqueNames<UUID>()
}

extension NamedRows {
    init(_ content: WrittenContent) {
        for segment in content.segments where segment.archivedAt == nil {
            segments.add(segment.id.rawValue, named: segment.content.name)
        }
        for campaign in content.campaigns {
            campaigns.add(campaign.id.rawValue, named: campaign.content.name)
        }
        for message in content.inAppMessages {
            inAppMessages.add(message.id, named: message.name)
        }
        for journey in content.journeys { journeys.add(journey.apiID, named: journey.draft.name) }
    }
}

extension ContentNames.Rows {
    /// The same rows, called by their names where these are unique.
    func readable(_ named: NamedRows, _ content: WrittenContent) -> Self {
        var rows = self
        let segmentNames = named.segments.names(
            content.segments.map { ($0.id.rawValue, $0.content.name) }
        )
        for (number, name) in segmentNames { rows.segments[String(number)] = name }
        let campaignNames = named.campaigns.names(
            content.campaigns.map { ($0.id.rawValue, $0.content.name) }
        )
        for (number, name) in campaignNames { rows.campaigns[String(number)] = name }
        rows.inAppMessages = named.inAppMessages.names(
            content.inAppMessages.map { ($0.id, $0.name) }
        )
        rows.journeys = named.journeys.names(content.journeys.map { ($0.apiID, $0.draft.name) })
        return rows
    }
}
