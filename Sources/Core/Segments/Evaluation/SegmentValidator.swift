import Reasons

/// Checks what the grammar cannot: whether a definition is consistent as a whole.
package struct SegmentValidator {
    private let directory: any SegmentResolver
    private var problems: [SegmentError] = []
    private var reach: SegmentReach
    private var filters: Int64 = 0
    /// Segments whose own references were followed; once is enough.
    private var followed: Set<String> = []

    private static let maxFilters: Int64 = 1_000
    /// Segments named within each other, with the one that is checked.
    package static let maxDepth = 17
    private static let maxLiterals = 10_000
    private static let maxNameLength = 255

    /// All problems of a rule, in order. With `id`, also checks that the rule does not refer to the
    /// segment with that id, which is the rule itself.
    package static func problems(
        in rule: SegmentRule,
        id: String? = nil,
        directory: any SegmentResolver
    ) -> [SegmentError] {
        var validator = SegmentValidator(directory: directory)
        validator.check(rule, at: "", inside: id.map { [$0] } ?? [], isOwn: true)
        return validator.problems
    }

    /// The same for a parsed text; the problems include their location in the text.
    package static func problems(
        in located: RuleWithSource,
        id: String? = nil,
        directory: any SegmentResolver
    ) -> [SegmentError] {
        problems(in: located.rule, id: id, directory: directory).map { problem in
            var placed = problem
            placed.range = located.range(at: problem.pointer)
            return placed
        }
    }

    private init(directory: any SegmentResolver) {
        self.directory = directory
        reach = SegmentReach(directory)
    }

    private mutating func report(
        _ pointer: String,
        _ code: SegmentReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        problems.append(SegmentError(pointer: pointer, code, arguments))
    }

    private mutating func check(
        _ rule: SegmentRule,
        at pointer: String,
        inside segments: [String],
        isOwn: Bool
    ) {
        switch rule {
        case .all(let rules), .any(let rules):
            let key = if case .all = rule { "and" } else { "or" }
            for (index, child) in rules.enumerated() {
                // Problems inside another segment are reported at the filter that refers to it.
                let childPointer = isOwn ? "\(pointer)/\(key)/\(index)" : pointer
                check(child, at: childPointer, inside: segments, isOwn: isOwn)
            }
        case .not(let inner):
            check(inner, at: isOwn ? "\(pointer)/not" : pointer, inside: segments, isOwn: isOwn)
        case .condition(.segment(let id)):
            let extent = isOwn ? reach.extent(of: rule) : .init()
            count(extent.filters, at: pointer)
            if segments.contains(id) {
                let chain = (segments + [id]).joined(separator: " → ")
                report(pointer, .circle, ["chain": "\(chain)"])
            } else if segments.count + extent.depth > Self.maxDepth {
                report(pointer, .referencesTooDeep)
            } else if let inner = directory.rule(ofSegment: id) {
                guard followed.insert(id).inserted else { return }
                check(inner, at: pointer, inside: segments + [id], isOwn: false)
            } else {
                report(pointer, .noSegment, ["id": "\(id)"])
            }
        case .condition(let condition):
            guard isOwn else { return }
            count(1, at: pointer)
            check(condition, at: pointer)
        }
    }

    /// Counts filters, and reports where they become too many.
    private mutating func count(_ number: Int64, at pointer: String) {
        let before = filters
        filters = filters.addingSaturated(number)
        guard before <= Self.maxFilters, filters > Self.maxFilters else { return }
        report(pointer, .filterLimit, ["count": "\(Self.maxFilters)"])
    }

    private mutating func check(_ condition: SegmentCondition, at pointer: String) {
        switch condition {
        case .attribute(let reference, let test):
            if case .standard(let attribute) = reference {
                check(test, fits: attribute, at: pointer)
            }
            check(test, at: pointer)
        case .device(let rule): check(rule, at: pointer)
        case .list(let id):
            if !directory.hasList(id) { report(pointer, .noList, ["id": "\(id)"]) }
        case .segment, .controlGroup: break
        case .activity(let activity): check(activity, at: pointer)
        }
    }

    private mutating func check(_ rule: DeviceRule, at pointer: String) {
        switch rule {
        case .all(let rules), .any(let rules):
            for child in rules { check(child, at: pointer) }
        case .not(let inner): check(inner, at: pointer)
        case .field(let field, let test):
            let kinds: Set<LiteralKind> = field.isBool ? [.bool] : [.string]
            if let kind = test.literalKind, !kinds.contains(kind) {
                let expected = field.isBool ? LiteralKind.bool : .string
                report(
                    pointer,
                    .wrongKind,
                    [
                        "field": "\(field.rawValue)", "expected": .reason(Reason(expected.name)),
                        "kind": .reason(Reason(kind.name)),
                    ]
                )
            }
            check(test, at: pointer)
        }
    }

    private mutating func check(_ activity: ActivityCondition, at pointer: String) {
        switch activity.subject {
        case .event(let name):
            if name.isEmpty || name.count > Self.maxNameLength {
                report(pointer, .eventName, ["count": "\(Self.maxNameLength)"])
            }
        case .message, .session:
            if !activity.properties.isEmpty {
                report(pointer, .noProperties)
            }
            if case .message(_, let campaigns) = activity.subject {
                for name in campaigns where !directory.hasCampaign(name) {
                    report(pointer, .noCampaign, ["name": "\(name)"])
                }
            }
        case .purchase: break
        }
        if case .sum = activity.measure {
            guard case .purchase = activity.subject else {
                return report(pointer, .noSum)
            }
        }
        if case .count(_, let number) = activity.measure, number < 0 {
            report(pointer, .negativeCount)
        }
        switch (activity.from, activity.until) {
        case (.at(let from), .at(let until)) where until <= from,
            (.day(let from), .day(let until)) where until <= from,
            (.now(let from), .now(let until)) where until <= from,
            (.today(let from), .today(let until)) where until <= from:
            report(pointer, .spanBackwards)
        default: break
        }
        for property in activity.properties { check(property.test, at: pointer) }
    }

    private mutating func check(_ test: ValueTest, at pointer: String) {
        switch test {
        case .matches(let source), .doesNotMatch(let source):
            do {
                _ = try Pattern(source)
            } catch {
                report(
                    pointer,
                    .pattern,
                    ["offset": "\(error.offset)", "reason": .reason(error.reason)]
                )
            }
        case .oneOf(let literals), .noneOf(let literals), .containsAny(let literals),
            .containsAll(let literals), .containsNone(let literals):
            if literals.isEmpty { report(pointer, .emptyValues) }
            if literals.count > Self.maxLiterals {
                report(pointer, .valueLimit, ["count": "\(Self.maxLiterals)"])
            }
        default: break
        }
    }

    private mutating func check(
        _ test: ValueTest,
        fits attribute: StandardAttribute,
        at pointer: String
    ) {
        guard let kind = test.literalKind else { return }
        let expected: LiteralKind =
            switch attribute.kind {
            case .string, .strings: .string
            case .number: .number
            case .time: .time
            }
        if kind != expected {
            report(
                pointer,
                .wrongKind,
                [
                    "field": "\(attribute.rawValue)",
                    "expected": .reason(Reason(attribute.kind.name)),
                    "kind": .reason(Reason(kind.name)),
                ]
            )
        }
    }
}

