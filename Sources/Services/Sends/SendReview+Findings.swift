import Audience
import Campaigns
import Foundation
import Liquid
import Model
import NoroshiWire
import Ports
import Segments

/// What would go wrong with a message.
extension SendReview {
    /// Standard attributes that a message may name and their columns; the others have a value of
    /// the device in their place.
    private static let standard: [String: Model.StandardAttribute] = [
        "email_address": .email, "phone_number": .phone, "date_of_birth": .dateOfBirth,
        "city": .homeCity, "first_name": .firstName, "last_name": .lastName,
    ]
    /// All names that have a value in `${…}`.
    private static let names: [String] =
        [
            "user_id", "braze_id", "email_address", "phone_number", "date_of_birth", "city",
            "most_recent_app_version", "most_recent_locale", "last_used_app_date", "time_zone",
            "language", "country",
        ] + Model.StandardAttribute.allCases.map(\.rawValue)

    func messageFindings(
        _ request: Request,
        _ group: Group?,
        _ outlook: SendOutlook,
        in workspace: WorkspaceID
    ) async throws -> [SendFinding] {
        var findings: [SendFinding] = []
        if let largest = try await largest(request.messages, group, in: workspace) {
            findings.append(largest)
        }
        var uses: [AttributeUse] = []
        var functions: [String] = []
        for text in request.messages.flatMap(PushTemplates.texts) where text.contains("{") {
            guard let template = try? Template(parsing: text, mode: .strict) else { continue }
            for use in template.attributes {
                guard let index = uses.firstIndex(where: { $0.isSame(as: use) }) else {
                    uses.append(use)
                    continue
                }
                uses[index].needsDefault = uses[index].needsDefault || use.needsDefault
            }
            functions += template.unknownFilters.filter { !functions.contains($0) }
        }
        findings += functions.map {
            .unknownFunction(name: $0, nearest: NearestName.of($0, among: Template.filterNames))
        }
        for use in uses {
            if let finding = try await finding(use, group, outlook, in: workspace) {
                findings.append(finding)
            }
        }
        return findings
    }

    /// The longest message that one of the sample would get, if it is too long.
    private func largest(
        _ messages: [PushMessage],
        _ group: Group?,
        in workspace: WorkspaceID
    ) async throws -> SendFinding? {
        var largest = (bytes: 0, user: "")
        var profiles: [Profile]?
        for message in Set(messages) {
            let templates = try PushTemplates(parsing: message)
            guard templates.isPersonal, !templates.asksQuestions else {
                largest = max(largest, (payload.bytes(message), ""), by: { $0.bytes < $1.bytes })
                continue
            }
            if profiles == nil {
                profiles = []
                for id in group?.sample ?? [] {
                    if let profile = try await store.profile(id) { profiles?.append(profile) }
                }
            }
            let blocks = try await ContentBlockReader(store: store).blocks(
                named: templates.contentBlocks,
                in: workspace
            )
            for profile in profiles ?? [] {
                let outcome = try await templates.render(
                    for: ProfileVariables(profile: profile),
                    now: now(),
                    blocks: blocks,
                    by: renderer
                )
                guard case .message(let rendered) = outcome else { continue }
                let name = profile.externalID ?? profile.publicID.uuidString.lowercased()
                largest = max(
                    largest,
                    (payload.bytes(rendered), name),
                    by: { $0.bytes < $1.bytes }
                )
            }
        }
        guard largest.bytes > payload.limit else { return nil }
        return .tooLarge(bytes: largest.bytes, limit: payload.limit, user: largest.user)
    }

    private func max<Value>(_ left: Value, _ right: Value, by isLess: (Value, Value) -> Bool)
        -> Value
    {
        isLess(left, right) ? right : left
    }

