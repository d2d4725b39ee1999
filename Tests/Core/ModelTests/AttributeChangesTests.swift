import Foundation
import Model
import NoroshiWire
import Testing

@Suite("Changing a profile's attributes")
struct AttributeChangesTests {
    private func profile(_ custom: [String: JSONValue] = [:]) -> Profile {
        var profile = Profile(
            id: ProfileID(1),
            workspace: WorkspaceID(1),
            publicID: UUID(),
            externalID: "ada",
            anonymousID: nil,
            createdAt: Date(timeIntervalSince1970: 0)
        )
        profile.custom = custom
        return profile
    }

    private func change(
        _ before: JSONValue?,
        _ operation: JSONValue,
        mergesObjects: Bool = false
    ) -> (after: JSONValue?, problems: [FieldProblem]) {
        var profile = profile(before.map { ["x": $0] } ?? [:])
        let problems = profile.apply(
            AttributeChanges(["x": operation], mergesObjects: mergesObjects)
        )
        return (profile.custom["x"], problems)
    }

    @Test("a literal sets and null removes")
    func literals() {
        #expect(change(nil, "pro").after == "pro")
        #expect(change("pro", nil).after == nil)
        #expect(change("pro", 3.5).after == 3.5)
    }

    @Test("inc adds to a number, and to nothing as to zero")
    func increments() {
        #expect(change(4, ["inc": 3]).after == 7)
        #expect(change(nil, ["inc": -2]).after == -2)
        #expect(change(1.5, ["inc": 1]).after == 2.5)
        #expect(change("four", ["inc": 1]).problems.map(\.field) == ["x"])
        #expect(change("four", ["inc": 1]).after == "four")
    }

    @Test("add and remove treat an array as a set; what is added again moves to the end")
    func arrays() {
        #expect(change(["a", "b"], ["add": ["c", "a"]]).after == ["b", "c", "a"])
        #expect(change(["a", "b"], ["remove": ["a", "z"]]).after == ["b"])
        #expect(change(nil, ["add": ["a", "a"]]).after == ["a"])
        #expect(change("text", ["add": ["a"]]).problems.count == 1)
    }

    @Test("an object replaces, and with the merge flag is merged into what is there")
    func objects() {
        let stored: JSONValue = ["a": 1, "b": ["c": 2, "d": 3]]
        #expect(change(stored, ["b": ["c": 9]]).after == ["b": ["c": 9]])
        #expect(
            change(stored, ["b": ["c": 9, "d": nil]], mergesObjects: true).after
                == ["a": 1, "b": ["c": 9]]
        )
    }

    @Test("objects in an array are added, changed and removed by a key of theirs")
    func objectArrays() {
        let stored: JSONValue = [["id": 1, "name": "Rex"], ["id": 2, "name": "Ada"]]
        #expect(
            change(stored, ["$remove": [["$identifier_key": "id", "$identifier_value": 1]]]).after
                == [["id": 2, "name": "Ada"]]
        )
        #expect(
            change(
                stored,
                [
                    "$update": [
                        [
                            "$identifier_key": "id", "$identifier_value": 2,
                            "$new_object": ["name": "Bo"],
                        ]
                    ]
                ]
            ).after == [["id": 1, "name": "Rex"], ["id": 2, "name": "Bo"]]
        )
        #expect(change(nil, ["$add": [["id": 3]]]).after == [["id": 3]])
        #expect(change(nil, ["$add": ["text"]]).problems.count == 1)
    }

    @Test("a name with a dollar sign in front and nesting without end are refused")
    func limits() {
        var profile = profile()
        #expect(profile.apply(AttributeChanges(["$x": 1])).map(\.field) == ["$x"])
        var deep: JSONValue = 1
        for _ in 0..<50 { deep = [deep] }
        #expect(change(nil, deep).problems.count == 1)
        #expect(
            change(nil, .string(String(repeating: "é", count: 300))).after?.stringValue?.count
                == 255
        )
    }

    @Test(
        "a standard attribute that breaks its rule is named with what to send",
        arguments: [
            ("email", "no address"), ("country", "Japan"), ("time_zone", "Mars/Base"),
            ("gender", "x"), ("dob", "yesterday"), ("push_subscribe", "maybe"),
        ]
    )
    func standardRules(name: String, value: String) {
        var profile = profile()
        let problems = profile.apply(AttributeChanges([name: .string(value), "first_name": "Ada"]))
        #expect(problems.map(\.field) == [name])
        #expect(problems.allSatisfy { !$0.message.isEmpty })
        #expect(profile.standard == [.firstName: "Ada"])
    }

    @Test("an object or a list has at most 100 KB as JSON; a larger one is refused by its name")
    func size() throws {
        func list(bytes: Int) -> JSONValue {
            // Two brackets with the comma behind the last element counted: [1], [1,1], …
            .array(Array(repeating: 1, count: (bytes - 1) / 2))
        }
        let largest = list(bytes: CustomAttributeValidator.sizeLimit)
        #expect(change(nil, largest).after == largest)
        #expect(change(nil, largest).problems.isEmpty)
        let larger = list(bytes: CustomAttributeValidator.sizeLimit + 4)
        let refused = change("before", larger)
        #expect(refused.after == "before")
        let problem = try #require(refused.problems.first)
        #expect(problem.field == "x" && refused.problems.count == 1)
        #expect(problem.message.contains("\(CustomAttributeValidator.sizeLimit)"))
    }

    @Test("what grows step by step is refused at the same size, and what is there stays")
    func growth() {
        let half = String(repeating: "a", count: 200)
        let texts = (0..<250).map { JSONValue.string("\($0) \(half)") }
        let stored: JSONValue = .object(["first": .array(texts)])
        let grown = change(stored, ["second": .array(texts)], mergesObjects: true)
        #expect(grown.problems.isEmpty == (grown.after != stored))
        let again = change(
            grown.after,
            ["third": .array(texts), "fourth": .array(texts)],
            mergesObjects: true
        )
        #expect(again.after == grown.after)
        #expect(again.problems.map(\.field) == ["x"])
    }

    @Test("a text that is cut is stored, and said to be cut, wherever it stands")
    func cutTexts() {
        let limit = CustomAttributeValidator.stringLimit
        let long = String(repeating: "茶", count: limit + 1)
        let kept = String(repeating: "茶", count: limit)
        let cases: [(JSONValue, JSONValue)] = [
            (.string(long), .string(kept)), (["a", .string(long)], ["a", .string(kept)]),
            (["city": .string(long)], ["city": .string(kept)]),
        ]
        for (given, stored) in cases {
            let cut = change(nil, given)
            #expect(cut.after == stored)
            #expect(cut.problems.map(\.field) == ["x"])
            #expect(cut.problems.first?.message.contains("\(limit)") == true)
        }
        #expect(change(nil, .string(kept)).problems.isEmpty)
        #expect(change(nil, .string(kept)).after == .string(kept))
    }
}
