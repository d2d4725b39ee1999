import Audience
import Foundation
import Model
import WebPages

/// The expected result of a message in a review: number of users, platforms, languages, times, and
/// possible problems.
struct OutlookPart {
    /// Maximum number of languages; further ones are summed up.
    private static let shownLanguages = 4

    struct Warning {
        let text: String
        let isBlocking: Bool
    }

    let lines: [PushReviewPage.Line]
    let warnings: [Warning]
    let hasWarnings: Bool
    let isBlocked: Bool

    init(_ outlook: SendOutlook, countsDevices: Bool = true, context: ConsoleContext) {
        let words = context.words
        var lines: [PushReviewPage.Line] = []
        func add(_ key: String, _ value: String) {
            if !value.isEmpty { lines.append(.init(label: words(key), value: value)) }
        }
        add(
            "review.reach",
            countsDevices
                ? AudienceReach(users: outlook.users, devices: outlook.devices).text(words)
                : words.counted("reach.users", outlook.users)
        )
        if outlook.withheld > 0 {
            add("control_group.title", words.counted("control_group.withheld", outlook.withheld))
        }
        if outlook.first < outlook.users {
            add("review.first", words.counted("review.about_users", outlook.first))
        }
        add(
            "review.platforms",
            Self.list(outlook.platforms, words) { name in
                MessagePlatform(rawValue: name).map { words($0.wordKey) } ?? name
            }
        )
        add(
            "review.languages",
            Self.list(Self.shortened(outlook.languages), words) { name in
                switch name {
                case "": words("review.no_language")
                case Self.others: words("review.other_languages")
                default: words.language.locale.localizedString(forLanguageCode: name) ?? name
                }
            }
        )
        add(
            "review.runs",
            outlook.runs.map { words.dateAndTime($0, in: context.zone) }.joined(separator: " · ")
        )
        self.lines = lines
        warnings = outlook.findings.map { finding in
            Warning(
                text: finding.text(words, countsDevices: countsDevices),
                isBlocking: finding.blocks
            )
        }
        hasWarnings = !warnings.isEmpty
        isBlocked = outlook.isBlocked
    }

    /// Not the name of any language.
    private static let others = "*"

    private static func shortened(_ shares: [SendOutlook.Share]) -> [SendOutlook.Share] {
        guard shares.count > shownLanguages else { return shares }
        let rest = shares.dropFirst(shownLanguages).map(\.count).reduce(0, +)
        return Array(shares.prefix(shownLanguages)) + [.init(name: others, count: rest)]
    }

    private static func list(
        _ shares: [SendOutlook.Share],
        _ words: Words,
        _ name: (String) -> String
    ) -> String {
        shares.map { "\(name($0.name)) \(words.number($0.count))" }.joined(separator: " · ")
    }
}

extension ConsoleBooks {
    /// A finding in English, for what is printed.
    ///
    /// - Parameter countsDevices: Whether people need a device.
    package func sentence(_ finding: SendFinding, countsDevices: Bool) -> String {
        finding.text(words[.english], countsDevices: countsDevices)
    }
}

extension SendFinding {
    /// - Parameter countsDevices: If no device is needed, the text mentions users.
    func text(_ words: Words, countsDevices: Bool = true) -> String {
        switch self {
        case .nobody: return words(countsDevices ? "review.nobody" : "review.nobody_yet")
        case .tooLarge(let bytes, let limit, let user):
            let numbers = ["bytes": words.number(bytes), "limit": words.number(limit)]
            return user.isEmpty
                ? words("fault.payload", numbers)
                : words("review.too_large_for", numbers.merging(["user": user]) { $1 })
        case .missing(let attribute, let users, let all):
            return words(
                "review.missing",
                ["attribute": attribute, "share": words.percent(users, of: all)]
            )
        case .unknownAttribute(let name, let nearest):
            return words("review.unknown_attribute", ["name": name])
                + Self.suggestion(nearest, words)
        case .unknownFilterAttribute(let name, let nearest):
            return words("review.unknown_filter_attribute", ["name": name])
                + Self.suggestion(nearest, words)
        case .unknownFilterEvent(let name, let nearest):
            return words("review.unknown_filter_event", ["name": name])
                + Self.suggestion(nearest, words)
        case .completeSince(let date):
            return words("review.complete_since", ["date": words.dateAndTime(date, in: .gmt)])
        case .draftNews(let title): return words("review.draft_news", ["title": title])
        case .unknownNews(let id): return words("review.unknown_news", ["id": id])
        case .unknownFunction(let name, let nearest):
            return words("review.unknown_function", ["name": name])
                + Self.suggestion(nearest, words)
        case .quietHours(let start, let end, let handling):
            let times = ["start": start.description, "end": end.description]
            switch handling {
            case .delay: return words("review.quiet_holds", times)
            case .skip: return words("review.quiet_drops", times)
            case .sendAnyway: return words("review.quiet_ignores", times)
            }
        }
    }

    private static func suggestion(_ nearest: String?, _ words: Words) -> String {
        nearest.map { " " + words("review.nearest", ["name": $0]) } ?? ""
    }
}
