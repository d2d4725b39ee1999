import Foundation
import Segments

/// Random users, events and rules from a seed, drawn from so few words that filters overlap.
struct RandomAudience {
    private var state: UInt64
    /// A midnight in UTC: of an ordinary day, near clock changes, a leap day, and 28 February before
    /// 1 March.
    let now: Int64
    static let midnights: [Int64] = [
        1_782_777_600, 1_774_742_400, 1_792_886_400, 1_775_347_200, 1_835_395_200, 1_803_772_800,
    ]
    static let zones = [
        "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Kiritimati", "America/Sao_Paulo",
        "Europe/Berlin", "America/New_York", "Pacific/Pago_Pago", "Nowhere/Land",
    ]

    init(seed: UInt64) {
        state = seed
        now = Self.midnights[Int(seed % UInt64(Self.midnights.count))]
    }

    /// When rules are evaluated: at a moment, or at a time on each user's clock.
    var evaluation: EvaluationTime {
        let zone = TimeZone(identifier: "Asia/Tokyo") ?? .gmt
        let isLocal = now / 86_400 % 2 == 0
        return isLocal
            ? EvaluationTime(day: Int(now / 86_400), minute: 150, workspaceZone: zone)
            : EvaluationTime(now: now + 4_321, workspaceZone: zone)
    }

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    mutating func maybe<Value>(_ percent: Int, _ value: (inout Self) -> Value) -> Value? {
        chance(percent) ? value(&self) : nil
    }

    static let words = ["", "red", "green", "blue", "Red-7", "2.10.0", "2.9", "x1", "überall"]
    static let names = ["color", "size", "joined", "flag", "tags", "profile", "orders", "and"]
    static let events = ["view", "cart", "buy now"]
    static let products = ["p1", "p2", "p3"]
    static let campaigns = ["welcome", "sale"]

    mutating func time() -> Int64 {
        // Around the edges of whole days, where an approximation would show.
        let day = Int64(below(60) - 55) * 86_400
        // And of days on other clocks.
        let offset = pick([0, 0, 0, 9, -1, 2, -3, -4, 11, 14, -11]) * 3_600 as Int64
        let odd: Int64 = chance(20) ? pick([1_800, 2_700, 900]) : 0
        return now + day - offset - odd + Int64(below(5) - 2)
    }

    mutating func value(depth: Int = 0) -> AttributeValue {
        switch below(depth < 2 ? 9 : 6) {
        case 0, 1: .string(pick(Self.words))
        case 2: .number(Double(below(7) - 3))
        case 3:
            pick([
                .number(0.1), .number(19.99), .number(1e17), .number(-2.5), .number(0.001),
                .number(0x1p53), .number(0x1p53 + 2), .integer(9_007_199_254_740_993),
                .integer(-9_007_199_254_740_993), .integer(.max), .number(0x1p63),
            ])
        case 4: .bool(chance(50))
        case 5: .time(time())
        case 6: .array((0..<below(4)).map { _ in .string(pick(Self.words)) })
        case 7: .array((0..<below(3)).map { _ in value(depth: depth + 1) })
        default:
            .object(
                Dictionary(
                    (0..<below(3)).map { _ in (pick(Self.names), value(depth: depth + 1)) },
                    uniquingKeysWith: { first, _ in first }
                )
            )
        }
    }

    mutating func profile(_ id: Int64) -> AudienceProfile {
        var profile = AudienceProfile(rowID: id, sessionCount: below(6))
        profile.externalID = maybe(80) { "user-\($0.below(40))" }
        profile.email = maybe(50) { "\($0.pick(Self.words))@example.com" }
        profile.firstName = maybe(70) { $0.pick(Self.words) }
        profile.country = maybe(80) { $0.pick(["DE", "FR", "US"]) }
        profile.language = maybe(80) { $0.pick(["de", "fr"]) }
        profile.dateOfBirth = maybe(60) { $0.now - Int64($0.below(30_000)) * 86_400 }
        if profile.dateOfBirth != nil, chance(15) {
            // 29 February 2000 and 2004.
            profile.dateOfBirth = pick([951_782_400, 1_078_012_800])
        }
        profile.timeZone = maybe(70) { $0.pick(Self.zones) }
        profile.createdAt = maybe(90) { $0.time() }
        profile.lastSessionAt = maybe(70) { $0.time() }
        profile.pushSubscription = maybe(90) { $0.pick(["opted_in", "subscribed"]) }
        profile.subscriptionGroups = maybe(40) { random in
            (0..<random.below(3)).map { _ in random.pick(Self.words) }
        }
        for _ in 0..<below(7) { profile.custom[pick(Self.names)] = value() }
        profile.devices = (0..<below(4)).map { _ in device() }
        return profile
    }

    mutating func device() -> AudienceDevice {
        AudienceDevice(
            platform: pick(["ios", "android", "web"]),
            app: pick(["shop", "news"]),
            appVersion: maybe(80) { $0.pick(Self.words) },
            model: maybe(50) { $0.pick(Self.words) },
            hasToken: chance(70),
            isPushEnabled: chance(60),
            isProvisional: chance(20)
        )
    }

    mutating func event(_ profiles: [Int64]) -> AudienceEvent {
        let activity: Activity =
            switch below(6) {
            case 0: .purchase
            case 1: .session
            case 2: .message(pick(MessageAction.allCases), campaign: pick(Self.campaigns))
            default: .event(pick(Self.events))
            }
        var event = AudienceEvent(profile: pick(profiles), activity: activity, time: time())
        if activity == .purchase {
            event.product = pick(Self.products)
            event.priceInMicros = Int64(below(400)) * 10_000
            event.quantity = 1 + below(3)
        }
        if chance(50) { event.properties["price"] = .number(Double(below(5))) }
        if chance(30) { event.properties["color"] = value() }
        return event
    }