/// The type of value to which a test applies.
enum LiteralKind {
    case string, number, bool, time, mixed

    var name: SegmentReason {
        switch self {
        case .string: .aString
        case .number: .aNumber
        case .bool: .trueOrFalse
        case .time: .aTime
        case .mixed: .mixed
        }
    }
}

extension StandardAttribute.Kind {
    fileprivate var name: SegmentReason {
        switch self {
        case .string: .aString
        case .number: .aNumber
        case .time: .aTime
        case .strings: .aList
        }
    }
}

extension ValueTest {
    /// `nil` for tests that apply to every type.
    var literalKind: LiteralKind? {
        func kind(_ literals: [ScalarLiteral]) -> LiteralKind? {
            let kinds = Set(literals.map(\.kind))
            return kinds.count > 1 ? .mixed : kinds.first
        }
        return switch self {
        case .equal(let literal), .notEqual(let literal), .contains(let literal): literal.kind
        case .oneOf(let literals), .noneOf(let literals), .containsAny(let literals),
            .containsAll(let literals), .containsNone(let literals):
            kind(literals)
        case .number, .integer: .number
        case .time, .onDay, .onThisDay: .time
        case .version, .startsWith, .endsWith, .matches, .doesNotMatch: .string
        case .empty, .exists, .missing: nil
        }
    }
}

extension ScalarLiteral {
    var kind: LiteralKind {
        switch self {
        case .string: .string
        case .number, .integer: .number
        case .bool: .bool
        }
    }
}
