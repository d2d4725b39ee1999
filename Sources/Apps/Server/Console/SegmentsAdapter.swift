import Analytics
import Audience
import Console
import Foundation
import Model
import NoroshiWire
import Ports
import Segments
import Sends

/// Answers the console's questions about segments.
struct SegmentsAdapter: SegmentPages {
    private static let sampleSize = 5
    /// Attributes and events of the help beside the field, of each.
    private static let termLimit = 30

    let store: any Store
    let audience: AudienceService
    let figures: FigureCache
    let service: SegmentService
    let review: SendReview

    init(
        store: any Store,
        audience: AudienceService,
        figures: FigureCache,
        review: SendReview,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.audience = audience
        self.figures = figures
        self.review = review
        service = SegmentService(store: store, now: now)
    }

    func segments(for member: ConsoleMember) async throws -> [SegmentRow] {
        let workspace = WorkspaceID(member.workspaceID)
        let book = try await service.book(of: workspace)
        var rows: [SegmentRow] = []
        for segment in try await store.segments(in: workspace) {
            rows.append(try await row(segment, book))
        }
        return rows
    }

    func segment(id: Int64, for member: ConsoleMember) async throws -> SegmentDetail? {
        let workspace = WorkspaceID(member.workspaceID)
        guard let segment = try await service.segment(SegmentID(id), in: workspace) else {
            return nil
        }
        let book = try await service.book(of: workspace)
        return SegmentDetail(
            row: try await row(segment, book),
            author: segment.content.author
        )
    }

    private func row(_ segment: StoredSegment, _ book: SegmentBook) async throws -> SegmentRow {
        SegmentRow(
            id: segment.id.rawValue,
            name: segment.content.name,
            condition: try service.text(of: segment, book: book),
            users: try await users(in: segment),
            changedAt: segment.updatedAt
        )
    }

    /// `nil` as long as nobody can say.
    private func users(in segment: StoredSegment) async throws -> Int? {
        do {
            return try await audience.select(
                SegmentQuery(segments: [segment.id]),
                in: segment.workspace
            ).count().users
        } catch is AudienceProblem {
            return nil
        }
    }

    func probe(_ condition: String, for member: ConsoleMember) async throws -> SegmentProbe {
        let workspace = WorkspaceID(member.workspaceID)
        let (rule, book) = try await rule(condition, workspace)
        do {
            let selection = try await audience.select(rule, book: book, in: workspace)
            let count = try await audience.count(selection)
            var sample: [UserRow] = []
            let users = UsersAdapter(store: store, figures: figures)
            for id in selection.profiles(after: nil, limit: Self.sampleSize) {
                guard let profile = try await store.profile(ProfileID(id)) else { continue }
                sample.append(
                    users.row(profile, devices: try await store.devices(of: profile.id))
                )
            }
            var probe = SegmentProbe(
                reach: AudienceReach(users: count.users, devices: count.deviceCount),
                reachableUsers: count.reachable,
                platforms: count.devices.sorted { $0.key < $1.key }.map {
                    SegmentPlatform(name: $0.key, devices: $0.value)
                },
                sample: sample
            )
            probe.findings = try await review.filterFindings(rule, book, in: workspace)
            return probe
        } catch let problem as AudienceProblem {
            throw SegmentRejected(field: .condition, text: problem.message)
        }
    }

    func explain(
        _ condition: String,
        user: String,
        for member: ConsoleMember
    ) async throws -> SegmentMembership? {
        let workspace = WorkspaceID(member.workspaceID)
        let (rule, _) = try await rule(condition, workspace)
        guard
            let profile = try await store.profiles(
                identifiedBy: user,
                in: workspace,
                limit: 1
            ).first
        else { return nil }
        do {
            guard
                let explanation = try await audience.explain(
                    rule,
                    for: profile.id,
                    in: workspace
                )
            else { return nil }
            return SegmentMembership(
                user: UsersAdapter(store: store, figures: figures).row(
                    profile,
                    devices: try await store.devices(of: profile.id)
                ),
                finding: SegmentFinding(explanation)
            )
        } catch let problem as AudienceProblem {
            throw SegmentRejected(field: .condition, text: problem.message)
        }
    }

    func save(
        _ draft: SegmentDraft,
        id: Int64?,
        from origin: EditOrigin,
        for member: ConsoleMember
    ) async throws -> Int64 {
        let content = SegmentService.Draft(name: draft.name, definition: .text(draft.condition))
        do {
            guard let id else {
                return try await service.create(content, by: member.actor, from: origin).id.rawValue
            }
            _ = try await service.update(
                SegmentID(id),
                to: content,
                by: member.actor,
                from: origin
            )
            return id
        } catch let refusal as SegmentService.Refusal {
            throw SegmentRejected(refusal, in: draft.condition)
        }
    }

    func deleteSegment(id: Int64, for member: ConsoleMember) async throws {
        do {
            _ = try await service.archive(SegmentID(id), by: member.actor)
        } catch let refusal as SegmentService.Refusal {
            throw SegmentRejected(refusal, in: "")
        }
    }

    private func rule(
        _ condition: String,
        _ workspace: WorkspaceID
    ) async throws -> (SegmentRule, SegmentBook) {
        let book = try await service.book(of: workspace)
        do throws(SegmentProblem) {
            return (try book.rule(text: condition), book)
        } catch {
            throw SegmentRejected(.definition(error), in: condition)
        }
    }

