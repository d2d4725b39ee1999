import Testing

@testable import Server

@Suite("The part of a server among others")
struct ServerPartTests {
    @Test("one whose last sign of life is older than others wait takes itself to be gone, too")
    func silence() {
        let part = ServerPart(leads: false)
        #expect(!part.isSilent(at: .seconds(1_000)))
        part.gaveSign(at: .seconds(1_000))
        #expect(!part.isSilent(at: .seconds(1_015)))
        #expect(part.isSilent(at: .seconds(1_016)))
        part.gaveSign(at: .seconds(1_016))
        #expect(!part.isSilent(at: .seconds(1_017)))
    }
}
