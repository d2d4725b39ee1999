/// An index that finds the launches of a campaign that are not over, or have been lately, among thousands.
enum LaunchEndSchema {
    static let sql = """
        CREATE INDEX sends_by_end ON sends (campaign_id, finished_at) WHERE campaign_id IS NOT NULL;
        """
}
