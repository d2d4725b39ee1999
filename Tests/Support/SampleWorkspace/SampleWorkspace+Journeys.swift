import Foundation
import Model
import NoroshiWire
import Ports

/// Journeys: one in which people are, and a draft.
extension SampleWorkspace {
    func addJourneys() async throws {
        let journey = try await store.createJourney(
            reminder,
            apiID: Self.id(900_001),
            in: workspace,
            from: .direct,
            noting: { _ in nil },
            now: before(9 * 86_400)
        )
        let published = try await store.publishJourney(
            JourneyPublication(
                journey: journey.id,
                draftedAt: journey.updatedAt,
                migration: .keep,
                publisher: "Hanae Mori"
            ),
            noting: nil,
            now: before(8 * 86_400)
        )
        guard let published else {
            throw SampleError(description: "the sample's journey was not published")
        }
        try await walk(through: published)
        _ = try await store.createJourney(
            JourneyDefinition(name: "ようこそ", entry: .event(EventMatch(.sessionStart))),
            apiID: Self.id(900_002),
            in: workspace,
            from: .direct,
            noting: { _ in nil },
            now: before(3_600)
        )
    }

    /// The steps of the journey in which people are.
    package static func journeyStep(_ number: Int) -> JourneyStepID {
        JourneyStepID(id(900_100 + number))
    }

    private var reminder: JourneyDefinition {
        let step = Self.journeyStep
        var definition = JourneyDefinition(
            name: "Table by the window",
            entry: .event(EventMatch(.custom(name: "menu_viewed")))
        )
        definition.goal = ConversionEvent(
            event: EventMatch(.custom(name: "table_reserved")),
            window: 7 * 86_400
        )
        definition.steps = [
            JourneyStep(id: step(1), kind: .wait(.duration(3_600)), next: step(2)),
            JourneyStep(
                id: step(2),
                name: "First word",
                kind: .update(JourneyUpdate(attributes: ["greeted": true])),
                next: step(3)
            ),
            JourneyStep(
                id: step(3),
                kind: .wait(
                    .event(
                        EventMatch(.custom(name: "table_reserved")),
                        limit: 3 * 86_400,
                        late: step(5)
                    )
                ),
                next: step(4)
            ),
            JourneyStep(id: step(4), kind: .update(JourneyUpdate(attributes: ["guest": true]))),
            JourneyStep(
                id: step(5),
                kind: .webhook(JourneyWebhook(url: "https://aoi.example/tea"))
            ),
        ]
        return definition
    }

    /// Half of the people came to the end, the others wait for the event.
    private func walk(through journey: Journey) async throws {
        let ids = (1...min(20, size.users)).map { SamplePeople.id($0) }
        let known = try await store.profiles(externalIDs: ids, in: workspace)
        var moves: [JourneyMove] = []
        for (index, user) in known.values.sorted().enumerated() {
            let start = before(86_400 + Double(index) * 600)
            func passage(
                _ step: Int,
                _ number: Int,
                _ outcome: JourneyPassage.Outcome = .passed
            ) -> JourneyPassage {
                JourneyPassage(
                    step: Self.journeyStep(step),
                    number: number,
                    version: 1,
                    arrivedAt: start.addingTimeInterval(Double(number) * 3_600),
                    leftAt: start.addingTimeInterval(Double(number + 1) * 3_600),
                    outcome: outcome
                )
            }
            var entry = JourneyEntry(
                id: JourneyEntryID(0),
                journey: journey.id,
                profile: user,
                number: 0,
                version: 1,
                enteredAt: start,
                properties: MessageProperties(event: ["table": .integer(Int64(index))])
            )
            var passages = [passage(1, 0), passage(2, 1)]
            if index.isMultiple(of: 2) {
                entry.position = JourneyPosition(
                    step: Self.journeyStep(3),
                    passage: 2,
                    arrivedAt: start.addingTimeInterval(2 * 3_600),
                    dueAt: start.addingTimeInterval(3 * 86_400 + 2 * 3_600),
                    awaits: .event
                )
            } else {
                passages += [passage(3, 2), passage(4, 3)]
                entry.end = .completed
                entry.endedAt = start.addingTimeInterval(4 * 3_600)
                entry.convertedAt = start.addingTimeInterval(3 * 3_600)
            }
            moves.append(JourneyMove(before: nil, after: entry, passages: passages))
        }
        guard try await store.commit(JourneyCommit(moves: moves), now: now) != nil else {
            throw SampleError(description: "the sample's people did not enter")
        }
    }
}
