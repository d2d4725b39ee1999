import Foundation
import NoroshiExtensions
import NoroshiWire
import Testing

@Suite("The patterns of the guides")
struct PatternTests {
    private func content(
        _ pairs: [String: String],
        category: String = "C"
    ) throws -> NoroshiNotificationContent {
        var userInfo: [AnyHashable: Any] = pairs
        userInfo["aps"] = ["category": category, "alert": ["title": "T", "body": "B"]]
        return try NoroshiNotificationContent(userInfo: userInfo, categories: ["C"])
    }

    @Test("a missing pair, a wrong type and a foreign category are errors that say what to do")
    func errors() throws {
        let content = try content(["a": "x"])
        #expect(throws: NoroshiContentError.missingPair(key: "b")) { try content.text("b") }
        #expect(throws: NoroshiContentError.wrongType(key: "a", expected: "a whole number")) {
            try content.integer("a")
        }
        #expect(
            throws: NoroshiContentError.foreignCategory(found: "D", expected: ["C"])
        ) { try self.content([:], category: "D") }
        #expect("\(NoroshiContentError.missingPair(key: "b"))".contains("add it to the campaign"))
    }

    @Test("pairs are read with their types, also when they are written as text")
    func types() throws {
        let content = try content([
            "i": " 42 ", "n": "2.5", "t": "yes", "f": "0", "u": "https://example.com",
            "d": "2026-11-21", "dt": "2026-11-21T10:00:00Z",
        ])
        #expect(try content.integer("i") == 42)
        #expect(try content.number("n") == 2.5)
        #expect(try content.flag("t"))
        #expect(try !content.flag("f"))
        #expect(try content.url("u").host == "example.com")
        #expect(
            try content.date("dt").timeIntervalSince(content.date("d")) == 10 * 3600
        )
    }

    private func story(_ pages: Int) throws -> NoroshiPushStory {
        let story = (1...max(1, pages)).map { number in
            [
                "image": "https://example.com/\(number).png", "title": "Tea \(number)",
                "uri": "tea://\(number)",
            ]
        }
        let userInfo: [AnyHashable: Any] = [
            "aps": ["category": "noroshi_story"],
            "noroshi": ["dispatch_id": UUID().uuidString, "story": pages == 0 ? [] : story],
        ]
        return try NoroshiPushStory(NoroshiNotificationContent(userInfo: userInfo))
    }

    @Test("the pages of a story are turned round and round by hand, and once by themselves")
    func turning() throws {
        var story = try story(3)
        #expect(story.pages.map(\.title) == ["Tea 1", "Tea 2", "Tea 3"])
        #expect(story.page.link?.absoluteString == "tea://1")
        #expect(story.isAdvancing)
        var numbers: [Int] = []
        while story.advance() { numbers.append(story.number) }
        #expect(numbers == [2, 3])
        #expect(!story.isAdvancing)
        story.turnForward()
        #expect(story.number == 1)
        story.turnBack()
        #expect(story.number == 3)
        // A hand on the pages ends the turning by itself.
        var touched = try self.story(3)
        touched.turnForward()
        let hasTurned = touched.advance()
        #expect(!hasTurned)
        #expect(touched.number == 2)
    }

    @Test("more pages than a story has are left out; a push without pages is none")
    func storyPages() throws {
        #expect(try story(12).pages.count == 10)
        #expect(throws: NoroshiContentError.missingPair(key: "story")) { try self.story(0) }
    }

    @Test("progress of a course counts from the four pairs of the guide")
    func progress() throws {
        let progress = try NoroshiCourseProgress(
            content([
                "completed_session_count": "3", "total_session_count": "8",
                "next_session_name": "Segments", "next_session_complete_date": "2026-12-01",
            ])
        )
        #expect(progress.fraction == 0.375)
        #expect(progress.percent == 37)
        #expect(progress.next?.name == "Segments")
        #expect(progress.next?.due != nil)
        let complete = try NoroshiCourseProgress(
            content(["completed_session_count": "9", "total_session_count": "8"])
        )
        #expect(complete.isComplete && complete.next == nil && complete.percent == 100)
        #expect(throws: NoroshiContentError.self) {
            try NoroshiCourseProgress(
                content(["completed_session_count": "0", "total_session_count": "0"])
            )
        }
        #expect(throws: NoroshiContentError.missingPair(key: "next_session_complete_date")) {
            try NoroshiCourseProgress(
                content(["completed_session_count": "1", "total_session_count": "8"])
            )
        }
    }

    @Test("capture: the button appears with a valid address, thanks follow, then it closes")
    func capture() throws {
        var capture = try NoroshiInformationCapture(content(["cert_title": "Certification"]))
        #expect(capture.title == "Certification")
        #expect(capture.explanation == "B")
        capture.type("ann@")
        #expect(!capture.showsRegisterButton)
        #expect(capture.register().isEmpty)
        #expect(capture.respond(toAction: "noroshi_register") == [.respond(.doNotDismiss)])
        capture.type(" ann@example.com ")
        #expect(capture.showsRegisterButton)
        #expect(
            capture.respond(toAction: "noroshi_register")
                == [.email("ann@example.com"), .respond(.doNotDismiss)]
        )
        #expect(capture.phase == .confirmed(value: "ann@example.com"))
        capture.type("late change")
        #expect(capture.register().isEmpty)
        #expect(capture.finish() == [.respond(.dismiss)])
        #expect(capture.finish().isEmpty)
    }

    @Test("another button closes the question and reaches the app")
    func otherButton() throws {
        var capture = NoroshiInformationCapture(kind: .email, title: "T")
        #expect(capture.respond(toAction: "later") == [.respond(.dismissAndForward)])
    }

    @Test(
        "addresses and numbers are checked as people write them",
        arguments: [
            (NoroshiInformationCapture.Kind.email, "a@b.co", true), (.email, "a@b", false),
            (.email, "a b@c.de", false), (.email, "a@@b.co", false), (.email, "@b.co", false),
            (.email, "a@b..co", false), (.phoneNumber, "+81 3-1234-5678", true),
            (.phoneNumber, "(086) 234 5678", true), (.phoneNumber, "12345", false),
            (.phoneNumber, "+8190x2345678", false), (.phoneNumber, "１２３４５６７８", false),
            (.text(key: "k"), "tea", true), (.text(key: "k"), "  ", false),
        ]
    )
    func validation(kind: NoroshiInformationCapture.Kind, text: String, isValid: Bool) {
        var capture = NoroshiInformationCapture(kind: kind, title: "")
        capture.type(text)
        #expect(capture.isValid == isValid)
    }

    @Test("the match game: pairs stay open, others close, the last pair wins")
    func matchGame() {
        var random = SplitMix(state: 1)
        var game = NoroshiMatchGame(faces: ["a", "b"], random: &random)
        let positions = Dictionary(grouping: game.cards.indices) { game.cards[$0].face }
        let a = positions["a"] ?? []
        let b = positions["b"] ?? []
        #expect(game.turn(a[0]) == .first)
        #expect(game.turn(a[0]) == .ignored)
        #expect(game.turn(b[0]) == .mismatched)
        #expect(game.turn(b[1]) == .first)
        #expect(!game.cards[a[0]].isFaceUp)
        #expect(game.turn(b[0]) == .matched)
        #expect(game.result().isEmpty)
        #expect(game.turn(a[0]) == .first)
        #expect(game.turn(a[1]) == .matched)
        #expect(game.turn(99) == .ignored)
        #expect(game.isSolved)
        #expect(game.result() == [.event(name: "match_game_won", properties: ["moves": 3])])
    }

    @Test("the wheel is spun once, and its odds follow the weights")
    func wheel() throws {
        var random = SplitMix(state: 7)
        var wins: [String: Int] = [:]
        for _ in 0..<4000 {
            var wheel = try #require(
                NoroshiSpinToWin(prizes: [
                    .init(label: "10%", weight: 3), .init(label: "50%"),
                    .init(label: "never", weight: 0),
                ])
            )
            let effects = wheel.spin(random: &random)
            let prize = try #require(wheel.result?.prize.label)
            #expect(effects == [.event(name: "wheel_spun", properties: ["prize": .string(prize)])])
            #expect(wheel.spin(random: &random).isEmpty)
            wins[prize, default: 0] += 1
        }
        #expect((2850...3150).contains(wins["10%"] ?? 0))
        #expect(wins["never"] == nil)
        #expect(NoroshiSpinToWin(prizes: [.init(label: "x", weight: 0)]) == nil)
        let described = try NoroshiSpinToWin(content(["prizes": "tea, cake"]))
        #expect(described.prizes.map(\.label) == ["tea", "cake"])
    }
}

/// A small generator with a seed.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
