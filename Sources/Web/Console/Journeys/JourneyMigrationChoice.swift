import Foundation
import Model
import WebPages

/// What becomes of the people inside, as a form chooses it.
struct JourneyMigrationChoice {
    let isMoving: Bool
    /// By removed step where those who wait there go on; missing for those who leave.
    let targets: [JourneyStepID: JourneyStepID]

    static func fieldName(_ step: JourneyStepID) -> String { "to.\(step)" }

    init(fields: FormFields) {
        isMoving = fields["migration"] == "move"
        var targets: [JourneyStepID: JourneyStepID] = [:]
        for entry in fields.entries where entry.name.hasPrefix("to.") {
            guard let step = UUID(uuidString: String(entry.name.dropFirst(3))),
                let target = UUID(uuidString: entry.value)
            else { continue }
            targets[JourneyStepID(step)] = JourneyStepID(target)
        }
        self.targets = targets
    }

    func migration(of definition: JourneyDefinition) -> JourneyMigration {
        guard isMoving else { return .keep }
        return .move(
            removed: targets.filter { step, target in
                definition.step(step) == nil && definition.step(target) != nil
            }
        )
    }
}
