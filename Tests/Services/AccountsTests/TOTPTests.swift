import Accounts
import Foundation
import Testing

/// The test vectors of RFC 6238, appendix B, and RFC 4226, appendix D.
@Suite("One-time passwords")
struct TOTPTests {
    private static let totp = TOTP(secret: Data("12345678901234567890".utf8))

    @Test(
        "codes of moments are those of RFC 6238",
        arguments: [
            (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"),
            (1_234_567_890, "89005924"), (2_000_000_000, "69279037"),
            (20_000_000_000, "65353130"),
        ] as [(TimeInterval, String)]
    )
    func moments(time: TimeInterval, code: String) {
        let step = TOTP.step(at: Date(timeIntervalSince1970: time))
        #expect(Self.totp.code(step: step, digits: 8) == code)
    }

    @Test("codes of counters are those of RFC 4226")
    func counters() {
        let codes = (0..<10).map { Self.totp.code(step: $0) }
        #expect(
            codes == [
                "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583",
                "399871", "520489",
            ]
        )
    }
}
