import Foundation
import Model
import Testing

/// Rows, files and requests of every version have these names, whatever the cases are called.
@Suite("Names that are stored")
struct StoredNameTests {
    private func read<Value: Decodable>(_ names: [String]) throws -> [Value] {
        try JSONDecoder().decode([Value].self, from: JSONEncoder().encode(names))
    }

    @Test("when the recipients of a send are determined")
    func recipientTiming() throws {
        #expect(
            try read(["frozen", "atDelivery"]) == [RecipientTiming.whenScheduled, .whenSent]
        )
    }

    @Test("what becomes of a message in quiet hours")
    func quietHours() throws {
        #expect(
            try read(["hold", "drop", "ignore"])
                == [QuietHoursHandling.delay, .skip, .sendAnyway]
        )
    }

    @Test("priorities of a push")
    func priorities() throws {
        #expect(
            try read(["immediate", "considerate", "passive"])
                == [PushPriority.high, .normal, .low]
        )
    }
}