    // MARK: Rules

    mutating func rule(depth: Int = 0) -> SegmentRule {
        switch below(depth < 3 ? 6 : 3) {
        case 3: .all((0..<below(4)).map { _ in rule(depth: depth + 1) })
        case 4: .any((0..<below(4)).map { _ in rule(depth: depth + 1) })
        case 5: .not(rule(depth: depth + 1))
        default: .condition(condition())
        }
    }

    mutating func condition() -> SegmentCondition {
        switch below(13) {
        case 0...3: .attribute(.standard(pick(StandardAttribute.allCases)), test())
        case 4...6: .attribute(.custom(path()), test())
        case 7, 8: .activity(activity())
        case 9: .device(deviceRule())
        case 10: .segment(pick(["inner", "unknown"]))
        case 11: .controlGroup
        default: .list(pick(["uploaded", "unknown"]))
        }
    }

    mutating func path() -> AttributePath {
        var steps: [AttributePath.Step] = [.key(pick(Self.names))]
        while chance(35) { steps.append(chance(50) ? .each : .key(pick(Self.names))) }
        guard let path = AttributePath(steps) else { preconditionFailure("a name is not empty") }
        return path
    }

    mutating func literal() -> ScalarLiteral {
        switch below(5) {
        case 0: .number(pick([-1, 0, 1, 2, 19.99, 0.1, 1e17, 30]))
        case 1: .bool(chance(50))
        case 2: .integer(pick([9_007_199_254_740_993, .max]))
        default: .string(pick(Self.words + ["DE", "FR", "de", "subscribed"]))
        }
    }

    private mutating func literals() -> [ScalarLiteral] { (0...below(3)).map { _ in literal() } }

    private mutating func ordering() -> Comparison {
        pick([.less, .lessOrEqual, .greaterOrEqual, .greater])
    }

    mutating func moment() -> TimePoint {
        switch below(4) {
        case 0: .at(time())
        case 1: .day(time() / 86_400)
        case 2: .now(offset: Int64(below(30) - 25) * 86_400)
        default: .today(offsetInDays: Int64(below(30) - 25))
        }
    }

    mutating func test() -> ValueTest {
        switch below(22) {
        case 0: .equal(literal())
        case 1: .notEqual(literal())
        case 2: .oneOf(literals())
        case 3: .noneOf(literals())
        case 4:
            .number(
                ordering(),
                pick([-2.5, 0, 1, 2.0000001, 5_000, 19.99, 1e17, 40, 0x1p53, 0x1p63])
            )
        case 5:
            .integer(
                ordering(),
                pick([
                    9_007_199_254_740_993, 9_007_199_254_740_995, -9_007_199_254_740_993, .max,
                ])
            )
        case 6, 7: .time(pick([ordering(), .equal]), moment())
        case 8: .onDay(month: 1 + below(12), day: 1 + below(28))
        case 9: .onThisDay(pick(LeapDay.allCases))
        case 10: .version(ordering(), pick(["2.9", "2.10", "x", ""]))
        case 11: .startsWith(pick(["", "r", "2."]))
        case 12: .endsWith(pick(["", "n", "0"]))
        case 13: .matches(pick(["^r", "RED", "[0-9]$", "(e|ü).*l", "^$", "\\bx"]))
        case 14: .doesNotMatch(pick(["^r", "e{2}", "."]))
        case 15: .contains(literal())
        case 16: .containsAny(literals())
        case 17: .containsAll(literals())
        case 18: .containsNone(literals())
        case 19: .empty
        case 20: .exists
        default: .missing
        }
    }

    mutating func deviceRule(depth: Int = 0) -> DeviceRule {
        switch below(depth < 2 ? 5 : 2) {
        case 2: return .all((0..<below(3)).map { _ in deviceRule(depth: depth + 1) })
        case 3: return .any((0..<below(3)).map { _ in deviceRule(depth: depth + 1) })
        case 4: return .not(deviceRule(depth: depth + 1))
        default:
            let field = pick(DeviceField.allCases)
            let value: ScalarLiteral =
                field.isBool
                ? .bool(chance(50)) : .string(pick(Self.words + ["ios", "android", "shop"]))
            return .field(field, chance(70) ? .equal(value) : test())
        }
    }

    mutating func activity() -> ActivityCondition {
        let subject: ActivityCondition.Subject =
            switch below(5) {
            case 0: .purchase(products: (0..<below(3)).map { _ in pick(Self.products + ["p9"]) })
            case 1: .session
            case 2:
                .message(
                    pick(MessageAction.allCases),
                    campaigns: (0..<below(3)).map { _ in pick(Self.campaigns) }
                )
            default: .event(pick(Self.events + ["never"]))
            }
        var measure: ActivityCondition.Measure =
            switch below(4) {
            case 0: .first(pick([ordering(), .equal]), moment())
            case 1: .last(ordering(), moment())
            default: .count(pick(Comparison.allCases), below(4))
            }
        if case .purchase = subject, chance(40) {
            measure = .sum(pick(Comparison.allCases), Int64(below(10)) * 500_000)
        }
        var condition = ActivityCondition(subject: subject, measure: measure)
        if chance(70) { condition.from = moment() }
        if chance(20) { condition.until = moment() }
        switch subject {
        case .event, .purchase:
            while chance(20) {
                let path = chance(70) ? AttributePath("price") : AttributePath("color")
                guard let path else { break }
                condition.properties.append(.init(path: path, test: test()))
            }
        default: break
        }
        return condition
    }
}
