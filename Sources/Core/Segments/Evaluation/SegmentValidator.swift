/// Checks what the grammar cannot: that a definition makes sense as a whole.
package struct SegmentValidator {
    private let directory: any SegmentDirectory
    private var problems: [SegmentProblem] = []
    private var conditions = 0

    private static let mostConditions = 1_000
    private static let mostLiterals = 10_000
    private static let longestName = 255

    /// All problems of a rule, in its order. With `id`, the rule is also checked for reaching the
    /// segment of that id, which is itself.
    package static func problems(
        in rule: SegmentRule,
        id: String? = nil,
        directory: any SegmentDirectory
    ) -> [SegmentProblem] {
        var validator = SegmentValidator(directory: directory)
        validator.check(rule, at: "", inside: id.map { [$0] } ?? [], isOwn: true)
        return validator.problems
    }

    /// The same for a parsed text; the problems say where in the text they are.
    package static func problems(
        in located: LocatedRule,
        id: String? = nil,
        directory: any SegmentDirectory
    ) -> [SegmentProblem] {
        problems(in: located.rule, id: id, directory: directory).map { problem in
            var placed = problem
            placed.range = located.range(at: problem.pointer)
            return placed
        }
    }

    private init(directory: any SegmentDirectory) {
        self.directory = directory
    }

    private mutating func report(_ pointer: String, _ message: String) {
        problems.append(SegmentProblem(pointer: pointer, message: message))
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
                // Problems inside another segment are reported where this one refers to it.
                let childPointer = isOwn ? "\(pointer)/\(key)/\(index)" : pointer
                check(child, at: childPointer, inside: segments, isOwn: isOwn)
            }
        case .not(let inner):
            check(inner, at: isOwn ? "\(pointer)/not" : pointer, inside: segments, isOwn: isOwn)
        case .condition(.segment(let id)):
            if segments.contains(id) {
                let chain = (segments + [id]).joined(separator: " → ")
                report(pointer, "segments refer to each other in a circle: \(chain)")
            } else if segments.count > 16 {
                report(pointer, "segments refer to each other too deeply")
            } else if let inner = directory.rule(ofSegment: id) {
                check(inner, at: pointer, inside: segments + [id], isOwn: false)
            } else {
                report(pointer, "there is no segment “\(id)”")
            }
        case .condition(let condition):
            conditions += 1
            if conditions == Self.mostConditions + 1 {
                report(pointer, "a segment has at most \(Self.mostConditions) filters")
            }
            if isOwn { check(condition, at: pointer) }
        }
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
            if !directory.hasList(id) { report(pointer, "there is no list “\(id)”") }
        case .segment: break
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
                let expected = field.isBool ? "true or false" : "a string"
                report(pointer, "\(field.rawValue) is \(expected), not \(kind.rawValue)")
            }
            check(test, at: pointer)
        }
    }

    private mutating func check(_ activity: ActivityCondition, at pointer: String) {
        switch activity.subject {
        case .event(let name):
            if name.isEmpty || name.count > Self.longestName {
                report(pointer, "an event's name has 1 to \(Self.longestName) characters")
            }
        case .message, .session:
            if !activity.properties.isEmpty {
                report(pointer, "only events and purchases have properties")
            }
            if case .message(_, let campaigns) = activity.subject {
                for name in campaigns where !directory.hasCampaign(name) {
                    report(pointer, "there is no campaign “\(name)”")
                }
            }
        case .purchase: break
        }
        if case .sum = activity.measure {
            guard case .purchase = activity.subject else {
                return report(pointer, "only purchases have a sum")
            }
        }
        if case .count(_, let number) = activity.measure, number < 0 {
            report(pointer, "a count is never negative")
        }
        switch (activity.from, activity.until) {
        case (.at(let from), .at(let until)) where until <= from,
            (.day(let from), .day(let until)) where until <= from,
            (.now(let from), .now(let until)) where until <= from,
            (.today(let from), .today(let until)) where until <= from:
            report(pointer, "the time span ends before it begins")
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
                report(pointer, "the pattern, character \(error.offset): \(error.message)")
            }
        case .oneOf(let literals), .noneOf(let literals), .containsAny(let literals),
            .containsAll(let literals), .containsNone(let literals):
            if literals.isEmpty { report(pointer, "the list of values is empty") }
            if literals.count > Self.mostLiterals {
                report(pointer, "at most \(Self.mostLiterals) values; use a list instead")
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
                "\(attribute.rawValue) is a \(attribute.kind.rawValue), not \(kind.rawValue)"
            )
        }
    }
}

/// The type of value a test is made for.
enum LiteralKind: String {
    case string = "a string"
    case number = "a number"
    case bool = "true or false"
    case time = "a time"
    case mixed = "values of several types"
}

extension ValueTest {
    /// `nil` for tests that fit every type.
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
