import Model
import Testing

@Suite("What people are told of a send")
struct SendPhaseTests {
    @Test("one that is over is done, partly failed, failed or had nobody to go to")
    func finished() {
        func phase(_ counts: [DispatchState: Int]) -> SendPhase {
            SendPhase(.finished, SendCounts(states: counts))
        }
        #expect(phase([.accepted: 2]) == .done)
        #expect(phase([.unknown: 1]) == .done)
        #expect(phase([.accepted: 2, .skipped: 1]) == .done)
        #expect(phase([.accepted: 2, .rejected: 1]) == .partlyFailed)
        #expect(phase([.unknown: 1, .rejected: 1]) == .partlyFailed)
        #expect(phase([.rejected: 3, .skipped: 1]) == .failed)
        #expect(phase([.skipped: 1]) == .noRecipients)
        #expect(phase([:]) == .noRecipients)
    }

    @Test("apps that were removed make no send a failure, as long as it reached somebody")
    func gone() {
        func phase(_ counts: [DispatchState: Int], gone: Int) -> SendPhase {
            SendPhase(.finished, SendCounts(states: counts, gone: gone))
        }
        #expect(phase([.accepted: 90, .rejected: 10], gone: 10) == .done)
        #expect(phase([.accepted: 90, .rejected: 10], gone: 9) == .partlyFailed)
        #expect(phase([.rejected: 10], gone: 10) == .failed)
    }

    @Test(
        "that a device is gone is said in the words of each provider",
        arguments: [
            ("Unregistered", true), ("ExpiredToken", true), ("UNREGISTERED", true),
            ("HTTP 410", true), ("HTTP 410 (errno 106)", true), ("Gone (HTTP 404)", true),
            ("HTTP 404 (errno 102)", true), ("HTTP 404", false), ("HTTP 400", false),
            ("BadDeviceToken", false), ("PayloadTooLarge", false), ("", false),
        ]
    )
    func words(reason: String, isGone: Bool) {
        #expect(GoneDevice.isSaid(by: reason) == isGone)
    }

    @Test("one that is not over is where it is, whatever was refused so far")
    func open() {
        let counts = SendCounts(states: [.rejected: 3])
        #expect(SendPhase(.scheduled, counts) == .scheduled)
        #expect(SendPhase(.planning, counts) == .running)
        #expect(SendPhase(.sending, counts) == .running)
        #expect(SendPhase(.paused, counts) == .paused)
        #expect(SendPhase(.cancelled, counts) == .cancelled)
    }
}
