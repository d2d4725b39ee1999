import CP256Lanes
import Crypto
import Foundation
import PushHTTP
import Testing
import WebPush

@Suite("Eight agreements at once are those of the library", .enabled(if: p256_lanes_available()))
struct VectorAgreementTests {
    private typealias PublicKey = P256.KeyAgreement.PublicKey

    /// One lane's numbers.
    private struct Agreement: Equatable {
        var key: [UInt8]
        var secret: [UInt8]

        static let nothing = Agreement(
            key: Array(repeating: 0, count: 65),
            secret: Array(repeating: 0, count: 32)
        )
    }

    private struct Question {
        var scalar: [UInt8]
        var point: [UInt8]

        /// What the library answers; nothing if it refuses.
        var answer: Agreement {
            guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: scalar),
                let peer = try? PublicKey(x963Representation: point),
                let shared = try? key.sharedSecretFromKeyAgreement(with: peer)
            else { return .nothing }
            return Agreement(
                key: Array(key.publicKey.x963Representation),
                secret: shared.withUnsafeBytes { Array($0) }
            )
        }
    }

    /// The lanes' answers to at most eight questions; nothing where they refuse.
    private func ask(_ questions: some Collection<Question>) -> [Agreement] {
        #expect(WebPushSenderKeys().batches, "the trial at the start failed")
        let count = Int(P256_LANES)
        let padding = count - questions.count
        let scalars = questions.flatMap(\.scalar) + Array(repeating: 0, count: padding * 32)
        let points = questions.flatMap(\.point) + Array(repeating: 0, count: padding * 65)
        // Must be overwritten.
        var keys = [UInt8](repeating: 0xaa, count: count * 65)
        var secrets = [UInt8](repeating: 0xaa, count: count * 32)
        let valid = p256_lanes_agree(scalars, points, &keys, &secrets)
        return questions.indices.enumerated().map { lane, _ in
            let answer = Agreement(
                key: Array(keys[lane * 65..<(lane + 1) * 65]),
                secret: Array(secrets[lane * 32..<(lane + 1) * 32])
            )
            #expect((answer == .nothing) == (valid >> lane & 1 == 0))
            return answer
        }
    }

    private func compare(_ questions: [Question]) {
        for start in stride(from: 0, to: questions.count, by: 8) {
            let eight = questions[start..<min(start + 8, questions.count)]
            for (question, answer) in zip(eight, ask(eight)) {
                #expect(answer == question.answer, "\(question)")
            }
        }
    }

    // MARK: - Numbers

    private static let order = number(
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
    )

    private static func number(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        let bytes = stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
        return Array(repeating: 0, count: 32 - bytes.count) + bytes
    }

    private static func number(_ value: UInt8) -> [UInt8] {
        Array(repeating: 0, count: 31) + [value]
    }

    private static func powerOfTwo(_ exponent: Int) -> [UInt8] {
        var bytes = number(0)
        bytes[31 - exponent / 8] = 1 << UInt8(exponent % 8)
        return bytes
    }

    /// Of two numbers, modulo 2^256.
    private static func difference(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
        var borrow = 0
        var result = first
        for index in first.indices.reversed() {
            let value = Int(first[index]) - Int(second[index]) - borrow
            borrow = value < 0 ? 1 : 0
            result[index] = UInt8(truncatingIfNeeded: value)
        }
        return result
    }

    private static func randomNumber() -> [UInt8] {
        (0..<32).map { _ in UInt8.random(in: 0...255) }
    }

    /// Scalars at which carelessly chosen formulas fail: a small one or one near the order makes
    /// sums meet their summands, and windows of zeros or ones the ends of the digits' range.
    private static let edgeScalars: [[UInt8]] = {
        let small = (1...70).map { number(UInt8($0)) }
        let powers = (0..<256).map(powerOfTwo)
        let runs = powers.map { difference($0, number(1)) }
        let windows = ["1f", "f8", "aa", "55", "84", "7b"].map {
            number(String(repeating: $0, count: 32))
        }
        // n - 34 doubles in the last step; 2^256 - n is what 2^255 and a negative sum make.
        let nearOrder = small.map { difference(order, $0) }
        let beyond = [difference(number(0), order), order, number(0), randomNumber()]
        let most = number(String(repeating: "f", count: 64))
        return [small, nearOrder, powers, runs, windows, beyond, [most]].flatMap { $0 }
    }()

    /// Points with extreme coordinates, the generator and its small and opposite multiples.
    private static let edgePoints: [[UInt8]] = {
        let small: [UInt8] = [1, 2, 3, 16, 31, 32, 33, 34]
        let scalars = small.map { number($0) }
        let multiples = (scalars + scalars.map { difference(order, $0) }).compactMap {
            try? P256.KeyAgreement.PrivateKey(rawRepresentation: $0).publicKey
        }
        let prime = "ffffffff00000001000000000000000000000000fffffffffffffffffffffff"
        let lowest = (0..<12).map { number(UInt8($0)) }
        let highest = ["4", "8", "9", "a", "b", "c", "d", "e"].map { number(prime + $0) }
        let powers = (1..<32).map { powerOfTwo(8 * $0) }
        let limbs = [52, 104, 156, 208, 224].map { difference(powerOfTwo($0), number(1)) }
        let columns = [lowest, highest, powers, limbs].flatMap { $0 }
        let found = columns.flatMap { column in
            [UInt8(2), 3].compactMap { sign in
                try? PublicKey(compressedRepresentation: [sign] + column)
            }
        }
        return (multiples + found).map { Array($0.x963Representation) }
    }()

    // MARK: - Tests

    @Test("at the edges of the scalars' range, with edge points and with the generator")
    func scalarsAtEdges() {
        #expect(Self.edgePoints.count > 50)
        compare(
            Self.edgeScalars.enumerated().map { index, scalar in
                Question(scalar: scalar, point: Self.edgePoints[index % Self.edgePoints.count])
            }
        )
        let nearEnds = Self.edgeScalars.prefix(140)
        compare(nearEnds.map { Question(scalar: $0, point: Self.edgePoints[0]) })
    }

    @Test("at points with edge coordinates, also where the last step doubles")
    func pointsAtEdges() {
        let doubling = Self.difference(Self.order, Self.number(34))
        compare(
            Self.edgePoints.flatMap { point in
                [Self.randomNumber(), doubling].map { Question(scalar: $0, point: point) }
            }
        )
    }

    @Test("for random pairs")
    func randomPairs() {
        compare(
            (0..<800).map { _ in
                let peer = P256.KeyAgreement.PrivateKey().publicKey
                return Question(scalar: Self.randomNumber(), point: Array(peer.x963Representation))
            }
        )
    }

    @Test("a lane's answer depends on nothing but its own numbers")
    func independent() {
        let questions = (0..<8).map { number in
            Question(scalar: Self.randomNumber(), point: Self.edgePoints[number + 20])
        }
        let expected = ask(questions)
        for distance in 1..<8 {
            let turned = Array(questions[distance...] + questions[..<distance])
            #expect(ask(turned) == Array(expected[distance...] + expected[..<distance]))
            // Others that are refused change nothing either.
            var others = questions.map { Question(scalar: Self.number(0), point: $0.point) }
            others[distance] = questions[distance]
            var alone = [Agreement](repeating: .nothing, count: 8)
            alone[distance] = expected[distance]
            #expect(ask(others) == alone)
        }
    }

    @Test("what is no point of the curve is refused in its lane, as is a number that is no key")
    func refused() throws {
        let good = Self.edgePoints[30]
        func changed(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
            var point = good
            change(&point)
            return point
        }
        let prime = Self.number(
            "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
        )
        // x = 5 is on the curve; so would be 5 + p, if it were reduced.
        let five = try PublicKey(compressedRepresentation: [2] + Self.number(5))
        let beyond = Self.difference(Self.number(5), Self.difference(Self.number(0), prime))
        let points: [[UInt8]] = [
            changed { $0[64] ^= 1 }, changed { $0[40] ^= 0x80 }, changed { $0[1] ^= 1 },
            changed { $0[0] = 2 }, changed { $0[0] = 6 }, changed { $0[0] = 0 },
            [4] + Array(repeating: 0, count: 64), [4] + Array(repeating: 0xff, count: 64),
            [4] + prime + Array(good[33...]), Array(good[...32]) + prime,
            [4] + beyond + Array(five.x963Representation.suffix(32)),
        ]
        for lane in 0..<8 {
            for point in points {
                var questions = (0..<8).map { _ in
                    Question(scalar: Self.randomNumber(), point: good)
                }
                questions[lane].point = point
                let answers = ask(questions)
                #expect(answers[lane] == .nothing)
                #expect(answers.count { $0 == .nothing } == 1)
            }
        }
    }

    @Test("RFC 8291, appendix A: the shared secret, in each lane")
    func example() throws {
        func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }
        let question = Question(
            scalar: try bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
            point: try bytes(
                """
                BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4
                """
            )
        )
        let answer = Agreement(
            key: try bytes(
                """
                BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8
                """
            ),
            secret: try bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs")
        )
        #expect(ask(Array(repeating: question, count: 8)) == Array(repeating: answer, count: 8))
    }
}
