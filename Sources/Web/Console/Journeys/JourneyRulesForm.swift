import Audience
import Foundation
import Model
import WebPages

/// The raw fields of a journey's rules: its name, who enters, what ends it, what it aims for.
struct JourneyRulesForm {
    enum Entry: String, CaseIterable {
        case event, entering, members, api, journey

        init(_ rule: JourneyEntryRule) {
            self =
                switch rule {
                case .event: .event
                case .members: .members
                case .entering: .entering
                case .api: .api
                case .journey: .journey
                }
        }

        var wordKey: String {
            switch self {
            case .event: "journeys.entry_event"
            case .entering: "journeys.entry_entering"
            case .members: "journeys.entry_members"
            case .api: "journeys.entry_api"
            case .journey: "journeys.entry_journey"
            }
        }

        var helpKey: String {
            switch self {
            case .event: "journeys.entry_event_help"
            case .entering: "journeys.entry_entering_help"
            case .members: "journeys.entry_members_help"
            case .api: "journeys.entry_api_help"
            case .journey: "journeys.entry_journey_help"
            }
        }
    }

    static let entryPrefix = "e."
    static let memberPrefix = "m."
    static let audiencePrefix = "a."
    static let goalPrefix = "g."
    static let exitPrefix = "x."
    static let pauseName = "againAfter"
    static let windowName = "goalWithin"

    var name = ""
    var note = ""
    var tags = ""
    var entry = Entry.event
    var event = JourneyEventForm()
    var members = JourneyConditionForm(.everyone, prefix: memberPrefix)
    /// In the format of `datetime-local`; empty for when the journey is started.
    var at = ""
    var audience = JourneyConditionForm(.everyone, prefix: audiencePrefix)
    var again = "never"
    var pause = JourneySpanForm(30 * 86_400, name: pauseName)
    /// Events that end it, by name; with conditions on properties only through the API.
    var exitEvents: [String] = []
    var exitCondition = JourneyConditionForm(.everyone, prefix: exitPrefix)
    var goal = JourneyEventForm()
    var window = JourneySpanForm(3 * 86_400, name: windowName)
    var endsAtGoal = false
    var ignoresCaps = false
    var quietHours = QuietHoursHandling.delay

    init(fields: FormFields) {
        name = fields.trimmed("name")
        note = fields.trimmed("note")
        tags = fields.trimmed("tags")
        entry = Entry(rawValue: fields["entry"]) ?? .event
        event = JourneyEventForm(fields: fields, prefix: Self.entryPrefix)
        members = JourneyConditionForm(fields: fields, prefix: Self.memberPrefix)
        at = fields["at"]
        audience = JourneyConditionForm(fields: fields, prefix: Self.audiencePrefix)
        again = fields["again"]
        pause = JourneySpanForm(fields: fields, name: Self.pauseName)
        exitEvents = fields.all("exitEvent").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
        exitCondition = JourneyConditionForm(fields: fields, prefix: Self.exitPrefix)
        goal = JourneyEventForm(fields: fields, prefix: Self.goalPrefix)
        window = JourneySpanForm(fields: fields, name: Self.windowName)
        endsAtGoal = fields["endsAtGoal"] == "yes"
        ignoresCaps = fields["ignoresCaps"] == "yes"
        quietHours = QuietHoursHandling(rawValue: fields["quietHours"]) ?? .delay
    }

    init(_ definition: JourneyDefinition, _ site: ConsoleRenderer, _ context: ConsoleContext) async
    {
        func condition(_ query: SegmentQuery?, _ prefix: String) async -> JourneyConditionForm {
            guard let query else { return JourneyConditionForm(.everyone, prefix: prefix) }
            let choice = try? await site.services.choices.choice(of: query)
            return JourneyConditionForm(choice ?? .everyone, prefix: prefix)
        }
        name = definition.name
        note = definition.note
        tags = definition.tags.joined(separator: ", ")
        entry = Entry(definition.entry)
        switch definition.entry {
        case .event(let match): event = JourneyEventForm(match)
        case .members(let query, let date):
            members = await condition(query, Self.memberPrefix)
            at = date.map { DateTimeLocalFormat.text($0, in: context.zone) } ?? ""
        case .entering(let query): members = await condition(query, Self.memberPrefix)
        case .api, .journey: break
        }
        audience = await condition(definition.audience, Self.audiencePrefix)
        switch definition.reentry {
        case .never: again = "never"
        case .after(0): again = "always"
        case .after(let seconds):
            again = "after"
            pause = JourneySpanForm(seconds, name: Self.pauseName)
        }
        exitEvents = definition.exits.compactMap(\.shownEvent)
        exitCondition = await condition(definition.shownExit, Self.exitPrefix)
        if let stored = definition.goal {
            goal = JourneyEventForm(stored.event)
            window = JourneySpanForm(stored.window, name: Self.windowName)
        }
        endsAtGoal = definition.endsAtGoal
        ignoresCaps = definition.isExemptFromCaps
        quietHours = definition.quietHours
    }

