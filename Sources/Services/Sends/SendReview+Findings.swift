import Audience
import Campaigns
import Foundation
import Liquid
import Model
import NoroshiWire
import Ports
import Segments

/// Possible problems of a message.
extension SendReview {
    /// Standard attributes that a message may name, with their columns; others use a value of the
    /// device.
    private static let standard: [String: Model.StandardAttribute] = [
        "email_address": .email, "phone_number": .phone, "date_of_birth": .dateOfBirth,
        "city": .homeCity, "first_name": .firstName, "last_name": .lastName,
        "email": .email, "phone": .phone, "dob": .dateOfBirth, "home_city": .homeCity,
        "gender": .gender,
    ]
    /// All names that have a value in `${…}`.
    private static let names: [String] =
        [
            "user_id", "braze_id", "email_address", "phone_number", "date_of_birth", "city",
            "most_recent_app_version", "most_recent_locale", "last_used_app_date", "time_zone",
            "language", "country",
        ] + Model.StandardAttribute.allCases.map(\.rawValue)

    /// Listing more unknown names of one kind is not helpful.
    private static let namesOfAKind = 10
    /// Number of the users for whom a message with external data is rendered.
    private static let askingSampleSize = 5

    func messageFindings(
        _ request: Request,
        _ measured: [MeasuredMessage],
        _ group: Group?,
        _ outlook: SendOutlook,
        in workspace: WorkspaceID
    ) async throws -> [SendFinding] {
        var findings: [SendFinding] = []
        if let largest = tooLarge(measured) { findings.append(largest) }
        var uses: [AttributeUse] = []
        var functions: [String] = []
        for template in try await templates(of: request, in: workspace) {
            for use in template.attributes {
                guard let index = uses.firstIndex(where: { $0.isSame(as: use) }) else {
                    uses.append(use)
                    continue
                }
                uses[index].needsDefault = uses[index].needsDefault || use.needsDefault
            }
            functions += template.unknownFilters.filter { !functions.contains($0) }
        }
        findings += functions.prefix(Self.namesOfAKind).map {
            .unknownFunction(name: $0, nearest: NearestName.of($0, among: Template.filterNames))
        }
        let known = uses.isEmpty ? [] : try await knownAttributes(in: workspace)
        var unknown = 0
        for use in uses {
            guard let finding = try await finding(use, known, group, outlook, in: workspace) else {
                continue
            }
            if case .unknownAttribute = finding {
                unknown += 1
                guard unknown <= Self.namesOfAKind else { continue }
            }
            findings.append(finding)
        }
        return findings
    }

    /// The texts of the request and of the content blocks that they include.
    private func templates(
        of request: Request,
        in workspace: WorkspaceID
    ) async throws -> [Template] {
        let texts = request.messages.flatMap(PushTemplates.texts) + request.texts
        let templates = texts.filter { $0.contains("{") }.compactMap {
            try? Template(parsing: $0, mode: .strict)
        }
        let blocks = try await ContentBlockReader(store: store).blocks(
            named: Set(templates.flatMap(\.contentBlocks)).sorted(),
            in: workspace
        )
        return templates + blocks.parsed
    }

    /// The size of a message for the user of the sample for whom it is the longest.
    struct MeasuredMessage {
        let message: PushMessage
        let bytes: Int
        /// Empty for a message that is the same for everybody.
        let user: String
    }

    func measured(
        _ messages: [PushMessage],
        _ group: Group?,
        in workspace: WorkspaceID
    ) async throws -> [MeasuredMessage] {
        var found: [MeasuredMessage] = []
        var known: Set<PushMessage> = []
        for message in messages where known.insert(message).inserted {
            let templates = try PushTemplates(parsing: message)
            var sizes: [(bytes: Int, profile: Profile)] = []
            if templates.isPersonal {
                sizes = try await self.sizes(of: templates, for: group?.sample ?? [], in: workspace)
            }
            var largest = (bytes: 0, user: "")
            // Also the best estimate for what cannot be rendered now.
            if sizes.isEmpty, !templates.isPersonal || templates.asksQuestions {
                largest.bytes = payload.bytes(message)
            }
            for (bytes, profile) in sizes where bytes > largest.bytes {
                let user = profile.externalID ?? profile.publicID.uuidString.lowercased()
                largest = (bytes, user)
            }
            found.append(
                MeasuredMessage(message: message, bytes: largest.bytes, user: largest.user)
            )
        }
        return found
    }

    /// The largest payload on each platform that devices of the audience have.
    func payloads(
        _ request: Request,
        _ measured: [MeasuredMessage],
        _ outlook: SendOutlook
    ) -> [SendOutlook.Payload] {
        let devices = Set(outlook.platforms.map { MessagePlatform(device: $0.name) })
        return MessagePlatform.allCases.compactMap { platform in
            guard devices.isEmpty || devices.contains(platform) else { return nil }
            let largest = measured.filter {
                $0.bytes > 0 && request.isShown($0.message, on: platform)
            }.max { $0.bytes < $1.bytes }
            return largest.map {
                .init(platform: platform, bytes: $0.bytes, limit: payload.limit, user: $0.user)
            }
        }
    }

    private func tooLarge(_ measured: [MeasuredMessage]) -> SendFinding? {
        guard let largest = measured.max(by: { $0.bytes < $1.bytes }),
            largest.bytes > payload.limit
        else { return nil }
        return .tooLarge(bytes: largest.bytes, limit: payload.limit, user: largest.user)
    }

