import Foundation
import Model
import WebPages

/// A journey while it is edited, as its draft keeps it: with what can be taken back, and forms that
/// were left before they were done.
struct JourneyPlan {
    /// Of steps that can be taken back.
    private static let mostPast = 30
    /// Of characters that they take.
    private static let mostPastLength = 400_000
    private static let rulesName = "open.rules"
    private static let stepName = "open.step."

    private(set) var definition: JourneyDefinition
    private var past: [String] = []
    private var future: [String] = []
    /// The raw fields of steps' forms that were left open.
    var openSteps: [JourneyStepID: FormFields] = [:]
    var openRules: FormFields?
    /// When the journey had last been changed as the editing began; empty for a new one.
    let version: String

    init(_ definition: JourneyDefinition, version: Date? = nil) {
        self.definition = definition
        self.version = version.map { String($0.milliseconds) } ?? ""
    }

    /// `nil` if the fields hold no journey.
    init?(fields: FormFields) {
        guard let definition = Self.read(fields["definition"]) else { return nil }
        self.definition = definition
        past = fields.all("past")
        future = fields.all("future")
        version = fields["version"]
        for entry in fields.entries {
            if entry.name == Self.rulesName { openRules = FormFields(urlEncoded: entry.value) }
            guard entry.name.hasPrefix(Self.stepName),
                let id = UUID(uuidString: String(entry.name.dropFirst(Self.stepName.count)))
            else { continue }
            openSteps[JourneyStepID(id)] = FormFields(urlEncoded: entry.value)
        }
    }

    var fields: FormFields {
        var fields: [(name: String, value: String)] = [
            ("name", definition.name), ("version", version),
            ("definition", Self.text(definition)),
        ]
        fields += past.map { ("past", $0) } + future.map { ("future", $0) }
        if let openRules { fields.append((Self.rulesName, openRules.urlEncoded)) }
        for id in openSteps.keys.sorted() {
            fields.append((Self.stepName + id.description, openSteps[id]?.urlEncoded ?? ""))
        }
        return FormFields(fields)
    }

    /// Changes the journey so that the change can be taken back.
    mutating func change(_ change: (inout JourneyDefinition) -> Void) {
        var changed = definition
        change(&changed)
        guard changed != definition else { return }
        past.append(Self.text(definition))
        future = []
        while past.count > Self.mostPast
            || past.count > 1 && past.map(\.utf8.count).reduce(0, +) > Self.mostPastLength
        {
            past.removeFirst()
        }
        definition = changed
        forgetRemoved()
    }

    var canUndo: Bool { !past.isEmpty }
    var canRedo: Bool { !future.isEmpty }

    mutating func undo() {
        guard let text = past.popLast(), let before = Self.read(text) else { return }
        future.append(Self.text(definition))
        definition = before
        forgetRemoved()
    }

    mutating func redo() {
        guard let text = future.popLast(), let after = Self.read(text) else { return }
        past.append(Self.text(definition))
        definition = after
        forgetRemoved()
    }

    private mutating func forgetRemoved() {
        openSteps = openSteps.filter { definition.step($0.key) != nil }
    }

    private static func read(_ text: String) -> JourneyDefinition? {
        try? JSONDecoder().decode(JourneyDefinition.self, from: Data(text.utf8))
    }

    private static func text(_ definition: JourneyDefinition) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A definition that was read, or made from fields that JSON has, can be written.
        return (try? encoder.encode(definition)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
