import Foundation
import Model
import WebPages

/// A journey from top to bottom, as a list with lists in it, piece by piece.
struct JourneyFlow {
    struct Figure {
        let label: String
        let value: String
        let address: String
        let isStrong: Bool
    }

    struct Card {
        let anchor: String
        let number: Int
        let icon: String
        let kind: String
        let title: String
        let isNamed: Bool
        let lines: [String]
        let figures: [Figure]
        let hasFigures: Bool
        let faults: [String]
        let hasFaults: Bool
        /// Whether its form was left before it was done.
        let isUnfinished: Bool
        let editAddress: String?
        let editLabel: String?
        let tools: Tools?
    }

    /// What can be done with a step in the editor.
    struct Tools {
        let changeAddress: String
        let draft: DraftFrame
        let step: String
        let label: String
        let canMoveUp: Bool
        let canMoveDown: Bool
        let canCopy: Bool
        let question: String?
    }

    struct Way {
        let label: String
        let count: String?
    }

    struct Ending {
        let text: String
        let endingIcon: String
        let target: String?
        let targetAnchor: String?
    }

    struct Place {
        let address: String
        let label: String
    }

    struct Piece {
        var card: Card?
        var way: Way?
        var ending: Ending?
        var place: Place?
        var opensWays = false
        var closesWays = false
        var closesWay = false
        var closesCard = false
        /// Before steps that nothing on the way from the top leads to.
        var heading: String?
    }

    private(set) var pieces: [Piece] = []
    let isEmpty: Bool

    private let definition: JourneyDefinition
    private let layout: JourneyLayout
    private let items: [JourneyLayout.Item]
    private let figures: JourneyFigures?
    private let names: JourneyNames
    private let edit: Editing?
    private let context: ConsoleContext
    /// Addresses of the people behind a figure of a step.
    private let people: (JourneyStepID, JourneyStepGroup) -> String

    /// What the editor adds to the flow.
    struct Editing {
        let frame: DraftFrame
        let faults: [JourneyStepID: [String]]
        let unfinished: Set<JourneyStepID>
    }

    init(
        _ definition: JourneyDefinition,
        names: JourneyNames,
        figures: JourneyFigures? = nil,
        people: @escaping (JourneyStepID, JourneyStepGroup) -> String = { _, _ in "" },
        edit: Editing? = nil,
        context: ConsoleContext
    ) {
        self.definition = definition
        self.names = names
        self.figures = figures
        self.people = people
        self.edit = edit
        self.context = context
        layout = JourneyLayout(definition)
        items = layout.items
        isEmpty = definition.steps.isEmpty
        add(layout.main)
        for chain in layout.others {
            let isReached = chain.items.first.map { item in
                definition.steps.contains { $0.targets.contains(item.step.id) }
            }
            pieces.append(
                Piece(
                    heading: context.words(
                        isReached == true ? "journeys.elsewhere" : "journeys.unreached"
                    )
                )
            )
            add(chain)
        }
    }

    // MARK: Pieces

    private mutating func add(_ chain: JourneyLayout.Chain) {
        for item in chain.items {
            addPlace(before: item)
            pieces.append(Piece(card: card(item)))
            if !item.ways.isEmpty { addWays(of: item) }
            pieces.append(Piece(closesCard: true))
        }
        switch chain.end {
        case .completed(let slot):
            addPlace([slot])
            pieces.append(
                Piece(
                    ending: Ending(
                        text: context.words("journeys.completed"),
                        endingIcon: "check",
                        target: nil,
                        targetAnchor: nil
                    )
                )
            )
        case .meets(let slot):
            addPlace([slot])
        case .leads(let id, let slot):
            let isJump = slot.step.flatMap(definition.step).map { $0.kind == .jump } ?? false
            if !isJump { addPlace([slot]) }
            let step = definition.step(id)
            let number = layout.numbers[id]
            pieces.append(
                Piece(
                    ending: Ending(
                        text: context.words("journeys.goes_on"),
                        endingIcon: "journey",
                        target: number.flatMap { number in
                            step.map { "\(number) · \($0.title(context.words))" }
                        } ?? context.words("journeys.unknown"),
                        targetAnchor: "#step-\(id)"
                    )
                )
            )
        case .nothing: break
        }
    }

    private mutating func addWays(of item: JourneyLayout.Item) {
        let labels = item.step.wayLabels(names, context.words)
        pieces.append(Piece(opensWays: true))
        for (index, way) in item.ways.enumerated() {
            pieces.append(
                Piece(
                    way: Way(
                        label: labels[index],
                        count: count(of: way.slot).map {
                            context.words.counted("journeys.people", $0)
                        }
                    )
                )
            )
            add(way.chain)
            pieces.append(Piece(closesWay: true))
        }
        pieces.append(Piece(closesWays: true))
    }