    /// How large the message is for those of the users for whom it can be rendered.
    private func sizes(
        of templates: PushTemplates,
        for users: [Profile],
        in workspace: WorkspaceID
    ) async throws -> [(bytes: Int, profile: Profile)] {
        let blocks = try await ContentBlockReader(store: store).blocks(
            named: templates.contentBlocks,
            in: workspace
        )
        let answers = ReviewAnswers(answerer(in: workspace))
        let users =
            templates.asksQuestions || blocks.asksQuestions
            ? Array(users.prefix(Self.askingSampleSize)) : users
        var sizes: [(bytes: Int, profile: Profile)] = []
        for profile in users {
            do {
                let outcome = try await templates.render(
                    for: ProfileVariables(profile: profile),
                    now: now(),
                    blocks: blocks,
                    answerer: answers,
                    by: renderer
                )
                guard case .message(let rendered) = outcome else { continue }
                sizes.append((payload.bytes(rendered), profile))
            } catch is ContentFetchError {
                continue
            }
        }
        return sizes
    }

    /// The problem of an attribute that the message names.
    private func finding(
        _ use: AttributeUse,
        _ known: [String],
        _ group: Group?,
        _ outlook: SendOutlook,
        in workspace: WorkspaceID
    ) async throws -> SendFinding? {
        var attribute: AttributeReference?
        if use.isCustom {
            guard let path = AttributePath([.key(use.name)]) else { return nil }
            attribute = .custom(path)
            if try await !isKnown(use.name, known, in: workspace) {
                return .unknownAttribute(
                    name: use.name,
                    nearest: NearestName.of(use.name, among: known)
                )
            }
        } else {
            guard Self.names.contains(use.name) else {
                let nearest =
                    known.contains(use.name)
                    ? "custom_attribute.${\(use.name)}"
                    : NearestName.of(use.name, among: Self.names)
                return .unknownAttribute(name: use.name, nearest: nearest)
            }
            guard let standard = Self.standard[use.name] else { return nil }
            // Addresses have no column: counting them would read all rows.
            if ![.email, .phone].contains(standard) {
                attribute = Segments.StandardAttribute(rawValue: standard.rawValue)
                    .map { .standard($0) }
            }
        }
        guard use.needsDefault, outlook.users > 0 else { return nil }
        var lacking = 0
        var all = outlook.users
        if let attribute, let group, let rule = group.rule {
            lacking = try await size(
                of: .all([rule, .not(.condition(.attribute(attribute, .exists)))]),
                group,
                in: workspace
            )
        } else {
            all = group?.sample.count ?? 0
            for profile in group?.sample ?? [] {
                let value: JSONValue? =
                    use.isCustom
                    ? profile.custom[use.name]
                    : Self.standard[use.name].flatMap { profile.standard[$0] }
                if value == nil { lacking += 1 }
            }
        }
        guard lacking > 0 else { return nil }
        return .missing(attribute: use.name, users: lacking, of: max(all, lacking))
    }

    // MARK: Names

    private func knownAttributes(in workspace: WorkspaceID) async throws -> [String] {
        try await store.customAttributeNames(in: workspace, limit: 1_000)
    }

    /// The list comes from a sample; whether no user has a name is checked with all users.
    private func isKnown(
        _ name: String,
        _ known: [String],
        in workspace: WorkspaceID
    ) async throws -> Bool {
        if known.contains(name) { return true }
        guard let path = AttributePath([.key(name)]) else { return true }
        do {
            let book = WorkspaceSegmentResolver(segments: [], lists: [])
            return try await audience.select(
                .condition(.attribute(.custom(path), .exists)),
                book: book,
                in: workspace
            ).count().users > 0
        } catch let problem as AudienceError where problem.code == .notReady {
            return true
        }
    }

    /// Names in a filter that no user has, and times of which not everything is there.
    package func filterFindings(
        _ rule: SegmentRule,
        _ book: WorkspaceSegmentResolver?,
        in workspace: WorkspaceID
    ) async throws -> [SendFinding] {
        let book = book ?? WorkspaceSegmentResolver(segments: [], lists: [])
        let names = FilterNames(rule, book)
        var findings: [SendFinding] = []
        if !names.attributes.isEmpty {
            let known = try await knownAttributes(in: workspace)
            for name in names.attributes where findings.count < Self.namesOfAKind {
                guard try await !isKnown(name, known, in: workspace) else { continue }
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
            let known = Set(try await store.eventNames(in: workspace, limit: 10_000, offset: 0))
            for name in names.events.filter({ !known.contains($0) }).prefix(Self.namesOfAKind) {
                findings.append(
                    .unknownFilterEvent(name: name, nearest: NearestName.of(name, among: known))
                )
            }
        }
        if let since = try await audience.completeSince(rule, book: book, in: workspace) {
            findings.append(.completeSince(since))
        }
        return findings
    }

    /// The distinct attributes and events of a rule, in order.
    private struct FilterNames {
        var attributes: [String] = []
        var events: [String] = []

        init(_ rule: SegmentRule, _ book: WorkspaceSegmentResolver) {
            rule.forEachCondition(in: book) { condition in
                switch condition {
                case .attribute(.custom(let path), _):
                    if case .key(let name)? = path.steps.first, !attributes.contains(name) {
                        attributes.append(name)
                    }
                case .activity(let activity):
                    if case .event(let name) = activity.subject, !events.contains(name) {
                        events.append(name)
                    }
                default: break
                }
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
