import Model

/// The steps of a journey as a list with lists in it: what comes after a step stands below it, the
/// ways of a step stand side by side until they meet again.
struct JourneyLayout {
    /// Steps one after another.
    struct Chain {
        var items: [Item] = []
        var end: End
    }

    struct Item {
        let step: JourneyStep
        /// From 1, in the order in which one reads.
        let number: Int
        /// The places before it.
        let before: [JourneySlot]
        /// More than one; empty for a step that leads on in one way.
        let ways: [Way]
    }

    struct Way {
        let slot: JourneySlot
        let chain: Chain
    }

    enum End {
        /// The journey is over; a step can be put here.
        case completed(JourneySlot)
        /// Goes on where the ways meet.
        case meets(JourneySlot)
        /// Goes on at a step that stands elsewhere; `nil` for a step that is not there.
        case leads(to: JourneyStepID, JourneySlot)
        /// After a step that ends the journey, or whose ways do not meet again.
        case nothing
    }

    /// What everybody begins with.
    private(set) var main: Chain
    /// Steps that only a jump leads to, or nobody comes to.
    private(set) var others: [Chain] = []
    private(set) var numbers: [JourneyStepID: Int] = [:]
    /// Where the ways of a step meet.
    private(set) var meetings: [JourneyStepID: JourneyStepID] = [:]

    private let steps: [JourneyStepID: JourneyStep]

    init(_ definition: JourneyDefinition) {
        steps = Dictionary(
            definition.steps.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        main = Chain(end: .completed(.start))
        main = chain(from: definition.steps.first?.id, [.start], until: [])
        for step in definition.steps where numbers[step.id] == nil {
            others.append(chain(from: step.id, [], until: []))
        }
    }

    // MARK: Building

    private mutating func chain(
        from first: JourneyStepID?,
        _ places: [JourneySlot],
        until stops: Set<JourneyStepID>
    ) -> Chain {
        var chain = Chain(end: .nothing)
        var target = first
        var places = places
        while true {
            let place = places.first ?? .start
            guard let id = target else {
                chain.end = .completed(place)
                return chain
            }
            if stops.contains(id) {
                chain.end = .meets(place)
                return chain
            }
            guard let step = steps[id], numbers[id] == nil else {
                chain.end = .leads(to: id, place)
                return chain
            }
            let number = numbers.count + 1
            numbers[id] = number
            let slots = JourneyDefinition.slots(of: step)
            guard slots.count > 1 || step.kind.isBranching else {
                chain.items.append(Item(step: step, number: number, before: places, ways: []))
                guard let slot = slots.first else { return chain }
                if case .jump = step.kind, let next = step.next {
                    chain.end = .leads(to: next, slot)
                    return chain
                }
                target = step.next
                places = [slot]
                continue
            }
            let targets = step.targets
            let meeting = meeting(of: targets, until: stops)
            meetings[id] = meeting
            let inner = meeting.map { stops.union([$0]) } ?? stops
            var ways: [Way] = []
            for (slot, target) in zip(slots, targets) {
                let found = self.chain(from: target, [slot], until: inner)
                ways.append(Way(slot: slot, chain: found))
            }
            chain.items.append(Item(step: step, number: number, before: places, ways: ways))
            guard let meeting else { return chain }
            target = meeting
            places = ways.flatMap { $0.chain.meetingSlots(at: meeting, self) }
        }
    }

    /// The nearest step to which most of the ways lead.
    private func meeting(
        of targets: [JourneyStepID?],
        until stops: Set<JourneyStepID>
    ) -> JourneyStepID? {
        let reached = targets.compactMap { $0 }.map { reachable(from: $0, until: stops) }
        var ways: [JourneyStepID: Int] = [:]
        for step in reached.joined() { ways[step, default: 0] += 1 }
        guard let most = ways.values.max(), most > 1 else { return nil }
        return reached.joined().first { ways[$0] == most }
    }

    /// Steps to which one leads and that stand nowhere yet, the nearest first.
    private func reachable(
        from first: JourneyStepID,
        until stops: Set<JourneyStepID>
    ) -> [JourneyStepID] {
        var found: [JourneyStepID] = []
        var seen: Set<JourneyStepID> = []
        var open = [first][...]
        while let id = open.popFirst() {
            guard numbers[id] == nil, !stops.contains(id), seen.insert(id).inserted,
                let step = steps[id]
            else { continue }
            found.append(id)
            open += step.targets.compactMap { $0 }
        }
        return found
    }
}

extension JourneyLayout.Chain {
    /// The places in it, and in what stands in it, that lead to where it meets others.
    fileprivate func meetingSlots(
        at meeting: JourneyStepID,
        _ layout: JourneyLayout
    ) -> [JourneySlot] {
        var slots = items.flatMap { item in
            item.ways.flatMap { $0.chain.meetingSlots(at: meeting, layout) }
        }
        if case .meets(let slot) = end, layout.target(of: slot) == meeting { slots.append(slot) }
        return slots
    }
}

extension JourneyLayout {
    fileprivate func target(of slot: JourneySlot) -> JourneyStepID? {
        guard let id = slot.step, let step = steps[id] else { return nil }
        let slots = JourneyDefinition.slots(of: step)
        return slots.firstIndex(of: slot).flatMap { step.targets[$0] }
    }

    /// Every step, in the order in which one reads.
    var order: [JourneyStepID] { numbers.sorted { $0.value < $1.value }.map(\.key) }
}

extension JourneyStepKind {
    /// Whether its ways stand side by side, also if there is only one.
    var isBranching: Bool {
        switch self {
        case .branch, .split, .wait(.event), .wait(.match): true
        case .push, .inAppMessage, .update, .webhook, .wait, .jump, .enterJourney, .exit: false
        }
    }
}
