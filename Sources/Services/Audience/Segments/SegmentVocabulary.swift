import Foundation
import Model
import NoroshiWire
import Ports
import Segments

/// The names that a condition can use in a workspace, each with an example, for the help beside a
/// field.
package struct SegmentVocabulary: Sendable {
    package typealias Source = SegmentStore & ProfileStore & ReportStore

    /// An attribute, an event or an object that members have created.
    package struct Term: Sendable, Hashable {
        package var name: String
        package var example: String
    }

    /// Maximum number of attributes and of events.
    private static let termLimit = 30
    /// Number of users whose attributes are sampled.
    private static let sampleSize = 50

    private let store: any Source

    package init(store: any Source) {
        self.store = store
    }

    package func terms(in workspace: WorkspaceID) async throws -> [Term] {
        try await Self.standard + references(in: workspace) + attributes(in: workspace)
            + events(in: workspace)
    }

    /// The kind of value that most users of a sample have in each custom attribute.
    package func kinds(in workspace: WorkspaceID) async throws -> [String: AttributeKind] {
        var counts: [String: [AttributeKind: Int]] = [:]
        for profile in try await sample(workspace) {
            for (name, value) in profile.custom {
                guard let kind = AttributeKind(of: value) else { continue }
                counts[name, default: [:]][kind, default: 0] += 1
            }
        }
        return counts.compactMapValues { counts in
            counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
        }
    }

    private func sample(_ workspace: WorkspaceID) async throws -> [Profile] {
        try await store.profiles(matching: "", in: workspace, limit: Self.sampleSize, offset: 0)
    }

    private static let standard = [
        Term(name: "country", example: #"country = "JP""#),
        Term(name: "language", example: #"language in ("ja", "en")"#),
        Term(name: "home_city", example: #"home_city starts with "K""#),
        Term(name: "age", example: "age >= 18"),
        Term(name: "dob", example: "dob on today"),
        Term(name: "dob", example: "dob on today leap day 03-01"),
        Term(name: "email", example: #"email matches "@example\\.com$""#),
        Term(name: "push_subscribe", example: #"push_subscribe = "opted_in""#),
        Term(name: "created_at", example: "created_at >= 2026-01-01"),
        Term(name: "last_session_at", example: "last_session_at >= now - 7 days"),
        Term(name: "session_count", example: "session_count > 10"),
        Term(name: "session", example: "session count >= 3 in last 7 days"),
        Term(name: "device", example: #"device has (platform = "ios" and push_enabled)"#),
        Term(name: "device.app_version", example: #"device.app_version < "2.10""#),
        Term(name: "device_count", example: "device_count >= 2"),
        Term(name: "purchase", example: "purchase done in last 30 days"),
        Term(name: "purchase sum", example: "purchase sum >= 100 in last 90 days"),
        Term(name: "campaign", example: "campaign any opened in last 7 days"),
        Term(name: "campaign not", example: "campaign any not received"),
        Term(name: "control group", example: "not in control group"),
        Term(name: "random_bucket", example: "random_bucket < 1000"),
    ]

    /// Filters on objects that members have created: campaigns, segments and lists.
    private func references(in workspace: WorkspaceID) async throws -> [Term] {
        let most = Self.termLimit / 3
        func term(_ name: String, _ condition: SegmentCondition) -> Term {
            Term(name: name, example: SegmentWriter.text(condition))
        }
        let converted = try await store.campaignReferences(in: workspace).prefix(most).map {
            term(
                $0.name,
                .activity(
                    ActivityCondition(
                        subject: .message(.converted, campaigns: [$0.name]),
                        measure: .count(.greaterOrEqual, 1)
                    )
                )
            )
        }
        let segments = try await store.segments(in: workspace).prefix(most)
        let lists = try await store.userLists(in: workspace).prefix(most)
        return converted + segments.map { term($0.content.name, .segment($0.content.name)) }
            + lists.map { term($0.name, .list($0.name)) }
    }

    /// A user's actual value is a better example than an invented one.
    private func attributes(in workspace: WorkspaceID) async throws -> [Term] {
        var examples: [String: JSONValue] = [:]
        for profile in try await sample(workspace) {
            examples.merge(profile.custom) { first, _ in first }
        }
        return examples.sorted { $0.key < $1.key }.prefix(Self.termLimit).compactMap {
            name,
            value in
            guard let path = AttributePath(name), let test = Self.test(value) else { return nil }
            return Term(
                name: name,
                example: SegmentWriter.text(.condition(.attribute(.custom(path), test)))
            )
        }
    }

    private func events(in workspace: WorkspaceID) async throws -> [Term] {
        try await store.eventNames(in: workspace, limit: Self.termLimit, offset: 0).map { name in
            let done = ActivityCondition(
                subject: .event(name),
                measure: .count(.greaterOrEqual, 1),
                from: .now(offset: -7 * 86_400)
            )
            return Term(name: name, example: SegmentWriter.text(.condition(.activity(done))))
        }
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
