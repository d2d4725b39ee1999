import Campaigns
import Foundation
import Model
import Ports
import Reasons

/// What a definition names in its workspace: segments, lists, messages, other journeys.
struct JourneyReferences {
    private let definition: JourneyDefinition
    private let workspace: WorkspaceID
    private let store: any Store
    private let audience: any MembershipSource

    init(
        _ definition: JourneyDefinition,
        in workspace: WorkspaceID,
        _ store: any Store,
        _ audience: any MembershipSource
    ) {
        self.definition = definition
        self.workspace = workspace
        self.store = store
        self.audience = audience
    }

    /// The fields that name something that is not there or cannot be used.
    func problems() async throws -> [FieldProblem] {
        var problems: [FieldProblem] = []
        for (path, query) in definition.segmentQueries {
            if let problem = try await problem(of: query, at: .journey(path)) {
                problems.append(problem)
            }
        }
        let lists = Set(try await store.userLists(in: workspace).map(\.id))
        for (index, step) in definition.steps.enumerated() {
            func report(_ field: FieldPath.Step, _ code: FieldReason) {
                problems.append(FieldProblem(.journey(.step(index, field)), code))
            }
            switch step.kind {
            case .push:
                guard let content = definition.message(of: step) else { continue }
                problems += try await CampaignValidator.problems(of: content, in: workspace, store)
                    .map { JourneyValidator.problem($0, ofStep: index) }
            case .inAppMessage(let shown):
                let message = try await store.inAppMessage(shown.message, in: workspace)
                if message?.state != .active { report(.inAppMessage, .noActiveMessage) }
            case .update(let update):
                if !lists.isSuperset(of: update.addToLists + update.removeFromLists) {
                    report(.lists, .noList)
                }
            case .enterJourney(let id):
                let target = try await store.journey(apiID: id, in: workspace)
                if target?.draft.entry != .journey { report(.journey, .noJourney) }
            case .webhook(let webhook):
                do {
                    _ = try WebhookTemplates(parsing: webhook, ofStep: index)
                } catch {
                    problems += error.problems
                }
            case .wait, .branch, .split, .jump, .exit: break
            }
        }
        return problems
    }

    private func problem(
        of query: SegmentQuery,
        at path: FieldPath
    ) async throws -> FieldProblem? {
        do {
            _ = try await audience.members(of: [], matching: query, in: workspace)
            return nil
        } catch let problem as AudienceError
            where problem.code == .unknownSegment || problem.code == .invalidFilter
        {
            return FieldProblem(path, problem.reason)
        }
    }
}
