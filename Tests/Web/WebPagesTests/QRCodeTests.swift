import Testing
import WebPages

/// Compared with the pictures that the Python package `qrcode` 8.2 draws for the same text and mask.
@Suite("QR codes")
struct QRCodeTests {
    private static func text(_ length: Int) -> String {
        let letters = (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        return String(decoding: letters, as: UTF8.self)
    }

    private static func rows(_ code: QRCode, dark: Character, light: Character) -> [String] {
        (0..<code.size).map { row in
            String((0..<code.size).map { code.isDark($0, row) ? dark : light })
        }
    }

    @Test("a text is drawn as others draw it")
    func picture() throws {
        let code = try #require(QRCode("noroshi", mask: 3))
        let expected = [
            "#######.###.#.#######",
            "#.....#.##..#.#.....#",
            "#.###.#..#....#.###.#",
            "#.###.#.##.##.#.###.#",
            "#.###.#...##..#.###.#",
            "#.....#....##.#.....#",
            "#######.#.#.#.#######",
            "........#.###........",
            "#.##.###.####.#..#.##",
            "###.##.##..#####.#..#",
            "....#.#..###......###",
            "..#.#.....##..####.##",
            "#.....##.#..#..###.##",
            "........##.#..#.##...",
            "#######.#.###..##.#..",
            "#.....#.#......#.####",
            "#.###.#...#.###.#####",
            "#.###.#.#.##..#..###.",
            "#.###.#.#.#.#.#..#...",
            "#.....#..##..#.##...#",
            "#######.#.#..#..###..",
        ]
        #expect(Self.rows(code, dark: "#", light: ".") == expected)
    }

    @Test(
        "texts of all lengths are drawn as others draw them",
        arguments: [
            (1, 0, 21, "db0ede3472ba6bf7"),
            (14, 1, 21, "fad8b076cd2e8f8b"),
            (15, 2, 25, "5ee4244b95b277d7"),
            (62, 3, 33, "576e3d4307fda6f0"),
            (63, 4, 37, "85e71a82ba54cd3f"),
            (106, 5, 41, "e330b58303ca2df4"),
            (107, 6, 45, "16ae83f7737f159d"),
            (150, 7, 49, "ca9b439679ab0dd7"),
            (213, 0, 57, "a1d137e8cf36618b"),
            (214, 1, 61, "95e85cade2e6ad1a"),
            (311, 2, 69, "d53fc4ad0fe910f9"),
            (412, 3, 77, "bfa97968c51b98b0"),
        ]
    )
    func pictures(length: Int, mask: Int, size: Int, fingerprint: String) throws {
        let code = try #require(QRCode(Self.text(length), mask: mask))
        #expect(code.size == size)
        let text = Self.rows(code, dark: "1", light: "0").joined(separator: "\n")
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        #expect(String(hash, radix: 16) == fingerprint)
    }

    @Test("a text that is too long is none, and the mask is chosen where none is wanted")
    func limits() {
        #expect(QRCode(Self.text(413)) == nil)
        #expect(QRCode(Self.text(412)) != nil)
        #expect(QRCode("")?.size == 21)
    }
}
