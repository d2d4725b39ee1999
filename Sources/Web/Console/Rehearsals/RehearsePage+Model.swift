import Foundation
import Model
import Rehearsals
import WebPages

/// The form of a rehearsal, how far it is, and what it has shown.
struct RehearsePage {
    struct Playing {
        let text: String
        let percent: Int
    }

    struct Faults {
        let from: String?
        let days: String?
        let seed: String?
    }

    /// How often the page asks how far it is, in seconds.
    private static let pause = 2

    let name: String
    let backAddress: String
    let backLabel: String
    let action: String
    let stopAddress: String
    let form: RehearsalForm
    let fault: Faults
    let refusal: String?
    let longest: Int
    let zoneHelp: String
    /// What is played, where that may not be clear.
    let notes: [String]
    let hasNotes: Bool
    let pause: Int
    let playing: Playing?
    let asked: String?
    let failure: String?
    let report: RehearsalReport?

    init(
        _ subject: RehearsalSubject,
        form: RehearsalForm,
        faults: [FormFieldError],
        days: ClosedRange<Int>,
        last: OrderedRehearsal?,
        other: String?,
        hasDraft: Bool,
        context: ConsoleContext
    ) {
        let words = context.words
        name = subject.name
        backAddress = subject.page.path
        backLabel = subject.name
        action = ConsolePath.rehearsal(subject.form, subject.id).path
        stopAddress = ConsolePath.stopRehearsal(subject.form, subject.id).path
        self.form = form
        func fault(_ field: String) -> String? { faults.first { $0.field == field }?.text }
        self.fault = Faults(from: fault("from"), days: fault("days"), seed: fault("seed"))
        refusal = fault("")
        longest = days.upperBound
        zoneHelp = words("compose.deliver_at_help", ["zone": context.zone.identifier])
        var notes: [String] = []
        if hasDraft { notes.append(words("rehearsal.has_draft")) }
        if subject.hasUnpublishedChanges { notes.append(words("rehearsal.unpublished")) }
        if let other { notes.append(words("rehearsal.other", ["name": other])) }
        self.notes = notes
        hasNotes = !notes.isEmpty
        asked = last.map {
            words(
                "rehearsal.asked",
                ["name": $0.askedBy, "time": words.dateAndTime($0.askedAt, in: context.zone)]
            )
        }
        var playing: Playing?
        var failure: String?
        var report: RehearsalReport?
        switch last?.state {
        case .playing(let moment):
            playing = Playing(
                text: moment.map {
                    words("rehearsal.playing", ["day": words.longDay($0, in: context.zone)])
                } ?? words("rehearsal.copying"),
                percent: Int((last?.share ?? 0) * 100)
            )
        case .done(let result):
            report = RehearsalReport(
                result,
                of: subject,
                textAddress: ConsolePath.rehearsalText(subject.form, subject.id).path,
                words: words
            )
        case .failed(let reason): failure = reason.text(words)
        case nil: break
        }
        pause = playing == nil ? 0 : Self.pause
        self.playing = playing
        self.failure = failure
        self.report = report
    }
}

extension RehearsalError {
    fileprivate func text(_ words: Words) -> String {
        switch self {
        case .stopped: words("rehearsal.stopped")
        case .tooLong(let seconds):
            words("rehearsal.too_long", ["time": words.duration(Int64(seconds))])
        case .gone: words("rehearsal.gone")
        case .broken: words("rehearsal.broken")
        case .left: words("rehearsal.left")
        }
    }
}
