import Audience
import Foundation
import InAppMessages
import Journeys
import Model
import WebPages

/// What a journey names in its workspace, in words.
struct JourneyNames {
    private var conditions: [SegmentQuery: String] = [:]
    private var messages: [UUID: String] = [:]
    private var journeys: [UUID: String] = [:]
    private var lists: [UserListID: String] = [:]
    private let words: Words

    init(words: Words) {
        self.words = words
    }

    func condition(_ query: SegmentQuery) -> String {
        conditions[query] ?? words("journeys.unknown")
    }

    func message(_ id: UUID) -> String { messages[id] ?? words("journeys.unset") }

    func journey(_ id: UUID) -> String { journeys[id] ?? words("journeys.unset") }

    func list(_ id: UserListID) -> String { lists[id] ?? words("journeys.unknown") }
}

extension JourneyNames {
    /// Looks up everything that a definition names.
    init(
        _ definition: JourneyDefinition,
        _ services: ConsoleServices,
        _ context: ConsoleContext
    ) async throws {
        self.init(words: context.words)
        for (_, query) in definition.segmentQueries where conditions[query] == nil {
            let choice = try? await services.choices.choice(of: query)
            conditions[query] = choice?.condition(context.words)
        }
        for step in definition.steps {
            switch step.kind {
            case .inAppMessage(let shown):
                messages[shown.message] = try await services.inApp
                    .message(shown.message, in: context.workspace)?.name
            case .enterJourney(let id):
                journeys[id] = try await services.journeys
                    .journey(apiID: id, in: context.workspace)?.draft.name
            case .update(let update)
            where !update.addToLists.isEmpty || !update.removeFromLists.isEmpty:
                guard lists.isEmpty else { continue }
                for list in try await services.lists.lists(in: context.workspace) {
                    lists[list.id] = list.name
                }
            default: continue
            }
        }
    }
}

extension AudienceChoice {
    /// As a condition: a segment's name, or what its filter says.
    func condition(_ words: Words) -> String {
        switch self {
        case .everyone, .user: text(words)
        case .segment(_, let name): name
        case .filter(let text): text
        }
    }
}
