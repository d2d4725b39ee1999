import Reports
import WebPages

/// Paths: their form, a picture of the ways from step to step, the same as a table, and the most
/// frequent whole paths.
struct PathsReportPage {
    struct Row {
        let step: String
        let from: String
        let to: String
        let users: String
        let share: String
    }

    struct Path {
        /// In the order in which they were done.
        let names: [String]
        let users: String
        let share: String
    }

    struct Result {
        let isEmpty: Bool
        let sentence: String
        let picture: PathsPicture
        let rows: [Row]
        let paths: [Path]
        let fileAddress: String
    }

    let fields: ReportFields
    let result: Result?
    /// Why there is no result.
    let problem: String?
    let saveAddress: String

    init(_ desk: ReportDesk, answer: PathsAnswer?, problem: String?, context: ConsoleContext) {
        let words = context.words
        fields = desk.fields
        saveAddress = desk.saveAddress
        self.problem = answer == nil ? problem ?? words("reports.choose_events") : nil
        let names = PathNames(direction: desk.form.direction, words: words)
        result = answer.map { answer in
            Result(
                isEmpty: answer.users == 0,
                sentence: words.counted("reports.paths_users", answer.users),
                picture: PathsPicture(answer, names: names),
                rows: Self.rows(answer, names),
                paths: answer.paths.map { path in
                    let done = [answer.start] + path.kinds
                    return Path(
                        names: (desk.form.direction == .after ? done : done.reversed())
                            .map(names.name),
                        users: words.number(path.users),
                        share: words.percent(path.users, of: answer.users)
                    )
                },
                fileAddress: ReportKind.paths.file.query(context.query)
            )
        }
    }

    private static func rows(_ answer: PathsAnswer, _ names: PathNames) -> [Row] {
        var rows: [Row] = []
        var before = [names.name(answer.start)]
        for (number, step) in answer.steps.enumerated() {
            let here = step.nodes.map { names.name($0.place) }
            for link in step.links {
                rows.append(
                    Row(
                        step: names.words.number(number + 1),
                        from: before[link.from],
                        to: here[link.to],
                        users: names.words.number(link.users),
                        share: names.words.percent(link.users, of: answer.users)
                    )
                )
            }
            before = here
        }
        return rows
    }
}

/// What the places of paths are called.
struct PathNames {
    let direction: PathsQuestion.Direction
    let words: Words

    func name(_ place: PathsAnswer.Place) -> String {
        switch place {
        case .kind(let kind): name(kind)
        case .other: words("reports.other")
        case .end:
            words(direction == .after ? "reports.path_end" : "reports.path_begin")
        }
    }

    func name(_ kind: PathKind) -> String {
        switch kind {
        case .event(let name): name
        case .purchase: words("reports.purchase")
        case .session: words("reports.session")
        }
    }
}
