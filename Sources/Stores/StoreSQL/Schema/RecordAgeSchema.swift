/// Takes away the index of record ids by age, which no query reads and which cost every stored
/// record a second place to write.
enum RecordAgeSchema {
    static let sql = """
        DROP INDEX seen_records_by_age;
        """
}
