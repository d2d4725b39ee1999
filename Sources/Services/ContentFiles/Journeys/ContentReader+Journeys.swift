import Foundation
import Journeys
import Model
import NoroshiWire
import Ports

/// Reads journeys, and finds what they name.
extension ContentReader {
    /// A journey's draft. Nobody's way changes, so that one that runs may be changed too.
    mutating func readJourney(_ line: ContentLine) throws {
        let id = try line.id()
        let former = state.content.journeys.first { $0.apiID == id }
        let isArchived = try line.flag("archived")
        var members = line.members
        for name in ["id", "archived"] { members[name] = nil }
        var reader = JourneyFormReader(here)
        var journey = Journey(
            // A new one is numbered by the store.
            id: former?.id ?? JourneyID(0),
            workspace: workspace,
            apiID: id,
            state: .draft,
            draft: try reader.definition(members),
            createdAt: now,
            updatedAt: now
        )
        if let former {
            let free: JourneyState = former.version == nil ? .draft : .stopped
            journey.state = former.state == .archived ? free : former.state
        }
        if isArchived {
            guard [.draft, .stopped].contains(journey.state) else {
                throw FieldProblem("archived", .journeyRuns)
            }
            journey.state = .archived
        }
        guard try keep(journey, instead: former, \.journeys, writer.line) else { return }
        report(JourneyValidator.draftProblems(of: journey.draft), line)
    }

    /// What the rows will be called: those of the file as it says.
    mutating func nameRows() {
        let content = state.content
        var inFile: Set<UUID> = []
        for line in lines {
            guard let id = try? line.id(), let name = line["name"]?.stringValue else { continue }
            inFile.insert(id)
            switch line.kind {
            case .segment where line["archived"] != true:
                if let number = here.segments[id] { here.named.segments.add(number, named: name) }
            case .campaign:
                if let number = here.campaigns[id] {
                    here.named.campaigns.add(number, named: name)
                }
            case .inAppMessage: here.named.inAppMessages.add(id, named: name)
            case .journey: here.named.journeys.add(id, named: name)
            default: break
            }
        }
        for segment in content.segments
        where segment.archivedAt == nil && !inFile.contains(segment.apiID) {
            here.named.segments.add(segment.id.rawValue, named: segment.content.name)
        }
        for campaign in content.campaigns where !inFile.contains(campaign.apiID) {
            here.named.campaigns.add(campaign.id.rawValue, named: campaign.content.name)
        }
        for message in content.inAppMessages where !inFile.contains(message.id) {
            here.named.inAppMessages.add(message.id, named: message.name)
        }
        for journey in content.journeys where !inFile.contains(journey.apiID) {
            here.named.journeys.add(journey.apiID, named: journey.draft.name)
        }
    }
}