    /// How many people took a way.
    private func count(of slot: JourneySlot) -> Int? {
        guard let id = slot.step, let figures else { return nil }
        let step = figures.steps[id] ?? JourneyStepFigures()
        let onPaths = step.paths.values.reduce(0, +)
        return switch slot {
        case .path(_, let index), .share(_, let index): step.paths[index] ?? 0
        case .late: step.late
        case .next: step.passed - onPaths
        case .start: nil
        }
    }

    private mutating func addPlace(before item: JourneyLayout.Item) { addPlace(item.before) }

    private mutating func addPlace(_ slots: [JourneySlot]) {
        guard let edit, !slots.isEmpty else { return }
        pieces.append(
            Piece(
                place: Place(
                    address: ConsolePath.journeyAdd(edit.frame.id).query(
                        FormFields([("at", JourneySlot.name(of: slots))])
                    ),
                    label: JourneyPlaceWords.label(of: slots, definition, layout, context.words)
                )
            )
        )
    }

    // MARK: Cards

    private func card(_ item: JourneyLayout.Item) -> Card {
        let words = context.words
        let step = item.step
        let choice = JourneyStepChoice(step.kind)
        let faults = edit?.faults[step.id] ?? []
        return Card(
            anchor: "step-\(step.id)",
            number: item.number,
            icon: choice.icon,
            kind: words(choice.wordKey),
            title: step.title(words),
            isNamed: !step.name.isEmpty,
            lines: step.lines(names, words).filter { !$0.isEmpty },
            figures: figures(of: step),
            hasFigures: figures != nil,
            faults: faults,
            hasFaults: !faults.isEmpty,
            isUnfinished: edit?.unfinished.contains(step.id) ?? false,
            editAddress: edit.map {
                ConsolePath.journeyStep($0.frame.id, step.id.description).path
            },
            editLabel: edit.map { _ in
                words(
                    "journeys.edit_step",
                    ["step": "\(item.number) · \(step.title(words))"]
                )
            },
            tools: edit.map { tools(item, $0) }
        )
    }

    private func figures(of step: JourneyStep) -> [Figure] {
        guard let figures else { return [] }
        let found = figures.steps[step.id] ?? JourneyStepFigures()
        return JourneyStepGroup.allCases.compactMap { group in
            let count = found.count(group)
            let isAlways = group == .entered || group == .waiting || group == .passed
            guard count > 0 || isAlways else { return nil }
            return Figure(
                label: context.words(group.wordKey),
                value: context.words.number(count),
                address: people(step.id, group),
                isStrong: group == .waiting && count > 0
            )
        }
    }

    private func tools(_ item: JourneyLayout.Item, _ edit: Editing) -> Tools {
        let removed = JourneyEdit.removed(with: item.step.id, from: definition).count
        return Tools(
            changeAddress: ConsolePath.journeyChange(edit.frame.id).path,
            draft: edit.frame,
            step: item.step.id.description,
            label: "\(item.number) · \(item.step.title(context.words))",
            canMoveUp: JourneyEdit.upPlace(of: item.step.id, in: definition, items) != nil,
            canMoveDown: JourneyEdit.downPlace(of: item.step.id, in: definition, items) != nil,
            canCopy: item.step.kind != .exit,
            question: removed > 1
                ? context.words.counted("journeys.remove_confirm", removed) : nil
        )
    }
}

/// Where a place is, in words.
enum JourneyPlaceWords {
    static func label(
        of slots: [JourneySlot],
        _ definition: JourneyDefinition,
        _ layout: JourneyLayout,
        _ words: Words
    ) -> String {
        guard let slot = slots.first, let id = slot.step, let step = definition.step(id) else {
            return words("journeys.place_start")
        }
        let number = layout.numbers[id] ?? 0
        let name = "\(number) · \(step.title(words))"
        if slots.count > 1 { return words("journeys.place_meeting", ["step": name]) }
        let own = JourneyDefinition.slots(of: step)
        guard own.count > 1 || step.kind.isBranching, let index = own.firstIndex(of: slot) else {
            return words("journeys.place_after", ["step": name])
        }
        let way =
            switch slot {
            case .path(_, let index): CampaignForm.letter(index)
            case .share(_, let index): CampaignForm.letter(index)
            case .late: words("journeys.way_late")
            case .next:
                index == own.count - 1 && own.count > 1 && step.kind.isBranch
                    ? words("journeys.way_else") : words("journeys.way_then")
            case .start: ""
            }
        return words("journeys.place_way", ["step": name, "way": way])
    }
}

extension JourneyStepKind {
    fileprivate var isBranch: Bool {
        if case .branch = self { true } else { false }
    }
}
