import Foundation
import Model

/// A place in a journey that leads to a step: where another one can be put in.
enum JourneySlot: Hashable {
    /// Before the first step.
    case start
    case next(JourneyStepID)
    case late(JourneyStepID)
    case path(JourneyStepID, Int)
    case share(JourneyStepID, Int)

    /// As the fields of forms have it.
    var name: String {
        switch self {
        case .start: "start"
        case .next(let step): "next.\(step)"
        case .late(let step): "late.\(step)"
        case .path(let step, let index): "path.\(step).\(index)"
        case .share(let step, let index): "share.\(step).\(index)"
        }
    }

    init?(name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        if parts == ["start"] {
            self = .start
            return
        }
        guard parts.count >= 2, let uuid = UUID(uuidString: String(parts[1])) else { return nil }
        let step = JourneyStepID(uuid)
        switch (parts[0], parts.count) {
        case ("next", 2): self = .next(step)
        case ("late", 2): self = .late(step)
        case ("path", 3), ("share", 3):
            guard let index = Int(parts[2]), index >= 0 else { return nil }
            self = parts[0] == "path" ? .path(step, index) : .share(step, index)
        default: return nil
        }
    }

    /// Several places that lead to the same step, as one field.
    static func name(of slots: [JourneySlot]) -> String {
        slots.map(\.name).joined(separator: ",")
    }

    /// - Returns: Empty if one of them is none.
    static func slots(named text: String) -> [JourneySlot] {
        let names = text.split(separator: ",").prefix(JourneyDefinition.slotLimit + 1)
        let slots = names.compactMap { JourneySlot(name: String($0)) }
        return slots.count == names.count && names.count <= JourneyDefinition.slotLimit
            ? slots : []
    }

    /// The step that leads on from here; `nil` for the beginning.
    var step: JourneyStepID? {
        switch self {
        case .start: nil
        case .next(let step), .late(let step), .path(let step, _), .share(let step, _): step
        }
    }
}

extension JourneyDefinition {
    /// More places never lead to one step: each step has eleven at most, and a journey a hundred.
    fileprivate static let slotLimit = 1_200

    /// The places from which a step leads on, in the order of its form.
    static func slots(of step: JourneyStep) -> [JourneySlot] {
        switch step.kind {
        case .exit: []
        case .branch(let paths):
            paths.indices.map { .path(step.id, $0) } + [.next(step.id)]
        case .split(let shares): shares.indices.map { .share(step.id, $0) }
        case .wait(.event), .wait(.match): [.next(step.id), .late(step.id)]
        case .push, .inAppMessage, .update, .webhook, .wait, .jump, .enterJourney:
            [.next(step.id)]
        }
    }

    /// The step to which a place leads; `nil` for the end of the journey.
    subscript(slot: JourneySlot) -> JourneyStepID? {
        get {
            guard let id = slot.step else { return steps.first?.id }
            guard let step = step(id) else { return nil }
            switch (slot, step.kind) {
            case (.path(_, let index), .branch(let paths)):
                return paths.indices.contains(index) ? paths[index].next : nil
            case (.share(_, let index), .split(let shares)):
                return shares.indices.contains(index) ? shares[index].next : nil
            case (.late, .wait(.event(_, _, let late))), (.late, .wait(.match(_, _, let late))):
                return late
            case (.next, _): return step.next
            default: return nil
            }
        }
        set { lead(slot, to: newValue) }
    }

    private mutating func lead(_ slot: JourneySlot, to target: JourneyStepID?) {
        guard let id = slot.step else { return begin(with: target) }
        guard let index = steps.firstIndex(where: { $0.id == id }) else { return }
        switch (slot, steps[index].kind) {
        case (.path(_, let number), .branch(var paths)):
            guard paths.indices.contains(number) else { return }
            paths[number].next = target
            steps[index].kind = .branch(paths)
        case (.share(_, let number), .split(var shares)):
            guard shares.indices.contains(number) else { return }
            shares[number].next = target
            steps[index].kind = .split(shares)
        case (.late, .wait(.event(let event, let limit, _))):
            steps[index].kind = .wait(.event(event, limit: limit, late: target))
        case (.late, .wait(.match(let query, let limit, _))):
            steps[index].kind = .wait(.match(query, limit: limit, late: target))
        case (.next, .split), (.next, .exit): return
        case (.next, _): steps[index].next = target
        default: return
        }
    }

    /// Everybody begins with the first step of the list.
    private mutating func begin(with first: JourneyStepID?) {
        guard let first, let index = steps.firstIndex(where: { $0.id == first }) else { return }
        steps.insert(steps.remove(at: index), at: 0)
    }

    /// Whether a place is one of this journey.
    func has(_ slot: JourneySlot) -> Bool {
        guard let id = slot.step else { return true }
        return step(id).map { Self.slots(of: $0).contains(slot) } ?? false
    }
}
