import StoreTesting
import Testing

extension Trait where Self == ConditionTrait {
    /// Of tests that are about SQLite itself, such as its file, its log and what earlier versions left in it: they
    /// have nothing to try on PostgreSQL.
    package static var aboutFiles: Self {
        .enabled(if: StoreKind.chosen == .sqlite, "It is about files of SQLite")
    }
}
