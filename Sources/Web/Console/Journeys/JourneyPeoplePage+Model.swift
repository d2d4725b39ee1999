import Foundation
import Model
import WebPages

/// The people behind a figure of a step.
struct JourneyPeoplePage {
    struct Filter {
        let label: String
        let address: String
        let isCurrent: Bool
    }

    struct Row {
        let user: String
        let address: String
        let state: String
        let tone: String
        let moment: Moment
    }

    let step: String
    let journey: String
    let journeyAddress: String
    let filters: [Filter]
    let rows: [Row]
    let isEmpty: Bool
    let pager: Pager

    init(
        _ found: (entries: [JourneyEntry], total: Int),
        names: [ProfileID: String],
        at step: JourneyStepID,
        title: String,
        of journey: Journey,
        in group: JourneyStepGroup,
        page: ListPage,
        context: ConsoleContext
    ) {
        let words = context.words
        let id = "\(journey.id)"
        let path = ConsolePath.journeyPeople(id, step.description)
        self.step = title
        self.journey = journey.draft.name
        journeyAddress = ConsolePath.journey(id).path
        filters = JourneyStepGroup.allCases.map {
            Filter(
                label: words($0.wordKey),
                address: path.query(FormFields([("group", $0.rawValue)])),
                isCurrent: $0 == group
            )
        }
        rows = found.entries.map { entry in
            Row(
                user: names[entry.profile] ?? "\(entry.profile)",
                address: ConsolePath.journeyPerson(id, "\(entry.profile)").path,
                state: words(entry.end?.wordKey ?? "journeys.inside_now"),
                tone: entry.end == nil ? "live" : "quiet",
                moment: context.moment(entry.enteredAt)
            )
        }
        isEmpty = rows.isEmpty
        pager = Pager(
            path: path,
            fields: context.query.setting("page", to: "").setting("notice", to: ""),
            page: page,
            shown: rows.count,
            total: found.total,
            hasMore: page.hasMore(of: found.total),
            words: words
        )
    }
}
