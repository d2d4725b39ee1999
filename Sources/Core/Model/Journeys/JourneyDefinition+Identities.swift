import Foundation

extension JourneyDefinition {
    /// A copy whose steps and variants have identities of their own.
    package func withNewIdentities(_ makeID: () -> UUID) -> JourneyDefinition {
        var copy = self
        var renamed: [JourneyStepID: JourneyStepID] = [:]
        for step in steps { renamed[step.id] = JourneyStepID(makeID()) }
        func target(_ id: JourneyStepID?) -> JourneyStepID? { id.flatMap { renamed[$0] ?? $0 } }
        for index in copy.steps.indices {
            copy.steps[index].id = renamed[steps[index].id] ?? steps[index].id
            copy.steps[index].next = target(steps[index].next)
            switch steps[index].kind {
            case .branch(var paths):
                for path in paths.indices { paths[path].next = target(paths[path].next) }
                copy.steps[index].kind = .branch(paths)
            case .split(var shares):
                for share in shares.indices { shares[share].next = target(shares[share].next) }
                copy.steps[index].kind = .split(shares)
            case .wait(.event(let event, let limit, let late)):
                copy.steps[index].kind = .wait(.event(event, limit: limit, late: target(late)))
            case .wait(.match(let query, let limit, let late)):
                copy.steps[index].kind = .wait(.match(query, limit: limit, late: target(late)))
            case .push(var push):
                for variant in push.variants.indices {
                    push.variants[variant].apiID = makeID()
                    push.variants[variant].number = nil
                }
                copy.steps[index].kind = .push(push)
            case .inAppMessage, .update, .webhook, .wait, .jump, .enterJourney, .exit: break
            }
        }
        return copy
    }
}
