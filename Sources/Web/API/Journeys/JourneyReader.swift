import Foundation
import Ingestion
import Journeys
import Model
import NoroshiWire
import Reasons

/// Finds the journeys, steps and migrations that a request names.
struct JourneyReader {
    let journeys: JourneyService

    func journey(_ reader: RequestReader, in workspace: WorkspaceID) async throws -> Journey {
        try await journey(reader, "journey_id", .noJourney, in: workspace)
    }

    func canvas(_ reader: RequestReader, in workspace: WorkspaceID) async throws -> Journey {
        try await journey(reader, "canvas_id", .noCanvas, in: workspace)
    }

    private func journey(
        _ reader: RequestReader,
        _ field: String,
        _ code: EndpointReason,
        in workspace: WorkspaceID
    ) async throws -> Journey {
        guard let id = UUID(uuidString: try reader.requiredString(field)),
            let journey = try await journeys.journey(apiID: id, in: workspace)
        else { throw reader.problem(field, code) }
        return journey
    }

    /// What is to become of the people inside: `keep` unless `migration` is `move`. Steps may only
    /// lead to steps of the draft.
    static func migration(
        _ reader: RequestReader,
        of journey: Journey
    ) throws(FieldProblem) -> JourneyMigration {
        enum Kind: String, CaseIterable {
            case keep, move
        }
        let kind = try reader.choice("migration", Kind.allCases) ?? .keep
        let targets = try reader.object("removed")
        guard kind == .move else {
            guard targets.isEmpty else { throw reader.problem("removed", .onlyWithMove) }
            return .keep
        }
        var removed: [JourneyStepID: JourneyStepID] = [:]
        for (old, new) in targets.sorted(by: { $0.key < $1.key }) {
            guard let old = UUID(uuidString: old) else {
                throw reader.problem("removed.\(old)", .mustBeUUID)
            }
            guard let id = new.stringValue.flatMap(UUID.init(uuidString:)).map(JourneyStepID.init),
                journey.draft.step(id) != nil
            else { throw reader.problem("removed.\(JourneyStepID(old))", .noJourneyStep) }
            removed[JourneyStepID(old)] = id
        }
        return .move(removed: removed)
    }

    /// When the caller had read the journey; it is changed only if it still is as it was then.
    static func version(_ reader: RequestReader) throws(FieldProblem) -> Date? {
        try reader.time("updated_at")
    }
}
