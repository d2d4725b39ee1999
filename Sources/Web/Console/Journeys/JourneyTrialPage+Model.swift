import Foundation
import Journeys
import Model
import WebPages

/// A test run: what happens when, and the virtual phone at the moment of the clock.
struct JourneyTrialPage {
    struct Pair {
        let name: String
        let value: String
        let position: Int
    }

    struct Event {
        let event: String
        let amount: String
        let units: [FormChoice]
        let position: Int
    }

    struct Line {
        let time: String
        let step: String
        let what: String
        let tone: String
        /// Whether the clock has not come there yet.
        let isAhead: Bool
    }

    struct Jump {
        let label: String
        let address: String
        let isCurrent: Bool
    }

    struct Notice {
        let banner: Banner
    }

    let action: String
    let flowAddress: String
    let choicesAddress: String
    let user: String
    let userFault: String?
    let start: String
    let startFault: String?
    let pairs: [Pair]
    let events: [Event]
    let eventFault: String?
    let eventNames: [String]
    let faults: [FormFieldError]
    let hasFaults: Bool
    let hasRun: Bool
    let lines: [Line]
    let phoneDate: String
    let phoneClock: String
    let notices: [Notice]
    let hasNotices: Bool
    let standing: String
    let jumps: [Jump]
    let clock: String
    /// Where what the phone shows is sent to the person's devices.
    let sendAddress: String
    let sendLabel: String

    init(
        _ form: JourneyTrialForm,
        run: JourneyTrialRun?,
        definition: JourneyDefinition,
        names: JourneyNames,
        draft: FormDraft,
        eventNames: [String],
        faults: [FormFieldError],
        context: ConsoleContext
    ) {
        let words = context.words
        let id = draft.id.uuidString
        action = ConsolePath.journeyTrial(id).path
        flowAddress = ConsolePath.draft(.journey, id).path
        choicesAddress = ConsolePath.userChoices.path
        user = form.user
        start = form.start
        let texts = Dictionary(
            faults.map { ($0.field, $0.text) },
            uniquingKeysWith: { first, _ in first }
        )
        userFault = texts["user"]
        startFault = texts["start"]
        eventFault = texts["after"]
        self.faults = faults
        hasFaults = !faults.isEmpty
        self.eventNames = eventNames
        pairs = (form.pairs + [.init(name: "", value: "")]).enumerated().map {
            Pair(name: $1.name, value: $1.value, position: $0 + 1)
        }
        let blank = JourneyTrialForm.Event(name: "", span: JourneySpanForm(86_400, name: "after"))
        events = (form.eventRows + [blank]).enumerated().map { index, row in
            Event(
                event: row.name,
                amount: row.span.amount,
                units: JourneySpanForm.Unit.allCases.map {
                    .init(
                        value: $0.rawValue,
                        label: words($0.wordKey),
                        isChosen: $0 == row.span.unit
                    )
                },
                position: index + 1
            )
        }
        clock = String(Int(form.clock))
        let fields = context.query.setting("notice", to: "")
        sendAddress = ConsolePath.journeyTrial(id).query(fields)
        sendLabel = words("journeys.trial_send", ["user": form.user])
        hasRun = run != nil
        let begin = run?.start ?? context.now
        let moment = begin.addingTimeInterval(form.clock)
        phoneDate = words.longDay(moment, in: context.zone)
        phoneClock = words.clock(moment, in: context.zone)
        let story = run.map { Story($0, definition, names, moment, context) }
        lines = story?.lines ?? []
        notices = story?.notices ?? []
        hasNotices = !notices.isEmpty
        standing = story?.standing ?? ""
        let stops = [begin] + (run?.rehearsal.moments.map(\.at) ?? [])
        let following = stops.first { $0 > moment }
        var steps: [(key: String, seconds: TimeInterval)] = [
            ("journeys.clock_start", 0), ("journeys.clock_hour", form.clock + 3_600),
            ("journeys.clock_day", form.clock + 86_400),
        ]
        if let following {
            let seconds = following.timeIntervalSince(begin).rounded(.up)
            steps.append(("journeys.clock_next", seconds))
        }
        steps.append(("journeys.clock_week", 7 * 86_400))
        jumps =
            run == nil
            ? []
            : steps.map { key, seconds in
                let fields = fields.setting("clock", to: String(Int(seconds)))
                return Jump(
                    label: words(key),
                    address: ConsolePath.journeyTrial(id).query(fields),
                    isCurrent: seconds == form.clock
                )
            }
    }
}

/// What a run tells, moment by moment.
private struct Story {
    var lines: [JourneyTrialPage.Line] = []
    var notices: [JourneyTrialPage.Notice] = []
    var standing = ""

    init(
        _ run: JourneyTrialRun,
        _ definition: JourneyDefinition,
        _ names: JourneyNames,
        _ moment: Date,
        _ context: ConsoleContext
    ) {
        let words = context.words
        let layout = JourneyLayout(definition)
        func title(_ id: JourneyStepID) -> String {
            "\(layout.numbers[id] ?? 0) · \(definition.step(id)?.title(words) ?? "")"
        }
        var shown: [Banner] = []
        for happening in run.rehearsal.moments {
            let isAhead = happening.at > moment
            let time = words.dateAndTime(happening.at, in: context.zone)
            for passage in happening.passages {
                let key = JourneyTrialRun.Key(step: passage.step, passage: passage.number)
                let effect = happening.effects.first { $0.passage == passage.number }
                let banner = run.banners[key]
                if !isAhead, let banner { shown.insert(banner, at: 0) }
                lines.append(
                    JourneyTrialPage.Line(
                        time: time,
                        step: title(passage.step),
                        what: Self.what(passage, effect, banner, definition, names, words),
                        tone: effect == nil ? "quiet" : "good",
                        isAhead: isAhead
                    )
                )
            }
        }
        notices = shown.map { JourneyTrialPage.Notice(banner: $0) }
        let entry = run.rehearsal.entry
        if let end = entry.end {
            standing = words(
                "journeys.trial_ended",
                [
                    "end": words(end.wordKey),
                    "time": entry.endedAt.map { words.dateAndTime($0, in: context.zone) } ?? "",
                ]
            )
        } else if let position = entry.position {
            standing = words("journeys.is_at", ["step": title(position.step)])
        }
    }

    private static func what(
        _ passage: JourneyPassage,
        _ effect: JourneyEffect?,
        _ banner: Banner?,
        _ definition: JourneyDefinition,
        _ names: JourneyNames,
        _ words: Words
    ) -> String {
        switch effect?.kind {
        case .push:
            guard let banner else { return words("journeys.trial_control") }
            return words(
                "journeys.trial_push",
                ["text": "\(banner.bannerTitle) — \(banner.bannerMessage)"]
            )
        case .inAppMessage(let shown):
            return words("journeys.trial_in_app", ["name": names.message(shown.message)])
        case .update: return words("journeys.trial_update")
        case .webhook: return words("journeys.trial_webhook")
        case .enterJourney(let id):
            return words("journeys.trial_journey", ["name": names.journey(id)])
        case nil:
            return JourneyEntryPart.outcome(of: passage, definition, names, words)
        }
    }
}
