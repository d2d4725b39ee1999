import Foundation
import Model
import WebPages

/// Changes of the order of a journey's steps: each keeps every other way as it is.
enum JourneyEdit {
    /// Puts a step in at places that lead to the same step, which then comes after it.
    static func insert(
        _ choice: JourneyStepChoice,
        _ id: JourneyStepID,
        at slots: [JourneySlot],
        into definition: inout JourneyDefinition,
        words: Words
    ) {
        let target = slots.first.flatMap { definition[$0] }
        place(
            choice.step(id, to: target, words: words),
            at: slots,
            in: &definition
        )
    }

    /// Adds a step to the list and leads the places to it.
    private static func place(
        _ step: JourneyStep,
        at slots: [JourneySlot],
        in definition: inout JourneyDefinition
    ) {
        let before = slots.last?.step.flatMap { id in
            definition.steps.firstIndex { $0.id == id }
        }
        // A first step stands first; any other after the one that leads to it.
        definition.steps.insert(step, at: before.map { $0 + 1 } ?? 0)
        for slot in slots { definition[slot] = step.id }
    }

    /// A copy of a step comes after it, with the same ways; for one with several, before where
    /// they lead.
    static func copy(
        _ id: JourneyStepID,
        _ newID: JourneyStepID,
        in definition: inout JourneyDefinition
    ) {
        guard let index = definition.steps.firstIndex(where: { $0.id == id }),
            definition.steps[index].kind != .exit
        else { return }
        var single = definition
        single.steps = [definition.steps[index]]
        // Variants of a push are counted by their identity.
        guard var copy = single.withNewIdentities({ UUID() }).steps.first else { return }
        copy.id = newID
        let slots = JourneyDefinition.slots(of: definition.steps[index])
        let layout = JourneyLayout(definition)
        let target = slots.count > 1 ? layout.meetings[id] : definition.steps[index].next
        if slots.count > 1 || definition.steps[index].kind.isBranching {
            single.steps = [copy]
            for slot in JourneyDefinition.slots(of: copy) { single[slot] = target }
            copy = single.steps[0]
        }
        let places =
            slots.count > 1
            ? definition.slots(leadingTo: target, within: id, layout) : slots
        guard !places.isEmpty else { return }
        place(copy, at: places, in: &definition)
    }

    /// Takes a step out: what led to it leads to what came after it.
    static func remove(_ id: JourneyStepID, from definition: inout JourneyDefinition) {
        let gone = removed(with: id, from: definition)
        let target = definition.step(id).flatMap(follower)
        retarget(id, to: target, in: &definition)
        definition.steps.removeAll { gone.contains($0.id) }
        // Nothing leads to what is gone.
        for step in definition.steps {
            for slot in JourneyDefinition.slots(of: step) {
                if let next = definition[slot], gone.contains(next) { definition[slot] = nil }
            }
        }
    }

    /// A step and those that only its further ways lead to.
    static func removed(
        with id: JourneyStepID,
        from definition: JourneyDefinition
    ) -> Set<JourneyStepID> {
        let before = reached(in: definition)
        var after = definition
        let target = definition.step(id).flatMap(follower)
        retarget(id, to: target, in: &after)
        after.steps.removeAll { $0.id == id }
        return before.subtracting(reached(in: after)).union([id])
    }

    private static func follower(_ step: JourneyStep) -> JourneyStepID? {
        if case .split(let shares) = step.kind { return shares.first?.next }
        return step.next == step.id ? nil : step.next
    }

    private static func retarget(
        _ id: JourneyStepID,
        to target: JourneyStepID?,
        in definition: inout JourneyDefinition
    ) {
        if definition.steps.first?.id == id, let target, target != id {
            definition[.start] = target
        }
        for step in definition.steps where step.id != id {
            for slot in JourneyDefinition.slots(of: step) where definition[slot] == id {
                definition[slot] = target == step.id ? nil : target
            }
        }
    }

    private static func reached(in definition: JourneyDefinition) -> Set<JourneyStepID> {
        var reached: Set<JourneyStepID> = []
        var open = definition.steps.first.map { [$0.id] } ?? []
        while let id = open.popLast() {
            guard let step = definition.step(id), reached.insert(id).inserted else { continue }
            open += step.targets.compactMap { $0 }
        }
        return reached
    }

    /// Whether everybody can still come to every step after a step of a kind is put in.
    static func reachesAll(
        with choice: JourneyStepChoice,
        at slots: [JourneySlot],
        in definition: JourneyDefinition,
        words: Words
    ) -> Bool {
        var after = definition
        insert(choice, JourneyStepID(UUID()), at: slots, into: &after, words: words)
        return reached(in: definition).isSubset(of: reached(in: after))
    }

    // MARK: Moving

    /// Takes a step with one way out and puts it in elsewhere.
    static func move(
        _ id: JourneyStepID,
        to slots: [JourneySlot],
        in definition: inout JourneyDefinition
    ) {
        guard let step = definition.step(id), canMove(step),
            !slots.isEmpty, !slots.contains(where: { $0.step == id })
        else { return }
        let target = slots.first.flatMap { definition[$0] }
        guard target != id else { return }
        var moved = step
        let follower = follower(step)
        if definition.steps.first?.id == id, follower == nil { return }
        retarget(id, to: follower, in: &definition)
        definition.steps.removeAll { $0.id == id }
        if moved.kind != .exit, moved.kind != .jump { moved.next = target == id ? nil : target }
        place(moved, at: slots, in: &definition)
    }

    /// A step whose ways part stays where it is; so does an end, which nothing can follow.
    static func canMove(_ step: JourneyStep) -> Bool {
        JourneyDefinition.slots(of: step).count == 1 && !step.kind.isBranching
            && step.kind != .jump
    }

    /// Before the step before it; `nil` at the top.
    static func upPlace(
        of id: JourneyStepID,
        in definition: JourneyDefinition,
        _ items: [JourneyLayout.Item]
    ) -> [JourneySlot]? {
        guard let step = definition.step(id), canMove(step),
            let previous = items.first(where: { $0.step.id == id })?.before.last,
            let other = previous.step,
            let before = items.first(where: { $0.step.id == other })?.before,
            !before.isEmpty
        else { return nil }
        return before
    }

    /// After the step after it; `nil` at the end.
    static func downPlace(
        of id: JourneyStepID,
        in definition: JourneyDefinition,
        _ items: [JourneyLayout.Item]
    ) -> [JourneySlot]? {
        guard let step = definition.step(id), canMove(step), let next = step.next,
            let other = definition.step(next), other.kind != .exit, other.kind != .jump,
            let item = items.first(where: { $0.step.id == next }),
            item.before.allSatisfy({ $0.step == id })
        else { return nil }
        return JourneyDefinition.slots(of: other).first.map { [$0] }
    }
}

extension JourneyLayout {
    /// Every step with what stands before it, in the order in which one reads.
    var items: [Item] {
        func all(_ chain: Chain) -> [Item] {
            chain.items.flatMap { [$0] + $0.ways.flatMap { all($0.chain) } }
        }
        return all(main) + others.flatMap(all)
    }
}

extension JourneyDefinition {
    /// The places of a step, and of those on its ways, that lead to where the ways meet.
    fileprivate func slots(
        leadingTo target: JourneyStepID?,
        within id: JourneyStepID,
        _ layout: JourneyLayout
    ) -> [JourneySlot] {
        guard let target else {
            return Self.slots(of: step(id) ?? JourneyStep(id: id, kind: .exit)).filter {
                self[$0] == nil
            }
        }
        return layout.items.first { $0.step.id == target }?.before ?? []
    }
}
