import Foundation
import Sends
import Testing

@Suite("The opens of a push in time")
struct OpensInTimeTests {
    private static let start = Date(timeIntervalSince1970: 1_789_999_200)

    private func series(
        _ direct: [TimeInterval],
        influenced: [TimeInterval] = [],
        after seconds: TimeInterval
    ) -> [OpensInTime] {
        OpensInTime.series(
            direct: direct.map(Self.start.addingTimeInterval),
            influenced: influenced.map(Self.start.addingTimeInterval),
            since: Self.start,
            until: Self.start.addingTimeInterval(seconds),
            steps: 12
        )
    }

    @Test("are spread over the time in which there were any, however long ago that is")
    func spread() {
        let opens: [TimeInterval] = [0, 600, 1_800, 3_599]
        let early = series(opens, influenced: [900], after: 3_600)
        #expect(early.count == 12)
        #expect(early.filter { $0.direct > 0 }.count == 4)
        #expect(early.last?.direct == 1)
        #expect(early.map(\.influenced).reduce(0, +) == 1)
        #expect(series(opens, influenced: [900], after: 17 * 86_400) == early)
    }

    @Test("have no part that begins in the future", arguments: [0, 59, 60, 185])
    func future(seconds: Int) {
        let parts = series([0], after: TimeInterval(seconds))
        #expect(parts.count == seconds / 60 + 1)
        #expect(parts.first?.direct == 1)
    }

    @Test("all count, whenever they came", arguments: [1, 59.9, 60, 719, 720, 86_400, 8_640_000])
    func all(latest: TimeInterval) {
        let parts = series([0, latest / 2, latest], influenced: [latest / 3], after: 9_000_000)
        #expect(parts.map(\.direct).reduce(0, +) == 3)
        #expect(parts.map(\.influenced).reduce(0, +) == 1)
        #expect(parts.count <= 12)
    }
}
