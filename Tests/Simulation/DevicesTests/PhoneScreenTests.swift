import Foundation
import Testing

@testable import Devices

@Suite("What is seen of a phone")
struct PhoneScreenTests {
    private let screen = PhoneScreen(
        VirtualPhoneState(id: UUID(), name: "Test phone", appName: "Tea House", language: "en"),
        now: { Date(timeIntervalSince1970: 0) }
    )

    @Test("those who look may leave at any moment while it changes", .timeLimit(.minutes(20)))
    func leaving() async {
        for round in 0..<3000 {
            let states = screen.states()
            let reader = Task {
                for await _ in states {}
            }
            async let change: Void = screen.log("thing \(round)")
            async let leave: Void = reader.cancel()
            _ = await (change, leave)
            await reader.value
        }
        #expect(screen.state.revision == 3000)
    }

    @Test("nobody sees an older state after a newer one, and everybody the last")
    func order() async {
        let states = screen.states()
        let reader = Task {
            var revisions: [Int] = []
            for await state in states { revisions.append(state.revision) }
            return revisions
        }
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask { for thing in 0..<200 { screen.log("\(writer): \(thing)") } }
            }
        }
        screen.close()
        let revisions = await reader.value
        #expect(revisions == revisions.sorted())
        #expect(revisions.last == 1600)
    }
}
