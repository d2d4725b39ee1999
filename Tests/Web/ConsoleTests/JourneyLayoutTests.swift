import Foundation
import Model
import Testing
import WebPages

@testable import Console

/// How the steps of a journey stand below and beside each other, and how editing keeps every way.
@Suite struct JourneyLayoutTests {
    private let words: Words

    init() throws {
        words = try Localizations(console: .embedded)[.english]
    }

    private func step(
        _ name: String,
        _ kind: JourneyStepKind = .wait(.duration(60)),
        next: JourneyStepID? = nil
    ) -> JourneyStep {
        JourneyStep(id: JourneyStepID(UUID()), name: name, kind: kind, next: next)
    }

    /// Steps one after the other.
    private func chain(_ names: String...) -> JourneyDefinition {
        var definition = JourneyDefinition(name: "Test", entry: .api)
        for name in names.reversed() {
            definition.steps.insert(
                step(name, next: definition.steps.first?.id),
                at: 0
            )
        }
        return definition
    }

    /// What stands where, as text.
    private func text(_ definition: JourneyDefinition) -> String {
        let layout = JourneyLayout(definition)
        func text(_ chain: JourneyLayout.Chain) -> String {
            let items = chain.items.map { item in
                let ways = item.ways.map { text($0.chain) }
                return item.step.name
                    + (ways.isEmpty ? "" : "(\(ways.joined(separator: "|")))")
            }
            let end: [String] =
                switch chain.end {
                case .completed: ["."]
                case .meets: []
                case .leads(let id, _): [">" + (definition.step(id)?.name ?? "?")]
                case .nothing: []
                }
            return (items + end).joined(separator: " ")
        }
        return ([layout.main] + layout.others).map(text).joined(separator: " ; ")
    }

    private func id(_ name: String, _ definition: JourneyDefinition) throws -> JourneyStepID {
        try #require(definition.steps.first { $0.name == name }).id
    }

    /// A branch into two ways that meet again.
    private func diamond() -> JourneyDefinition {
        var definition = JourneyDefinition(name: "Test", entry: .api)
        let end = step("end")
        let left = step("left", next: end.id)
        let right = step("right", next: end.id)
        let path = JourneyPath(
            name: "A",
            condition: .segment(SegmentQuery()),
            next: left.id
        )
        definition.steps = [step("choice", .branch([path]), next: right.id), left, right, end]
        return definition
    }

    @Test("steps stand in the order in which people take them")
    func order() throws {
        let definition = chain("a", "b", "c")
        #expect(text(definition) == "a b c .")
        #expect(JourneyLayout(definition).numbers[try id("c", definition)] == 3)
    }

    @Test("ways stand side by side until they meet")
    func meeting() {
        #expect(text(diamond()) == "choice(left|right) end .")
    }

    @Test("a step behind a jump, and one that nobody comes to, stand apart")
    func apart() {
        var definition = chain("a", "b")
        let far = step("far")
        definition.steps.append(far)
        definition.steps.append(step("jump", .jump, next: far.id))
        #expect(text(definition) == "a b . ; far . ; jump >far")
    }

    @Test("a way back to a step before is told, not drawn again")
    func circle() throws {
        var definition = chain("a", "b", "c")
        definition[.next(try id("c", definition))] = try id("a", definition)
        #expect(text(definition) == "a b c >a")
    }

    @Test("a step put in where ways meet is on all of them")
    func insertion() throws {
        var (definition, places) = try meetingPlaces()
        #expect(places.count == 2)
        JourneyEdit.insert(
            .delay,
            JourneyStepID(UUID()),
            at: places,
            into: &definition,
            words: words
        )
        #expect(text(definition) == "choice(left|right)  end .")
        (definition, places) = try meetingPlaces()
        JourneyEdit.insert(
            .delay,
            JourneyStepID(UUID()),
            at: [places[0]],
            into: &definition,
            words: words
        )
        #expect(text(definition) == "choice(left |right) end .")
    }

