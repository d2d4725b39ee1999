import Foundation

// The fuzzer compiles this file together with the language, as one module.
#if !FUZZING
import Segments
#endif

/// One fuzzed segment: whatever is sent is refused or means something, and what our writers make
/// of its meaning reads back as the same. Also used by the test that replays the corpus.
enum SegmentsFuzzer {
    struct Disagreement: Error, CustomStringConvertible {
        var description: String
    }

    /// - Parameter choice: The form: 0 is the text, 1 the JSON, 2 a connected audience.
    static func run(choice: UInt8, _ input: [UInt8]) throws(Disagreement) {
        guard let rule = rule(choice, input) else { return }
        let text = SegmentWriter.text(rule)
        let again: SegmentRule
        do {
            again = try SegmentParser.parse(text).rule
        } catch {
            // A tree of JSON may be as deep as brackets may, and its text has brackets of its own.
            if error.message.contains("too deeply") { return }
            throw Disagreement(description: "\(text) is not read: \(error)")
        }
        // Groups of one are a matter of JSON; the text has no word for them.
        if choice % 3 == 0, again != rule {
            throw Disagreement(description: "\(rule) is written \(text), which is \(again)")
        }
        guard let data = try? SegmentJSON.encode(rule) else {
            throw Disagreement(description: "\(text) has no JSON")
        }
        guard (try? SegmentJSON.decode(data)) == rule else {
            let json = String(decoding: data, as: UTF8.self)
            throw Disagreement(description: "\(text) is written \(json), which is another")
        }
        evaluate(rule)
    }

    private static func rule(_ choice: UInt8, _ input: [UInt8]) -> SegmentRule? {
        switch choice % 3 {
        case 0: return try? SegmentParser.parse(String(decoding: input, as: UTF8.self)).rule
        case 1: return try? SegmentJSON.decode(Data(input))
        default:
            guard let node = try? JSONDecoder().decode(JSONNode.self, from: Data(input)) else {
                return nil
            }
            return try? ConnectedAudience.rule(node)
        }
    }

    /// Looks whether it holds, for a user with a value of each kind, at the ends of time.
    private static func evaluate(_ rule: SegmentRule) {
        var profile = AudienceProfile(
            rowID: 7,
            sessionCount: .max,
            custom: [
                "a": .number(-9.3e18), "b": .string("2.10"),
                "c": .array([.number(1), .string("")]),
                "d": .object(["e": .bool(true)]), "score": .number(.greatestFiniteMagnitude),
                "joined": .string("9999-12-31T23:59:59Z"),
            ],
            devices: [
                AudienceDevice(platform: "ios", app: "shop", appVersion: "2.10", hasToken: true)
            ]
        )
        profile.dateOfBirth = -62_135_596_800
        profile.createdAt = 253_402_300_799
        let events = [
            AudienceEvent(
                profile: 7,
                activity: .event("e"),
                time: 253_402_300_799,
                properties: ["price": .number(1e308)]
            ),
            AudienceEvent(profile: 7, activity: .event("e"), time: -62_135_596_800),
        ]
        for now: Int64 in [-62_135_596_800, 1_782_777_600, 253_402_300_799] {
            var evaluator = SegmentEvaluator(at: EvaluationTime(now: now))
            _ = try? evaluator.contains(profile, events: events, in: rule)
        }
    }
}
