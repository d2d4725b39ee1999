import Foundation
import Model
import Testing

@Suite("The workspace's control group")
struct ControlGroupTests {
    private static let users = (1...20_000 as ClosedRange<Int64>).map { ProfileID($0) }

    private func members(_ share: Int, seed: UInt8 = 1) -> Set<ProfileID> {
        var bytes = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0)).uuid
        bytes.15 = seed
        let group = ControlGroup(share: share, seed: UUID(uuid: bytes), since: .distantPast)
        return Set(Self.users.filter(group.contains))
    }

    @Test("has the share of all users that was asked for", arguments: [1, 5, 10, 37, 50])
    func share(percent: Int) {
        let expected = Double(Self.users.count * percent) / 100
        // Four standard deviations of that many draws.
        let deviation = (expected * Double(100 - percent) / 100).squareRoot() * 4
        #expect(abs(Double(members(percent).count) - expected) < deviation)
    }

    @Test("keeps its members when it grows, and gives none away by shrinking but those it added")
    func growth() {
        #expect(members(5).isSubset(of: members(6)))
        #expect(members(6).isSubset(of: members(50)))
        #expect(members(5) == members(5))
    }

    @Test("has other members with another seed: as many of the former ones as by chance")
    func seeds() {
        let both = members(10, seed: 1).intersection(members(10, seed: 2)).count
        #expect((120...280).contains(both), "\(both)")
    }
}