    /// Two ways, and the places from which they lead to where they meet.
    private func meetingPlaces() throws -> (JourneyDefinition, [JourneySlot]) {
        let definition = diamond()
        let end = try id("end", definition)
        let item = JourneyLayout(definition).items.first { $0.step.id == end }
        return (definition, try #require(item).before)
    }

    @Test("the name of a place leads back to it")
    func places() throws {
        let id = JourneyStepID(UUID())
        let slots: [JourneySlot] = [.start, .next(id), .late(id), .path(id, 3), .share(id, 0)]
        #expect(JourneySlot.slots(named: JourneySlot.name(of: slots)) == slots)
        for text in ["", "x", "path.\(id).-1", "path.\(id)", "next.7", "start,x"] {
            #expect(JourneySlot.slots(named: text) == [], "\(text)")
        }
    }

    @Test("a step that moves changes places with its neighbour")
    func moving() throws {
        var definition = chain("a", "b", "c")
        func move(_ name: String, up: Bool) throws {
            let items = JourneyLayout(definition).items
            let step = try id(name, definition)
            let place =
                up
                ? JourneyEdit.upPlace(of: step, in: definition, items)
                : JourneyEdit.downPlace(of: step, in: definition, items)
            JourneyEdit.move(step, to: try #require(place), in: &definition)
        }
        try move("b", up: true)
        #expect(text(definition) == "b a c .")
        try move("b", up: false)
        #expect(text(definition) == "a b c .")
        try move("b", up: false)
        #expect(text(definition) == "a c b .")
        #expect(definition.steps.count == 3)
        let items = JourneyLayout(definition).items
        #expect(JourneyEdit.upPlace(of: try id("a", definition), in: definition, items) == nil)
        #expect(JourneyEdit.downPlace(of: try id("b", definition), in: definition, items) == nil)
    }

    @Test("what led to a removed step leads to what came after it")
    func removing() throws {
        var definition = chain("a", "b", "c")
        JourneyEdit.remove(try id("b", definition), from: &definition)
        #expect(text(definition) == "a c .")
        JourneyEdit.remove(try id("a", definition), from: &definition)
        #expect(text(definition) == "c .")
        JourneyEdit.remove(try id("c", definition), from: &definition)
        #expect(definition.steps.isEmpty)
    }

    @Test("a removed branch takes along what only its further ways lead to")
    func removingBranch() throws {
        var definition = diamond()
        let choice = try id("choice", definition)
        #expect(JourneyEdit.removed(with: choice, from: definition).count == 2)
        JourneyEdit.remove(choice, from: &definition)
        #expect(text(definition) == "right end .")
        #expect(definition.steps.count == 2)
    }

    @Test("a copy has an identity of its own and comes next")
    func copying() throws {
        var definition = chain("a", "b")
        JourneyEdit.copy(try id("a", definition), JourneyStepID(UUID()), in: &definition)
        #expect(text(definition) == "a a b .")
        #expect(Set(definition.steps.map(\.id)).count == 3)
        var split = diamond()
        JourneyEdit.copy(try id("choice", split), JourneyStepID(UUID()), in: &split)
        #expect(text(split) == "choice(left|right) choice(|) end .")
    }

    @Test("whatever is done to random journeys, every way leads to a step that is there")
    func randomEdits() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<60 {
            var definition = JourneyDefinition(name: "Test", entry: .api)
            for _ in 0..<40 {
                let places = [JourneySlot.start] + definition.steps.flatMap(JourneyDefinition.slots)
                let step = definition.steps.randomElement(using: &random)
                let place = places.randomElement(using: &random) ?? .start
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1, 2:
                    let choice = JourneyStepChoice.allCases.randomElement(using: &random) ?? .push
                    JourneyEdit.insert(
                        choice,
                        JourneyStepID(UUID()),
                        at: [place],
                        into: &definition,
                        words: words
                    )
                case 3: if let step { JourneyEdit.remove(step.id, from: &definition) }
                case 4:
                    if let step {
                        JourneyEdit.copy(step.id, JourneyStepID(UUID()), in: &definition)
                    }
                default:
                    if let step { JourneyEdit.move(step.id, to: [place], in: &definition) }
                }
                let ids = Set(definition.steps.map(\.id))
                #expect(ids.count == definition.steps.count)
                #expect(
                    definition.steps.flatMap(\.targets).allSatisfy { $0.map(ids.contains) ?? true }
                )
                #expect(Set(JourneyLayout(definition).order) == ids)
            }
        }
    }
}
