import GRDB
import Model
import Reasons
import Relational
import Testing

@testable import StoreSQL

@Suite("Stored reasons")
struct StoredReasonTests {
    @Test(
        "a reason comes back with its code, whatever stands in it, and can be said in any language"
    )
    func back() throws {
        let reason = Reason(
            ContentCallReason.mayNotBeCalled,
            [
                "reason": .reason(
                    Reason(
                        ContentCallReason.notPublic,
                        ["host": "tea.example", "setting": "{host}"]
                    )
                )
            ]
        )
        #expect(StoredReason.value(try StoredReason.text(reason)) == reason)
        #expect(StoredReason.value(try StoredReason.text(nil)) == nil)
    }

    @Test("what an earlier version stored is said as it was", arguments: ["answered 503", "{", ""])
    func earlier(text: String) {
        #expect(StoredReason.value(text)?.description == text)
    }

    @Test("an unknown value is named with its column, of whatever type it is")
    func unknown() throws {
        let row = try #require(
            try DatabaseQueue().read { database in
                try Relational.Row.fetchOne(
                    Relational.Database(database),
                    sql: "SELECT 7 AS state, 'tea' AS kind, NULL AS role"
                )
            }
        )
        let texts = ["state", "kind", "role"].map { "\(StoreError.unknownValue($0, in: row))" }
        #expect(
            texts == [
                "the column state holds the unknown value '7'",
                "the column kind holds the unknown value 'tea'",
                "the column role holds the unknown value 'NULL'",
            ]
        )
    }
}