    // MARK: Checking

    /// The definition with these rules; what the form does not show, or shows unchanged, is kept.
    ///
    /// - Throws: ``FormError`` with every field at fault.
    func apply(
        to known: JourneyDefinition,
        _ site: ConsoleRenderer,
        _ context: ConsoleContext
    ) async throws -> JourneyDefinition {
        var check = FormValidator(context: context)
        var definition = known
        if name.isEmpty || name.count > 250 { check.fault("name", "journeys.fault_name") }
        definition.name = name
        definition.note = note
        definition.tags = tags.split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        if let entry = try await checkedEntry(known.entry, &check, site, context) {
            definition.entry = entry
        }
        definition.audience =
            audience.audience.kind == .everyone
            ? nil
            : try await JourneyStepForm.checked(
                audience,
                changing: known.audience,
                &check,
                site,
                context
            )
        definition.reentry = checkedReentry(known.reentry, &check)
        definition.exits = try await checkedExits(known, &check, site, context)
        if goal.isBlank {
            definition.goal = nil
        } else {
            var aim =
                known.goal
                ?? ConversionEvent(event: EventMatch(.custom(name: "")), window: 0)
            aim.event = goal.match(changing: known.goal?.event)
            aim.window = window.seconds(changing: known.goal?.window, &check)
            if aim.window > 30 * 86_400 {
                check.fault(
                    Self.windowName,
                    "fault.range",
                    ["least": context.words.number(1), "most": context.words.number(30)]
                )
            }
            definition.goal = aim
        }
        definition.endsAtGoal = endsAtGoal && definition.goal != nil
        definition.isExemptFromCaps = ignoresCaps
        definition.quietHours = quietHours
        guard check.faults.isEmpty else { throw FormError(faults: check.faults) }
        return definition
    }

    private func checkedEntry(
        _ known: JourneyEntryRule,
        _ check: inout FormValidator,
        _ site: ConsoleRenderer,
        _ context: ConsoleContext
    ) async throws -> JourneyEntryRule? {
        switch entry {
        case .event:
            if event.isBlank { check.fault(Self.entryPrefix + "event", "fault.event_name") }
            if case .event(let match) = known { return .event(event.match(changing: match)) }
            return .event(event.match(changing: nil))
        case .members, .entering:
            var former: SegmentQuery?
            var moment: Date?
            switch known {
            case .members(let query, let date):
                former = query
                moment = date
            case .entering(let query): former = query
            case .event, .api, .journey: break
            }
            guard
                let query = try await JourneyStepForm.checked(
                    members,
                    changing: former,
                    &check,
                    site,
                    context
                )
            else { return nil }
            guard entry == .members else { return .entering(query) }
            if at.isEmpty { return .members(query, at: nil) }
            let shown = moment.map { DateTimeLocalFormat.text($0, in: context.zone) }
            if shown == at { return .members(query, at: moment) }
            guard let date = DateTimeLocalFormat.date(at, in: context.zone) else {
                check.fault("at", "fault.date")
                return nil
            }
            return .members(query, at: date)
        case .api: return .api
        case .journey: return .journey
        }
    }

    private func checkedReentry(
        _ known: Reeligibility,
        _ check: inout FormValidator
    ) -> Reeligibility {
        switch again {
        case "always": return .after(0)
        case "after":
            var former: TimeInterval?
            if case .after(let seconds) = known, seconds > 0 { former = seconds }
            return .after(pause.seconds(changing: former, &check))
        default: return .never
        }
    }

    private func checkedExits(
        _ known: JourneyDefinition,
        _ check: inout FormValidator,
        _ site: ConsoleRenderer,
        _ context: ConsoleContext
    ) async throws -> [JourneyExitRule] {
        var exits: [JourneyExitRule] = []
        for name in exitEvents {
            let stored = known.exits.first { $0.shownEvent == name }
            exits.append(stored ?? .event(EventMatch(shownName: name)))
        }
        if exitCondition.audience.kind != .everyone {
            let query = try await JourneyStepForm.checked(
                exitCondition,
                changing: known.shownExit,
                &check,
                site,
                context
            )
            if let query { exits.append(.segment(query)) }
        }
        // Further segments, which the form does not show, stay.
        let segments = known.exits.filter { $0.shownEvent == nil }
        return known.exits.sameMembers(as: exits + segments.dropFirst())
            ? known.exits : exits + segments.dropFirst()
    }
}

extension JourneyExitRule {
    /// As the form shows an event; `nil` for a segment.
    fileprivate var shownEvent: String? {
        guard case .event(let match) = self else { return nil }
        return match.shownName
    }
}

extension JourneyDefinition {
    /// The segment that the form of exits shows.
    fileprivate var shownExit: SegmentQuery? {
        for case .segment(let query) in exits { return query }
        return nil
    }
}

extension [JourneyExitRule] {
    /// Whether only the order differs.
    fileprivate func sameMembers(as other: [JourneyExitRule]) -> Bool {
        count == other.count && Set(self) == Set(other)
    }
}
