import Foundation
import Model
import Rehearsals
import WebPages

/// What a rehearsal is asked for with, as it was typed.
struct RehearsalForm {
    /// How far the beginning may be from now, in seconds.
    private static let reach: TimeInterval = 366 * 86_400
    private static let usualDays = 14

    let from: String
    let days: String
    let seed: String

    init(fields: FormFields) {
        func text(_ name: String) -> String {
            fields.trimmed(name)
        }
        from = text("from")
        days = text("days")
        seed = text("seed")
    }

    /// As the last one, or from now on.
    init(_ last: RehearsalOrder?, _ context: ConsoleContext) {
        from = DateTimeLocalFormat.text(last?.from ?? context.now, in: context.zone)
        days = String(last?.days ?? Self.usualDays)
        seed = String(last?.seed ?? 1)
    }

    /// - Parameter range: How many days there may be.
    /// - Throws: ``FormError``.
    func order(
        _ subject: RehearsalSubject,
        _ range: ClosedRange<Int>,
        _ context: ConsoleContext
    ) throws -> RehearsalOrder {
        var check = FormValidator(context: context)
        var start = context.now
        if !from.isEmpty {
            if let found = DateTimeLocalFormat.date(from, in: context.zone),
                abs(found.timeIntervalSince(context.now)) <= Self.reach
            {
                start = found
            } else {
                check.fault("from", "rehearsal.from_fault")
            }
        }
        let days = check.number("days", days, range, empty: Self.usualDays)
        let number = seed.isEmpty ? 1 : UInt64(seed)
        if number == nil { check.fault("seed", "rehearsal.seed_fault") }
        guard check.faults.isEmpty, let number else { throw FormError(faults: check.faults) }
        return RehearsalOrder(
            subject.kind,
            subject.apiID,
            name: subject.name,
            in: context.workspace,
            from: start,
            days: days,
            seed: number
        )
    }
}

/// The campaign or journey that is rehearsed.
struct RehearsalSubject {
    let kind: RehearsalOrder.Kind
    let id: String
    let apiID: UUID
    let name: String
    /// Whether something was saved that is not published yet.
    let hasUnpublishedChanges: Bool

    init(_ campaign: Campaign) {
        kind = .campaign
        id = "\(campaign.id)"
        apiID = campaign.apiID
        name = campaign.content.name
        hasUnpublishedChanges = false
    }

    init(_ journey: Journey) {
        kind = .journey
        id = "\(journey.id)"
        apiID = journey.apiID
        name = journey.draft.name
        hasUnpublishedChanges = journey.version != nil && journey.hasUnpublishedChanges
    }

    /// Of the addresses and of drafts.
    var form: FormDraft.Kind { kind == .campaign ? .campaign : .journey }

    var page: ConsolePath { kind == .campaign ? .campaign(id) : .journey(id) }

    /// Whether it is what sends a message of a rehearsal; a journey's messages have names of their own behind
    /// its name.
    func sends(_ source: RehearsalSource) -> Bool {
        switch kind {
        case .campaign: source.kind == .campaign && source.name == name
        case .journey: source.kind == .journey && source.name.hasPrefix(name + " · ")
        case .person: false
        }
    }

    var place: NavigationSection { kind == .campaign ? .campaigns : .journeys }
}
