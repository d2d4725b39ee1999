import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Ports

/// Writes journeys in the form of requests, and reads them, with what they name in their workspace.
package struct JourneyForms: Sendable {
    package typealias Source = SegmentStore & InAppMessageStore & NewsStore & JourneyStore
    private static let rowLimit = 100_000

    private let store: any Source
    private let now: @Sendable () -> Date
    private let makeID: @Sendable () -> UUID

    package init(
        store: any Source,
        now: @escaping @Sendable () -> Date,
        makeID: @escaping @Sendable () -> UUID = { UUID() }
    ) {
        self.store = store
        self.now = now
        self.makeID = makeID
    }

    /// The fields of the form.
    package static var fields: [String] { JourneyFormReader.fields }

    // MARK: Out

    /// An event as journeys await it.
    package static func value(of match: EventMatch) throws -> JSONValue {
        try ReadableForm.value(of: match)
    }

    /// The members of the form, with identifiers for everything that it names.
    package func members(
        of definition: JourneyDefinition,
        in workspace: WorkspaceID
    ) async throws -> [String: JSONValue] {
        var rows = ContentNames.Rows()
        for segment in try await store.segments(in: workspace) {
            rows.segments[segment.id.description] = ContentWriter.text(segment.apiID)
        }
        for id in definition.namedSegments where rows.segments[id.description] == nil {
            guard let archived = try await store.segment(id) else { continue }
            rows.segments[id.description] = ContentWriter.text(archived.apiID)
        }
        for list in try await store.userLists(in: workspace) {
            rows.lists[list.id.description] = list.name
        }
        for campaign in try await store.campaignReferences(in: workspace) {
            rows.campaigns[campaign.id.description] = ContentWriter.text(campaign.apiID)
        }
        for number in definition.namedNews {
            guard let item = try await store.news(NewsID(number), in: workspace) else { continue }
            rows.news[String(number)] = ContentWriter.text(item.publicID)
        }
        return try JourneyForm(definition, names: ContentNames(rows), style: .explicit).members()
    }

    // MARK: In

    /// The journey that a form describes. Fields that it leaves out are those of `former`; steps
    /// and variants without an identifier are the former ones of the same name, or new.
    ///
    /// - Throws: `FieldProblem`.
    package func definition(
        _ members: [String: JSONValue],
        changing former: JourneyDefinition? = nil,
        in workspace: WorkspaceID
    ) async throws -> JourneyDefinition {
        var whole: [String: JSONValue] = [:]
        if let former { whole = try await self.members(of: former, in: workspace) }
        for (name, value) in members { whole[name] = value == .null ? nil : value }
        if let steps = members["steps"] { whole["steps"] = identified(steps, former) }
        var reader = JourneyFormReader(try await references(of: whole, former, in: workspace))
        return try reader.definition(whole)
    }

    private func references(
        of form: [String: JSONValue],
        _ former: JourneyDefinition?,
        in workspace: WorkspaceID
    ) async throws -> ContentReferencesHere {
        var here = ContentReferencesHere()
        for segment in try await store.segments(in: workspace) {
            here.segments[segment.apiID] = segment.id.rawValue
            here.named.segments.add(segment.id.rawValue, named: segment.content.name)
            here.note(segment.content.definition)
        }
        // Archived segments may be used where they were.
        for id in former?.namedSegments ?? [] {
            guard let segment = try await store.segment(id) else { continue }
            here.segments[segment.apiID] = segment.id.rawValue
        }
        for list in try await store.userLists(in: workspace) {
            here.lists[list.name.lowercased()] = list.id.rawValue
        }
        for campaign in try await store.campaignReferences(in: workspace) {
            here.campaigns[campaign.apiID] = campaign.id.rawValue
            here.named.campaigns.add(campaign.id.rawValue, named: campaign.name)
        }
        let kinds = Set(
            form["steps"]?.arrayValue?.compactMap { $0.objectValue?["type"]?.stringValue } ?? []
        )
        if kinds.contains("in_app_message") {
            let messages = try await store.inAppMessages(
                in: workspace,
                states: Set(InAppMessageDefinition.State.allCases),
                limit: Self.rowLimit,
                offset: 0
            )
            for message in messages {
                here.named.inAppMessages.add(message.id, named: message.name)
            }
        }
        if kinds.contains("enter_journey") {
            let query = JourneyQuery(states: Set(JourneyState.allCases), limit: Self.rowLimit)
            for journey in try await store.journeys(in: workspace, matching: query).journeys {
                here.named.journeys.add(journey.apiID, named: journey.draft.name)
            }
        }
        if kinds.contains("push"), JSONWriter.text(form).contains("\"news\":{") {
            let query = NewsQuery(now: now(), limit: Self.rowLimit)
            for item in try await store.news(in: workspace, matching: query).items {
                here.news[item.publicID] = item.id.rawValue
            }
        }
        return here
    }

    /// Gives steps and variants their identifiers.
    private func identified(
        _ steps: JSONValue,
        _ former: JourneyDefinition?
    ) -> JSONValue {
        guard case .array(let elements) = steps else { return steps }
        let known = UniqueSteps(former?.steps ?? [])
        return .array(
            elements.map { element in
                guard case .object(var step) = element else { return element }
                let same = known.step(
                    id: step["id"]?.stringValue,
                    name: step["name"]?.stringValue
                )
                if (step["id"] ?? .null) == .null {
                    step["id"] = .string(same?.id.description ?? ContentWriter.text(makeID()))
                }
                if let variants = step["variants"] {
                    step["variants"] = identified(variants, same)
                }
                return .object(step)
            }
        )
    }

    private func identified(_ variants: JSONValue, _ step: JourneyStep?) -> JSONValue {
        guard case .array(let elements) = variants else { return variants }
        var known: [CampaignVariant] = []
        if case .push(let push)? = step?.kind { known = push.variants }
        return .array(
            elements.map { element in
                guard case .object(var variant) = element,
                    (variant["api_id"] ?? .null) == .null
                else { return element }
                let same = known.filter { $0.name == variant["name"]?.stringValue }
                let id = same.count == 1 ? same[0].apiID : makeID()
                variant["api_id"] = .string(ContentWriter.text(id))
                return .object(variant)
            }
        )
    }
}

/// The steps of a former draft, as a form without identifiers means them.
private struct UniqueSteps {
    private let byID: [String: JourneyStep]
    private let byName: [String: [JourneyStep]]

    init(_ steps: [JourneyStep]) {
        byID = Dictionary(steps.map { ($0.id.description, $0) }, uniquingKeysWith: { $1 })
        byName = Dictionary(grouping: steps, by: \.name)
    }

    func step(id: String?, name: String?) -> JourneyStep? {
        if let id { return byID[id.lowercased()] }
        guard let name, !name.isEmpty, let found = byName[name], found.count == 1 else {
            return nil
        }
        return found[0]
    }
}

extension JourneyDefinition {
    /// Segments that it names outside of filters.
    fileprivate var namedSegments: Set<SegmentID> {
        Set(segmentQueries.flatMap(\.query.segments))
    }

    /// The news that pushes refer to.
    fileprivate var namedNews: Set<Int64> {
        var numbers: Set<Int64> = []
        for step in steps {
            guard case .push(let push) = step.kind else { continue }
            for variant in push.variants {
                let message = variant.message
                let parts = [message.common, message.ios, message.android, message.web]
                for part in parts.compactMap(\.self) {
                    if let number = part.message.news.flatMap({ Int64($0.id) }) {
                        numbers.insert(number)
                    }
                }
            }
        }
        return numbers
    }
}
