/// The few sends that somebody made to look at them, so that figures can leave them out.
enum TestSendSchema {
    static let sql = """
        CREATE INDEX sends_of_tests ON sends (workspace_id) WHERE content ->> '$.isTest';
        """
}
