import Model
import Reasons
import Relational

extension StoreError {
    /// A column holds none of the values that this version knows.
    static func unknownValue(_ column: String, in row: Row) -> StoreError {
        let value: DatabaseValue = row[column]
        return unknownValue(column, String.fromDatabaseValue(value) ?? value.description)
    }

    static func unknownValue(_ column: String, _ value: String) -> StoreError {
        StoreError(
            .unreadable,
            .unknownValue,
            ["column": .text(column), "value": .text(value)]
        )
    }
}
