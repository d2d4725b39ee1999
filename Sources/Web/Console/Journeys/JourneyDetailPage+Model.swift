import Foundation
import Journeys
import Model
import WebPages

/// One journey: what people go through now, with figures at each step.
struct JourneyDetailPage {
    struct Action {
        let label: String
        let address: String
        let question: String?
        let isDanger: Bool
    }

    struct Ended {
        let label: String
        let count: String
    }

    struct Version {
        let number: String
        let publisher: String
        let when: Moment
        let isCurrent: Bool
    }

    let name: String
    let phase: String
    let tone: String
    let note: String?
    /// What will come with the next publication.
    let isChanged: Bool
    let isDraft: Bool
    let entered: String
    let inside: String
    let converted: String
    let conversionRate: String
    let ended: String
    let endings: [Ended]
    let hasEndings: Bool
    /// Day by day; `nil` for a draft.
    let chart: LineChart?
    let flow: JourneyFlow
    /// What its random splits say, where it has a goal.
    let splits: [JourneySplitPart]
    let lines: [PushReviewPage.Line]
    let versions: [Version]
    let hasVersions: Bool
    let apiID: String
    let actions: [Action]
    let editAddress: String?
    let duplicateAddress: String?
    let rehearsalAddress: String?
    let listAddress: String
    /// The virtual phones, where there are some and the journey runs.
    let phonesAddress: String?
    /// What to do there as long as nobody has entered.
    let trying: String?
    let mayWrite: Bool
    let entryText: String

    init(
        _ journey: Journey,
        shown definition: JourneyDefinition,
        names: JourneyNames,
        figures: JourneyFigures,
        days: [(day: CalendarDay, counts: JourneyPeriod)],
        splits: [JourneySplitPart],
        versions: [JourneyVersion],
        phonesAddress: String?,
        context: ConsoleContext
    ) {
        let words = context.words
        let id = "\(journey.id)"
        name = journey.draft.name
        phase = words(journey.state.wordKey)
        tone = journey.state.tone
        note = definition.note.isEmpty ? nil : definition.note
        isChanged = journey.version != nil && journey.hasUnpublishedChanges
        isDraft = journey.version == nil
        entered = words.number(figures.entered)
        inside = words.number(figures.inside)
        converted = words.number(figures.converted)
        conversionRate = words.percent(figures.converted, of: figures.entered)
        let over = figures.ended.values.reduce(0, +)
        ended = words.number(over)
        endings = JourneyEnd.allCases.compactMap { end in
            guard let count = figures.ended[end], count > 0 else { return nil }
            return Ended(label: words(end.wordKey), count: words.number(count))
        }
        hasEndings = !endings.isEmpty
        chart = isDraft ? nil : Self.chart(days, hasGoal: definition.goal != nil, context)
        flow = JourneyFlow(
            definition,
            names: names,
            figures: journey.version == nil ? nil : figures,
            people: { step, group in
                ConsolePath.journeyPeople(id, step.description).query(
                    FormFields([("group", group.rawValue)])
                )
            },
            context: context
        )
        self.splits = splits
        lines = definition.lines(names, context)
        self.versions = versions.map {
            Version(
                number: words.number($0.number),
                publisher: $0.publisher,
                when: context.moment($0.publishedAt),
                isCurrent: $0.number == journey.version
            )
        }
        hasVersions = !versions.isEmpty
        apiID = journey.apiID.uuidString.lowercased()
        listAddress = ConsolePath.journeys.path
        self.phonesAddress = journey.state == .active ? phonesAddress : nil
        if case .event(let event) = definition.entry, figures.entered == 0 {
            trying = self.phonesAddress.map { _ in
                words("journeys.try_event", ["event": event.sentence(words)])
            }
        } else {
            trying = nil
        }
        mayWrite = context.hasRole(atLeast: .marketer)
        let isOpen = mayWrite && journey.state != .archived
        editAddress = isOpen ? ConsolePath.editJourney(id).path : nil
        duplicateAddress = mayWrite ? ConsolePath.duplicateJourney(id).path : nil
        rehearsalAddress =
            journey.state == .archived ? nil : ConsolePath.rehearsal(.journey, id).path
        entryText = definition.entry.text(names, context)
        actions =
            !mayWrite
            ? []
            : JourneyAction.allCases.filter { $0.origins.contains(journey.state) }.map { action in
                Action(
                    label: words(action.wordKey),
                    address: ConsolePath.journeyAction(id, action.rawValue).path,
                    question: action.questionKey.map {
                        words.counted($0, figures.inside)
                    },
                    isDanger: action == .stop || action == .archive
                )
            }
    }

    private static func chart(
        _ days: [(day: CalendarDay, counts: JourneyPeriod)],
        hasGoal: Bool,
        _ context: ConsoleContext
    ) -> LineChart {
        let words = context.words
        func series(
            _ key: String,
            _ style: String,
            _ value: (JourneyPeriod) -> Int
        ) -> LineChart.Series {
            .init(name: words(key), style: style, values: days.map { value($0.counts) })
        }
        var lines = [
            series("journeys.entered", "quiet-line", \.entries),
            series("journeys.ended", "third", \.ends),
        ]
        if hasGoal { lines.append(series("journeys.converted", "strong", \.conversions)) }
        return LineChart(
            name: words.counted("in_app.last_days", days.count),
            labels: days.map { words.day($0.counts.start, in: context.zone) },
            series: lines,
            previous: [],
            words: words
        )
    }
}