    // MARK: Vocabulary

    func vocabulary(for member: ConsoleMember) async throws -> [SegmentTerm] {
        let workspace = WorkspaceID(member.workspaceID)
        var terms = [
            SegmentTerm(name: "country", example: #"country = "JP""#),
            SegmentTerm(name: "language", example: #"language in ("ja", "en")"#),
            SegmentTerm(name: "home_city", example: #"home_city starts with "K""#),
            SegmentTerm(name: "age", example: "age >= 18"),
            SegmentTerm(name: "dob", example: "dob on today"),
            SegmentTerm(name: "dob", example: "dob on today leap day 03-01"),
            SegmentTerm(name: "email", example: #"email matches "@example\\.com$""#),
            SegmentTerm(name: "push_subscribe", example: #"push_subscribe = "opted_in""#),
            SegmentTerm(name: "created_at", example: "created_at >= 2026-01-01"),
            SegmentTerm(name: "last_session_at", example: "last_session_at >= now - 7 days"),
            SegmentTerm(name: "session_count", example: "session_count > 10"),
            SegmentTerm(name: "session", example: "session count >= 3 in last 7 days"),
            SegmentTerm(
                name: "device",
                example: #"device has (platform = "ios" and push_enabled)"#
            ),
            SegmentTerm(name: "device.app_version", example: #"device.app_version < "2.10""#),
            SegmentTerm(name: "device_count", example: "device_count >= 2"),
            SegmentTerm(name: "purchase", example: "purchase done in last 30 days"),
            SegmentTerm(name: "purchase sum", example: "purchase sum >= 100 in last 90 days"),
            SegmentTerm(name: "campaign", example: "campaign any opened in last 7 days"),
            SegmentTerm(name: "campaign not", example: "campaign any not received"),
            SegmentTerm(name: "random_bucket", example: "random_bucket < 1000"),
        ]
        terms += try await references(in: workspace)
        // A value that somebody has makes a better example than one that is made up.
        var examples: [String: JSONValue] = [:]
        for profile in try await store.profiles(
            matching: "",
            in: workspace,
            limit: 50,
            offset: 0
        ) {
            examples.merge(profile.custom) { first, _ in first }
        }
        for (name, value) in examples.sorted(by: { $0.key < $1.key }).prefix(Self.termLimit) {
            guard let path = AttributePath(name), let test = Self.test(value) else { continue }
            terms.append(
                SegmentTerm(
                    name: name,
                    example: SegmentWriter.text(
                        .condition(.attribute(.custom(path), test))
                    )
                )
            )
        }
        for name in try await store.eventNames(in: workspace, limit: Self.termLimit, offset: 0) {
            let done = ActivityCondition(
                subject: .event(name),
                measure: .count(.greaterOrEqual, 1),
                from: .now(offset: -7 * 86_400)
            )
            terms.append(
                SegmentTerm(name: name, example: SegmentWriter.text(.condition(.activity(done))))
            )
        }
        return terms
    }

    /// Filters on what people have made here: campaigns, segments and lists.
    private func references(in workspace: WorkspaceID) async throws -> [SegmentTerm] {
        func term(_ name: String, _ condition: SegmentCondition) -> SegmentTerm {
            SegmentTerm(name: name, example: SegmentWriter.text(condition))
        }
        let campaigns = try await store.campaignReferences(in: workspace)
        let converted = campaigns.prefix(Self.termLimit / 3).map { campaign in
            term(
                campaign.name,
                .activity(
                    ActivityCondition(
                        subject: .message(.converted, campaigns: [campaign.name]),
                        measure: .count(.greaterOrEqual, 1)
                    )
                )
            )
        }
        let segments = try await store.segments(in: workspace).prefix(Self.termLimit / 3)
        let lists = try await store.userLists(in: workspace).prefix(Self.termLimit / 3)
        return converted + segments.map { term($0.content.name, .segment($0.content.name)) }
            + lists.map { term($0.name, .list($0.name)) }
    }

    private static func test(_ value: JSONValue) -> ValueTest? {
        switch value {
        case .string(let text):
            Timestamp.parse(text) == nil
                ? .equal(.string(text)) : .time(.greaterOrEqual, .now(offset: -7 * 86_400))
        case .integer(let number):
            number.isBeyondDouble
                ? .integer(.greaterOrEqual, number) : .number(.greaterOrEqual, Double(number))
        case .number(let number): .number(.greaterOrEqual, number)
        case .bool(let bool): .equal(.bool(bool))
        case .array(let elements):
            elements.first?.stringValue.map { .contains(.string($0)) } ?? .exists
        case .object: .exists
        case .null: nil
        }
    }
}

extension SegmentRejected {
    init(_ refusal: SegmentService.Refusal, in condition: String) {
        switch refusal {
        case .name(let message):
            self.init(field: .name, text: message)
        case .definition(let problem):
            let place = problem.lineAndColumn(in: condition)
                .map { "line \($0.line), column \($0.column): " }
            self.init(field: .condition, text: (place ?? "") + problem.message)
        }
    }
}

extension SegmentFinding {
    fileprivate init(_ explanation: SegmentExplanation) {
        self.init(
            text: explanation.text,
            found: explanation.found,
            holds: explanation.holds,
            group: explanation.group.flatMap { Group(rawValue: $0.rawValue) },
            children: explanation.children.map(SegmentFinding.init)
        )
    }
}
