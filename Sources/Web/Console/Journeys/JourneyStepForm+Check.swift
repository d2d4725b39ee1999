import Foundation
import Journeys
import Model
import NoroshiWire
import WebPages

/// Converts the fields to a step.
extension JourneyStepForm {
    /// The step with what its form says; what the form does not show, or shows unchanged, is kept.
    ///
    /// - Parameter meeting: Where the ways of a branch meet, to which a new one leads.
    /// - Throws: ``FormError`` with every field at fault.
    func step(
        changing known: JourneyStep,
        in definition: JourneyDefinition,
        meeting: JourneyStepID?,
        _ site: ConsoleRenderer,
        _ context: ConsoleContext
    ) async throws -> JourneyStep {
        var step = known
        step.name = name
        var check = FormValidator(context: context)
        if name.count > 250 { check.fault("stepName", "fault.range", Self.upTo(250, context)) }
        switch known.kind {
        case .push(var push):
            guard let former = definition.message(of: known), let form = self.push else { break }
            let content = try form.content(changing: former, context)
            push.variants = content.variants
            push.controlShare = content.controlShare
            step.kind = .push(push)
        case .inAppMessage(var shown):
            if let id = UUID(uuidString: message) {
                shown.message = id
            } else {
                check.fault("message", "journeys.fault_message")
            }
            shown.duration = span.seconds(changing: shown.duration, &check)
            step.kind = .inAppMessage(shown)
        case .update(let update): step.kind = .update(checkedUpdate(update, &check))
        case .webhook(var webhook):
            webhook.method = method
            webhook.url = url
            webhook.headers = Dictionary(
                headers.map { ($0.name, $0.value) },
                uniquingKeysWith: { $1 }
            )
            webhook.body = body.written(over: webhook.body)
            if url.isEmpty { check.fault("url", "journeys.fault_url") }
            if headers.contains(where: \.name.isEmpty) {
                check.fault("headers", "journeys.fault_header")
            }
            step.kind = .webhook(webhook)
        case .wait(let wait):
            step.kind = .wait(try await checkedWait(wait, &check, site, context))
        case .branch(let stored):
            step.kind = .branch(
                try await checkedPaths(stored, meeting, &check, site, context)
            )
        case .split(let stored): step.kind = .split(checkedShares(stored, meeting, &check))
        case .jump:
            step.next = UUID(uuidString: target).map { JourneyStepID($0) }
            if step.next.flatMap(definition.step) == nil || step.next == known.id {
                check.fault("target", "journeys.fault_target")
            }
        case .enterJourney:
            if let id = UUID(uuidString: journey) {
                step.kind = .enterJourney(id)
            } else {
                check.fault("journey", "journeys.fault_journey")
            }
        case .exit: break
        }
        guard check.faults.isEmpty else { throw FormError(faults: check.faults) }
        return step
    }

    private static func upTo(_ most: Int, _ context: ConsoleContext) -> [String: String] {
        ["least": context.words.number(0), "most": context.words.number(most)]
    }

    private func checkedUpdate(
        _ known: JourneyUpdate,
        _ check: inout FormValidator
    ) -> JourneyUpdate {
        var update = known
        var attributes: [String: JSONValue] = [:]
        for pair in values(shown: known) {
            if pair.name.isEmpty {
                check.fault("attributes", "journeys.fault_attribute")
            } else {
                attributes[pair.name] = pair.value
            }
        }
        update.attributes = attributes
        update.addToLists = Self.lists(addToLists, changing: known.addToLists)
        update.removeFromLists = Self.lists(removeFromLists, changing: known.removeFromLists)
        if !Set(update.addToLists).isDisjoint(with: update.removeFromLists) {
            check.fault("lists", "journeys.fault_lists")
        }
        return update
    }

    /// A value that is shown unchanged is kept; an empty one removes the attribute.
    private func values(
        shown known: JourneyUpdate
    ) -> [(name: String, value: JSONValue)] {
        attributes.map { pair in
            if let stored = known.attributes[pair.name],
                (stored == .null ? "" : ParsedLiteral(json: stored).text) == pair.value
            {
                return (pair.name, stored)
            }
            return (pair.name, pair.value.isEmpty ? .null : ParsedLiteral(text: pair.value).json)
        }
    }

    private static func lists(
        _ chosen: Set<Int64>,
        changing known: [UserListID]
    ) -> [UserListID] {
        if Set(known.map(\.rawValue)) == chosen { return known }
        return chosen.sorted().map { UserListID($0) }
    }

