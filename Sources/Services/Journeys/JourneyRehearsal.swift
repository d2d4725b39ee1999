import Foundation
import Model
import Ports
import Scheduling

/// What a person would go through, tried with a clock that is moved: nothing is stored or sent.
package struct JourneyRehearsal: Sendable, Hashable {
    /// Somebody who walks, and what they would do meanwhile.
    package struct Request: Sendable {
        /// The identity from which chance is drawn; `nil` for a journey that is not stored yet.
        package var journey: UUID?
        package var profile: ProfileID
        package var properties: MessageProperties
        /// When they enter.
        package var start: Date
        /// In any order.
        package var events: [JourneyEvent]
        /// Where the clock stops.
        package var end: Date

        package init(
            journey: UUID? = nil,
            profile: ProfileID,
            properties: MessageProperties = MessageProperties(),
            start: Date,
            events: [JourneyEvent] = [],
            end: Date
        ) {
            self.journey = journey
            self.profile = profile
            self.properties = properties
            self.start = start
            self.events = events
            self.end = end
        }
    }

    /// What happens at one moment.
    package struct Moment: Sendable, Hashable {
        package var at: Date
        /// The event that moved the person; `nil` if the time did.
        package var event: String?
        package var passages: [JourneyPassage]
        package var effects: [JourneyEffect]
    }

    package var moments: [Moment]
    /// As it is when the clock stops.
    package var entry: JourneyEntry
}

extension JourneyService {
    /// More moments than anybody looks at: a circle of waits ends here.
    private static let rehearsedMoments = 400

    /// Walks a person through a definition.
    ///
    /// Segments and the person's clock are as they are stored now: what a step would change is not
    /// changed. `nil` if there are no steps.
    ///
    /// - Throws: `AudienceError` if a segment cannot be evaluated.
    package func rehearse(
        _ definition: JourneyDefinition,
        with request: JourneyRehearsal.Request,
        in workspace: WorkspaceID
    ) async throws -> JourneyRehearsal? {
        let interpreter = JourneyInterpreter(
            journey: request.journey ?? request.profile.rehearsalID,
            definition: definition
        )
        let entry = JourneyEntry(
            id: JourneyEntryID(0),
            journey: JourneyID(0),
            profile: request.profile,
            number: 0,
            version: 1,
            enteredAt: request.start,
            properties: request.properties
        )
        guard let beginning = interpreter.entry(entry, now: request.start) else { return nil }
        var rehearsal = JourneyRehearsal(moments: [], entry: beginning)
        var events = request.events.filter { $0.time >= request.start }
            .sorted { ($0.time, $0.name) < ($1.time, $1.name) }[...]
        var clock = request.start
        while rehearsal.moments.count < Self.rehearsedMoments, !Task.isCancelled {
            let due = rehearsal.entry.position.flatMap { position in
                position.awaits == .arrival ? clock : position.dueAt
            }
            let event = events.first.flatMap { first in
                due.map { first.time <= $0 } ?? true ? first : nil
            }
            guard let next = event?.time ?? due, next <= request.end else { break }
            if event != nil { events.removeFirst() }
            clock = max(clock, next)
            let move = try await move(
                rehearsal.entry,
                by: event,
                with: interpreter,
                at: clock,
                in: workspace
            )
            guard let move else {
                if event == nil { break }
                continue
            }
            rehearsal.entry = move.after
            rehearsal.moments.append(
                JourneyRehearsal.Moment(
                    at: clock,
                    event: event?.name,
                    passages: move.passages,
                    effects: move.effects
                )
            )
        }
        return rehearsal
    }

    private func move(
        _ entry: JourneyEntry,
        by event: JourneyEvent?,
        with interpreter: JourneyInterpreter,
        at now: Date,
        in workspace: WorkspaceID
    ) async throws -> JourneyMove? {
        var reader = try await JourneyFactReader(
            store: store,
            audience: audience,
            workspace: workspace,
            now: now
        )
        return try await reader.results([entry], \.profile) {
            (entry, facts) throws(MissingFactError) -> JourneyMove? in
            if let event { return try interpreter.receive(event, entry, facts) }
            return try interpreter.advance(entry, facts)
        }.first ?? nil
    }
}

extension JourneyDefinition {
    /// The push of a step as one person gets it, apart from all others; `nil` if the step sends none
    /// or the person is left out to compare with.
    package func push(
        of id: JourneyStepID,
        for profile: ProfileID,
        with properties: MessageProperties
    ) -> SendContent? {
        guard let step = step(id), let content = message(of: step) else { return nil }
        let group = VariantAssignment(
            campaign: id.uuid,
            controlShare: content.controlShare,
            weights: content.variants.map(\.weight)
        ).group(of: profile)
        guard case .variant(let number) = group, content.variants.indices.contains(number) else {
            return nil
        }
        let message = content.variants[number].message
        var push = SendContent(
            message: message.common.message,
            audience: .profiles([profile]),
            options: message.common.options,
            triggerProperties: properties.trigger
        )
        push.eventProperties = properties.event.isEmpty ? nil : properties.event
        let own: [(MessagePlatform, PlatformMessage?)] = [
            (.ios, message.ios), (.android, message.android), (.web, message.web),
        ]
        let platforms = own.compactMap { platform, message in message.map { (platform, $0) } }
        push.platforms =
            platforms.isEmpty ? nil : Dictionary(platforms, uniquingKeysWith: { $1 })
        return push
    }
}

extension ProfileID {
    /// Another one for each person, so that splits show more than one way.
    fileprivate var rehearsalID: UUID {
        var bytes: [UInt8] = []
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: rawValue >> Int64(shift)))
        }
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                0, 0, 0, 0, 0, 0, 0, 0
            )
        )
    }
}
