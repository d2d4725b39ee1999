import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension StoreConformance {
    /// A wait, and an update after it.
    private func definition(_ name: String = "Cart") -> JourneyDefinition {
        let wait = JourneyStepID(UUID())
        let end = JourneyStepID(UUID())
        var definition = JourneyDefinition(
            name: name,
            entry: .api,
            steps: [
                JourneyStep(id: wait, name: "wait", kind: .wait(.duration(3_600)), next: end),
                JourneyStep(id: end, name: "webhook", kind: .webhook(Self.webhook)),
            ]
        )
        definition.tags = ["tea"]
        return definition
    }

    private static var webhook: JourneyWebhook {
        JourneyWebhook(url: "https://example.org/", body: "{}")
    }

    private func create(
        _ definition: JourneyDefinition,
        in workspace: WorkspaceID,
        from origin: EditOrigin = .direct
    ) async throws -> Journey {
        try await store.createJourney(
            definition,
            apiID: UUID(),
            in: workspace,
            from: origin,
            noting: { _ in nil },
            now: now
        )
    }

    private func publish(
        _ journey: Journey,
        _ migration: JourneyMigration = .keep
    ) async throws -> Journey? {
        try await store.publishJourney(
            JourneyPublication(
                journey: journey.id,
                draftedAt: journey.updatedAt,
                migration: migration,
                publisher: "Ada"
            ),
            noting: nil,
            now: now
        )
    }

    private func started(
        _ fixture: Fixture,
        _ name: String = "Cart"
    ) async throws -> Journey {
        let draft = try await create(definition(name), in: fixture.workspace)
        return try #require(try await publish(draft))
    }

    private func profile(_ name: String, _ fixture: Fixture) async throws -> ProfileID {
        try await register(name, token: "token-\(name)", in: fixture)
        return try #require(
            try await store.profile(.external(name), in: fixture.workspace)
        ).id
    }

    private func claim(
        _ owner: String = "a",
        at seconds: TimeInterval = 0
    ) async throws -> [RunningJourney] {
        let moment = now.addingTimeInterval(seconds)
        return try await store.claimJourneys(
            owner: owner,
            leaseEnd: moment.addingTimeInterval(60),
            now: moment
        )
    }

    /// The move with which a user comes to the first step and waits there.
    private func arrival(
        _ profile: ProfileID,
        _ journey: Journey,
        number: Int = 0,
        due: TimeInterval = 3_600
    ) throws -> JourneyMove {
        let first = try #require(journey.draft.steps.first)
        return JourneyMove(
            before: nil,
            after: JourneyEntry(
                id: JourneyEntryID(0),
                journey: journey.id,
                profile: profile,
                number: number,
                version: journey.version ?? 1,
                enteredAt: now,
                properties: MessageProperties(trigger: ["tea": "sencha"]),
                position: JourneyPosition(
                    step: first.id,
                    passage: 0,
                    arrivedAt: now,
                    dueAt: now.addingTimeInterval(due)
                )
            )
        )
    }

    /// Lets the journey be over at the first step already.
    private func end(_ move: inout JourneyMove, at moment: Date) throws {
        let position = try #require(move.after.position)
        move.passages = [
            JourneyPassage(
                step: position.step,
                number: position.passage,
                version: move.after.version,
                arrivedAt: position.arrivedAt,
                leftAt: moment,
                outcome: .left
            )
        ]
        move.after.position = nil
        move.after.end = .exited
        move.after.endedAt = moment
    }

    private func commit(
        _ moves: [JourneyMove],
        requests: [Int64] = []
    ) async throws -> JourneyCommitResult? {
        try await store.commit(JourneyCommit(moves: moves, requests: requests), now: now)
    }

    // MARK: Promises

    package func keepsJourneysOfAWorkspace() async throws {
        let fixture = try await fixture()
        let other = try await self.fixture()
        let draft = try await create(definition(), in: fixture.workspace)
        #expect(draft.state == .draft && draft.version == nil)
        #expect(try await store.journey(draft.id) == draft)
        #expect(try await store.journey(apiID: draft.apiID, in: other.workspace) == nil)
        _ = try await create(definition("Welcome"), in: fixture.workspace)
        func names(_ query: JourneyQuery) async throws -> [String] {
            try await store.journeys(in: fixture.workspace, matching: query).journeys
                .map(\.draft.name)
        }
        #expect(try await names(JourneyQuery()) == ["Welcome", "Cart"])
        #expect(try await names(JourneyQuery(order: .name)) == ["Cart", "Welcome"])
        #expect(try await names(JourneyQuery(text: "WEL")) == ["Welcome"])
        #expect(try await names(JourneyQuery(text: "tea")).count == 2)
        #expect(try await names(JourneyQuery(states: [.active])).isEmpty)
        let page = try await store.journeys(
            in: fixture.workspace,
            matching: JourneyQuery(limit: 1, offset: 1)
        )
        #expect(page.journeys.map(\.id) == [draft.id] && page.total == 2)
        #expect(
            try await store.journeys(in: other.workspace, matching: JourneyQuery()).total == 0
        )
    }

    package func ordersJourneysByFigures() async throws {
        let fixture = try await fixture()
        // Entries by journey: whether each is over, and whether it has reached the goal.
        let entries: [(name: String, hasGoal: Bool, [(isOver: Bool, isConverted: Bool)])] = [
            ("No goal", false, [(false, false), (false, false), (false, false)]),
            ("Half", true, [(true, true), (true, false), (false, true), (false, false)]),
            ("All", true, [(false, true)]),
            ("Nobody", true, []),
        ]
        for (name, hasGoal, people) in entries {
            var definition = definition(name)
            if hasGoal {
                definition.goal = ConversionEvent(event: EventMatch(.sessionStart), window: 3_600)
            }
            let draft = try await create(definition, in: fixture.workspace)
            let journey = try #require(try await publish(draft))
            for (index, person) in people.enumerated() {
                var move = try arrival(try await profile("\(name) \(index)", fixture), journey)
                if person.isConverted { move.after.convertedAt = now }
                if person.isOver { try end(&move, at: now) }
                #expect(try await commit([move])?.outdated == 0)
            }
        }
        func names(_ order: JourneyQuery.Order) async throws -> [String] {
            try await store.journeys(in: fixture.workspace, matching: JourneyQuery(order: order))
                .journeys.map(\.draft.name)
        }
        // Those with the same figure as in every list: the newest first.
        #expect(try await names(.inside) == ["No goal", "Half", "All", "Nobody"])
        #expect(try await names(.entered) == ["Half", "No goal", "All", "Nobody"])
        #expect(try await names(.converted) == ["All", "Half", "Nobody", "No goal"])
    }

    package func countsJourneysByPeriod() async throws {
        let fixture = try await fixture()
        let journey = try await started(fixture)
        let other = try await started(fixture, "Another")
        var generator = SeededGenerator(seed: 11)
        var told: [JourneyEntry] = []
        for index in 0..<60 {
            let isOther = index.isMultiple(of: 7)
            let profile = try await profile("walker \(index)", fixture)
            var move = try arrival(profile, isOther ? other : journey)
            func later(_ date: Date) -> Date {
                date.addingTimeInterval(Double(Int.random(in: 0...240, using: &generator)) * 1_800)
            }
            move.after.enteredAt = later(now)
            if Bool.random(using: &generator) {
                move.after.convertedAt = later(move.after.enteredAt)
            }
            if Bool.random(using: &generator) { try end(&move, at: later(move.after.enteredAt)) }
            #expect(try await commit([move])?.outdated == 0)
            if !isOther { told.append(move.after) }
        }
        // Of different lengths; what is before the first and after the last is in none.
        let boundaries = [3_600.0, 86_400, 90_000, 3 * 86_400, 6 * 86_400].map {
            now.addingTimeInterval($0)
        }
        let counted = try await store.journeySeries(of: journey.id, between: boundaries)
        let expected = zip(boundaries, boundaries.dropFirst()).map { start, end in
            func isIn(_ date: Date?) -> Bool { date.map { $0 >= start && $0 < end } ?? false }
            return JourneyPeriod(
                start: start,
                entries: told.count { isIn($0.enteredAt) },
                conversions: told.count { isIn($0.convertedAt) },
                conversionsByEntry: told.count { isIn($0.enteredAt) && $0.convertedAt != nil },
                ends: told.count { isIn($0.endedAt) }
            )
        }
        #expect(counted == expected)
        #expect(expected.map(\.ends).reduce(0, +) > 10)
    }

    package func publishesAJourneyOnce() async throws {
        let fixture = try await fixture()
        let draft = try await create(definition(), in: fixture.workspace)
        let published = try #require(try await publish(draft))
        #expect(published.state == .active && published.version == 1)
        // The same draft, as it was read before, is no longer the draft.
        #expect(try await publish(draft) == nil)
        #expect(try await store.journeyVersions(of: draft.id).map(\.number) == [1])
        var changed = published.draft
        changed.note = "changed"
        #expect(
            try await store.updateJourney(
                draft.id,
                draft: changed,
                from: .direct,
                noting: nil,
                now: now
            )
        )
        let edited = try #require(try await store.journey(draft.id))
        #expect(edited.hasUnpublishedChanges && edited.updatedAt > published.updatedAt)
        let second = try #require(try await publish(edited))
        #expect(second.version == 2 && !second.hasUnpublishedChanges)
        let first = try await store.journeyVersion(1, of: draft.id)
        #expect(first?.definition == published.draft && first?.publisher == "Ada")
        // Somebody who began earlier does not overwrite what was saved since.
        await #expect(throws: StoreError.self) {
            _ = try await store.updateJourney(
                draft.id,
                draft: changed,
                from: EditOrigin(version: published.updatedAt),
                noting: nil,
                now: now
            )
        }
    }

    package func movesAJourneyThroughItsStates() async throws {
        let fixture = try await fixture()
        let journey = try await started(fixture)
        func move(_ origins: Set<JourneyState>, _ state: JourneyState?) async throws -> Bool {
            try await store.transitionJourney(
                journey.id,
                from: origins,
                to: state,
                version: nil,
                noting: nil,
                now: now
            ) != nil
        }
        #expect(try await !move([.paused], nil))
        #expect(try await move([.active], .paused))
        #expect(try await claim().isEmpty)
        #expect(try await move([.paused], nil))
        #expect(try await store.journey(journey.id)?.state == .active)
        #expect(try await move([.active], .draining))
        #expect(try await store.finishDrainedJourneys(now: now) == [journey.id])
        #expect(try await store.journey(journey.id)?.state == .stopped)
        #expect(try await move([.stopped], .archived))
        #expect(
            try await !store.updateJourney(
                journey.id,
                draft: journey.draft,
                from: .direct,
                noting: nil,
                now: now
            )
        )
    }

    package func leasesAJourneyToOneServer() async throws {
        let fixture = try await fixture()
        let journey = try await started(fixture)
        #expect(try await claim("a").map(\.id) == [journey.id])
        #expect(try await claim("b").isEmpty)
        // The one that has it keeps it for as long as it asks.
        #expect(try await claim("a", at: 45).map(\.id) == [journey.id])
        #expect(try await claim("b", at: 90).isEmpty)
        // What died leaves it to the other.
        #expect(try await claim("b", at: 200).map(\.id) == [journey.id])
        #expect(try await claim("a", at: 201).isEmpty)
    }

    package func movesAnEntryOnce() async throws {
        let fixture = try await fixture()
        let journey = try await started(fixture)
        let ada = try await profile("ada", fixture)
        let move = try arrival(ada, journey)
        #expect(try await commit([move])?.outdated == 0)
        // Nobody is inside twice.
        #expect(try await commit([try arrival(ada, journey, number: 1)])?.outdated == 1)
        #expect(
            try await store.dueEntries(
                of: journey.id,
                now: now.addingTimeInterval(3_599),
                limit: 9
            ).isEmpty
        )
        let later = now.addingTimeInterval(3_600)
        #expect(try await store.nextWorkDue(after: now) == later)
        let due = try await store.dueEntries(of: journey.id, now: later, limit: 9)
        let entry = try #require(due.first)
        #expect(entry.properties == MessageProperties(trigger: ["tea": "sencha"]))
        let position = try #require(entry.position)
        let second = journey.draft.steps[1].id
        var after = entry
        after.position = nil
        after.end = .completed
        after.endedAt = now
        let passages = [position.step, second].enumerated().map { number, step in
            JourneyPassage(
                step: step,
                number: number,
                version: 1,
                arrivedAt: position.arrivedAt,
                leftAt: now,
                outcome: .passed
            )
        }
        let effect = JourneyEffect(step: second, passage: 1, kind: .webhook)
        let onward = JourneyMove(
            before: entry,
            after: after,
            passages: passages,
            effects: [effect]
        )
        #expect(try await commit([onward])?.outdated == 0)
        #expect(try await commit([onward])?.outdated == 1)
        // Events would be lost for an entry that has moved since, not for one that is not to begin.
        let events = JourneyCommit.Events(of: [], from: 0, to: 1)
        func read(_ move: JourneyMove) async throws -> JourneyCommitResult? {
            try await store.commit(JourneyCommit(moves: [move], events: events), now: now)
        }
        #expect(try await read(onward) == nil)
        #expect(try await read(move)?.outdated == 1)
        // A look that does not follow the last one changes nothing.
        let look = JourneyCommit.Look(
            journey: journey.id,
            expectedAt: now,
            joined: [ada],
            nextAt: nil,
            knowsMembers: true
        )
        #expect(try await store.commit(JourneyCommit(look: look), now: now) == nil)
        let members = try await store.knownMembers(of: journey.id, after: nil, limit: 9)
        #expect(members.isEmpty)
        #expect(try await store.passages(of: entry.id).map(\.step) == [position.step, second])
        let figures = try await store.figures(of: journey.id)
        #expect(figures.entered == 1 && figures.inside == 0)
        #expect(figures.ended == [.completed: 1])
        #expect(figures.steps[second]?.passed == 1)
        // The call is made once, and once more only after its lease.
        func calls(_ seconds: TimeInterval) async throws -> [JourneyCall] {
            let moment = now.addingTimeInterval(seconds)
            return try await store.claimJourneyCalls(
                leaseEnd: moment.addingTimeInterval(60),
                now: moment,
                limit: 9
            )
        }
        let call = try #require(try await calls(0).first)
        #expect(call.entry.id == entry.id && call.step == second && call.passage == 1)
        #expect(try await calls(30).isEmpty)
        #expect(try await calls(61).map(\.id) == [call.id])
        try await store.record(
            .retry(at: now.addingTimeInterval(100), status: 503, reason: "busy"),
            of: call.id
        )
        #expect(try await calls(99).isEmpty)
        #expect(try await store.nextWorkDue(after: now) == now.addingTimeInterval(100))
        let again = try #require(try await calls(100).first)
        #expect(again.attempts == call.attempts + 1)
        try await store.record(.failed(status: 400, reason: "no"), of: call.id)
        #expect(try await calls(10_000).isEmpty)
        #expect(try await store.figures(of: journey.id).steps[second]?.failed == 1)
        let people = try await store.people(
            at: second,
            of: journey.id,
            in: .failed,
            limit: 9,
            offset: 0
        )
        #expect(people.total == 1 && people.entries.map(\.id) == [entry.id])
    }

    package func listsThePeopleOfAStep() async throws {
        let fixture = try await fixture()
        let journey = try await started(fixture)
        let (first, second) = (journey.draft.steps[0].id, journey.draft.steps[1].id)
        let (ada, ben) = (try await profile("ada", fixture), try await profile("ben", fixture))
        _ = try await commit([try arrival(ada, journey), try arrival(ben, journey, due: 60)])
        func people(
            _ step: JourneyStepID,
            _ group: JourneyStepGroup
        ) async throws -> Set<ProfileID> {
            let found = try await store.people(
                at: step,
                of: journey.id,
                in: group,
                limit: 9,
                offset: 0
            )
            #expect(found.total == found.entries.count)
            return Set(found.entries.map(\.profile))
        }
        #expect(try await people(first, .waiting) == [ada, ben])
        let due = try await store.dueEntries(
            of: journey.id,
            now: now.addingTimeInterval(60),
            limit: 9
        )
        let entry = try #require(due.first)
        #expect(due.count == 1)
        // What is overdue is not what comes next.
        let adaDue = now.addingTimeInterval(3_600)
        #expect(try await store.nextWorkDue(after: now.addingTimeInterval(90)) == adaDue)
        var after = entry
        after.position?.step = second
        after.position?.passage = 1
        after.position?.dueAt = adaDue
        let passage = JourneyPassage(
            step: first,
            number: 0,
            version: entry.version,
            arrivedAt: now,
            leftAt: now,
            outcome: .passed
        )
        let moved = JourneyMove(before: entry, after: after, passages: [passage])
        #expect(try await commit([moved])?.outdated == 0)
        #expect(try await people(first, .waiting) == [ada])
        #expect(try await people(second, .waiting) == [ben])
        #expect(try await people(first, .entered) == [ada, ben])
        #expect(try await people(first, .passed) == [ben])
        #expect(try await people(first, .late) == [])
        #expect(try await people(second, .entered) == [ben])
    }

    package func takesARequestForAJourneyOnce() async throws {
        let fixture = try await fixture()
        let journey = try await started(fixture)
        let ada = try await profile("ada", fixture)
        let bob = try await profile("bob", fixture)
        func request(
            _ fingerprint: String,
            key: String? = "k",
            at seconds: TimeInterval = 0
        ) async throws -> JourneyRequestOutcome {
            let moment = now.addingTimeInterval(seconds)
            return try await store.perform(
                JourneyRequest(
                    journey: journey.id,
                    recipients: [
                        LaunchRecipient(
                            user: .external("ada"),
                            properties: MessageProperties(trigger: ["tea": "sencha"])
                        ),
                        LaunchRecipient(user: .external("nobody")),
                    ],
                    members: [ada: MessageProperties(), bob: MessageProperties()],
                    key: key.map {
                        IdempotencyKey(
                            name: $0,
                            fingerprint: fingerprint,
                            expiredBefore: moment.addingTimeInterval(-1_000)
                        )
                    }
                ),
                noting: { _ in nil },
                now: moment
            )
        }
        guard case .accepted(_, users: 2) = try await request("x") else {
            Issue.record("the request was not accepted")
            return
        }
        guard case .known(users: 2, schedule: nil) = try await request("x") else {
            Issue.record("the request was made twice")
            return
        }
        guard case .otherRequest = try await request("y") else {
            Issue.record("a key was used for another request")
            return
        }
        let found = try await store.entryRequests(of: journey.id, now: now, limit: 9)
        #expect(found.map(\.profile) == [ada, bob])
        #expect(found.first?.properties.trigger == ["tea": "sencha"])
        #expect(try await claim().first { $0.id == journey.id }?.hasRequests == true)
        _ = try await commit([], requests: found.map(\.id))
        #expect(try await store.entryRequests(of: journey.id, now: now, limit: 9).isEmpty)
        // A key is forgotten in time.
        guard case .accepted = try await request("y", at: 2_000) else {
            Issue.record("the key was not forgotten")
            return
        }
        _ = try await store.transitionJourney(
            journey.id,
            from: [.active],
            to: .paused,
            version: nil,
            noting: nil,
            now: now
        )
        guard case .closed = try await request("z", key: nil) else {
            Issue.record("a paused journey let somebody in")
            return
        }
    }

    package func reservesInAppMessagesForJourneys() async throws {
        let fixture = try await fixture()
        let ada = try await profile("ada", fixture)
        let bob = try await profile("bob", fixture)
        let message = UUID()
        let step = JourneyStepID(UUID())
        let shown = JourneyInAppMessage(message: message, duration: 600)
        let draft = try await create(
            JourneyDefinition(
                name: "Tour",
                entry: .api,
                steps: [JourneyStep(id: step, kind: .inAppMessage(shown))]
            ),
            in: fixture.workspace
        )
        func messages(
            _ profile: ProfileID,
            at seconds: TimeInterval = 0
        ) async throws -> (reserved: Set<UUID>, granted: [UUID: MessageProperties]) {
            try await store.journeyMessages(
                in: fixture.workspace,
                for: profile,
                now: now.addingTimeInterval(seconds)
            )
        }
        #expect(try await messages(ada).reserved.isEmpty)
        let journey = try #require(try await publish(draft))
        #expect(try await messages(ada).reserved == [message])
        #expect(try await messages(ada).granted.isEmpty)
        var move = try arrival(ada, journey)
        let position = try #require(move.after.position)
        move.after.position = nil
        move.after.end = .completed
        move.after.endedAt = now
        move.passages = [
            JourneyPassage(
                step: step,
                number: 0,
                version: 1,
                arrivedAt: position.arrivedAt,
                leftAt: now,
                outcome: .passed
            )
        ]
        move.effects = [JourneyEffect(step: step, passage: 0, kind: .inAppMessage(shown))]
        #expect(try await commit([move])?.outdated == 0)
        #expect(
            try await messages(ada).granted
                == [message: MessageProperties(trigger: ["tea": "sencha"])]
        )
        #expect(try await messages(bob).granted.isEmpty)
        #expect(try await messages(ada, at: 601).granted.isEmpty)
    }
}