    private func checkedWait(
        _ wait: JourneyWait,
        _ check: inout FormValidator,
        _ site: ConsoleRenderer,
        _ context: ConsoleContext
    ) async throws -> JourneyWait {
        switch wait {
        case .duration(let seconds):
            return .duration(span.seconds(changing: seconds, &check))
        case .clock(let clock):
            guard let moment = TimeOfDay(String(time.prefix(5))) else {
                check.fault("time", "journeys.fault_time")
                return wait
            }
            guard weekdays.allSatisfy((1...7).contains) else {
                check.fault("weekdays", "fault.weekdays")
                return wait
            }
            return .clock(
                moment == clock.time && weekdays == clock.weekdays
                    ? clock : JourneyClockTime(time: moment, weekdays: weekdays)
            )
        case .event(let match, let seconds, let late):
            if event.isBlank { check.fault("event", "fault.event_name") }
            return .event(
                event.match(changing: match),
                limit: limit.seconds(changing: seconds, &check),
                late: late
            )
        case .match(let query, let seconds, let late):
            let limit = limit.seconds(changing: seconds, &check)
            return .match(
                try await Self.checked(condition, changing: query, &check, site, context) ?? query,
                limit: limit,
                late: late
            )
        case .quietHours: return wait
        }
    }

    /// A condition that has to be one; reports what is wrong with it.
    static func checked(
        _ form: JourneyConditionForm,
        changing known: SegmentQuery?,
        _ check: inout FormValidator,
        _ site: ConsoleRenderer,
        _ context: ConsoleContext
    ) async throws -> SegmentQuery? {
        do {
            return try await form.query(changing: known, site, context)
        } catch let rejected as FormError {
            check.faults += rejected.faults
            return nil
        }
    }

    private func checkedPaths(
        _ known: [JourneyPath],
        _ meeting: JourneyStepID?,
        _ check: inout FormValidator,
        _ site: ConsoleRenderer,
        _ context: ConsoleContext
    ) async throws -> [JourneyPath] {
        var checked: [JourneyPath] = []
        for (position, path) in paths.enumerated() where !path.isRemoved {
            let stored = path.index.flatMap { known.indices.contains($0) ? known[$0] : nil }
            var result =
                stored
                ?? JourneyPath(name: "", condition: .segment(SegmentQuery()), next: meeting)
            result.name = path.name
            if path.isByProperties {
                var former: [PropertyCondition] = []
                if case .properties(let conditions) = stored?.condition { former = conditions }
                result.condition = .properties(
                    JourneyPropertyRow.conditions(path.rows, changing: former)
                )
                if path.rows.isEmpty || path.rows.contains(where: \.property.isEmpty) {
                    check.fault(
                        "\(path.condition.prefix)property",
                        "journeys.fault_property"
                    )
                }
            } else {
                var former: SegmentQuery?
                if case .segment(let query) = stored?.condition { former = query }
                let query = try await Self.checked(
                    path.condition,
                    changing: former,
                    &check,
                    site,
                    context
                )
                if let query { result.condition = .segment(query) }
            }
            if path.name.count > 250 {
                check.fault("p\(position).name", "fault.range", Self.upTo(250, context))
            }
            checked.append(result)
        }
        if !(1...JourneyForms.pathLimit).contains(checked.count) {
            check.fault("paths", "journeys.fault_paths")
        }
        return checked
    }

    private func checkedShares(
        _ known: [JourneyShare],
        _ meeting: JourneyStepID?,
        _ check: inout FormValidator
    ) -> [JourneyShare] {
        var checked: [JourneyShare] = []
        for (position, share) in shares.enumerated() where !share.isRemoved {
            let stored = share.index.flatMap { known.indices.contains($0) ? known[$0] : nil }
            var result = stored ?? JourneyShare(name: "", next: meeting)
            result.name = share.name.isEmpty ? CampaignForm.letter(position) : share.name
            result.weight = check.number("s\(position).weight", share.weight, 0...1000, empty: 1)
            result.isControl = share.isControl
            checked.append(result)
        }
        if !(2...JourneyForms.pathLimit).contains(checked.count) {
            check.fault("shares", "journeys.fault_shares")
        } else if !checked.contains(where: { $0.weight > 0 }) {
            check.fault("shares", "journeys.fault_weights")
        }
        return checked
    }
}