    /// What is wrong with an attribute that the message names.
    private func finding(
        _ use: AttributeUse,
        _ group: Group?,
        _ outlook: SendOutlook,
        in workspace: WorkspaceID
    ) async throws -> SendFinding? {
        var attribute: AttributeReference?
        if use.isCustom {
            guard let path = AttributePath([.key(use.name)]) else { return nil }
            attribute = .custom(path)
            let known = try await knownAttributes(in: workspace)
            if try await !isKnown(use.name, known, in: workspace) {
                return .unknownAttribute(
                    name: use.name,
                    nearest: NearestName.of(use.name, among: known)
                )
            }
        } else {
            guard Self.names.contains(use.name) else {
                let custom = try await knownAttributes(in: workspace)
                let nearest =
                    custom.contains(use.name)
                    ? "custom_attribute.${\(use.name)}"
                    : NearestName.of(use.name, among: Self.names)
                return .unknownAttribute(name: use.name, nearest: nearest)
            }
            guard let standard = Self.standard[use.name] else { return nil }
            // Addresses have no column: all rows would be read to count them.
            if ![.email, .phone].contains(standard) {
                attribute = Segments.StandardAttribute(rawValue: standard.rawValue)
                    .map { .standard($0) }
            }
        }
        guard use.needsDefault, outlook.users > 0 else { return nil }
        var lacking = 0
        var all = outlook.users
        if let attribute, let rule = group?.rule, let book = group?.book {
            lacking = try await reachable(
                .all([rule, .not(.condition(.attribute(attribute, .exists)))]),
                book,
                in: workspace
            )
        } else {
            all = group?.sample.count ?? 0
            for id in group?.sample ?? [] {
                guard let profile = try await store.profile(id) else { continue }
                let value: JSONValue? =
                    use.isCustom
                    ? profile.custom[use.name]
                    : Self.standard[use.name].flatMap { profile.standard[$0] }
                if value == nil { lacking += 1 }
            }
        }
        guard lacking > 0 else { return nil }
        return .missing(attribute: use.name, users: lacking, of: Swift.max(all, lacking))
    }

    // MARK: Names

    private func knownAttributes(in workspace: WorkspaceID) async throws -> [String] {
        try await store.customAttributeNames(in: workspace, limit: 1_000)
    }

    /// The list is made from a sample; whether nobody has a name is asked of all users.
    private func isKnown(
        _ name: String,
        _ known: [String],
        in workspace: WorkspaceID
    ) async throws -> Bool {
        if known.contains(name) { return true }
        guard let path = AttributePath([.key(name)]) else { return true }
        do {
            let book = SegmentBook(segments: [], lists: [])
            return try await audience.select(
                .condition(.attribute(.custom(path), .exists)),
                book: book,
                in: workspace
            ).count().users > 0
        } catch let problem as AudienceProblem where problem.code == .notReady {
            return true
        }
    }

    /// Names in a filter that nobody has.
    package func filterFindings(
        _ rule: SegmentRule,
        _ book: SegmentBook?,
        in workspace: WorkspaceID
    ) async throws -> [SendFinding] {
        var names = FilterNames()
        names.add(rule, book, depth: 0)
        var findings: [SendFinding] = []
        if !names.attributes.isEmpty {
            let known = try await knownAttributes(in: workspace)
            for name in names.attributes
            where try await !isKnown(name, known, in: workspace) {
                let standard = Segments.StandardAttribute.allCases.map(\.rawValue)
                findings.append(
                    .unknownFilterAttribute(
                        name: name,
                        nearest: NearestName.of(name, among: known + standard)
                    )
                )
            }
        }
        if !names.events.isEmpty {
            let known = try await store.eventNames(in: workspace, limit: 10_000, offset: 0)
            for name in names.events where !known.contains(name) {
                findings.append(
                    .unknownFilterEvent(name: name, nearest: NearestName.of(name, among: known))
                )
            }
        }
        return findings
    }

    /// The attributes and events of a rule, each once, in their order.
    private struct FilterNames {
        private static let deepest = 16

        var attributes: [String] = []
        var events: [String] = []

        mutating func add(_ rule: SegmentRule, _ book: SegmentBook?, depth: Int) {
            guard depth < Self.deepest else { return }
            switch rule {
            case .all(let rules), .any(let rules):
                for rule in rules { add(rule, book, depth: depth + 1) }
            case .not(let inner): add(inner, book, depth: depth + 1)
            case .condition(.attribute(.custom(let path), _)):
                if case .key(let name)? = path.steps.first, !attributes.contains(name) {
                    attributes.append(name)
                }
            case .condition(.activity(let activity)):
                if case .event(let name) = activity.subject, !events.contains(name) {
                    events.append(name)
                }
            case .condition(.segment(let id)):
                if let rule = book?.rule(ofSegment: id) { add(rule, book, depth: depth + 1) }
            case .condition: break
            }
        }
    }

    // MARK: News

    func newsFindings(
        _ request: Request,
        in workspace: WorkspaceID
    ) async throws -> [SendFinding] {
        var findings: [SendFinding] = []
        let moment = request.startsAt ?? request.runs.first ?? now()
        for id in Set(request.messages.compactMap { $0.news?.id }).sorted() {
            guard let number = Int64(id),
                let item = try await store.news(NewsID(number), in: workspace)
            else {
                findings.append(.unknownNews(id: id))
                continue
            }
            if item.content.state(at: moment) != .published {
                findings.append(.draftNews(title: item.content.title))
            }
        }
        return findings
    }
}
