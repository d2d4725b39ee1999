import Testing

@testable import StoreSQL

/// Somebody's file has been through every step that was released: another text of it would make
/// another schema out of the same file.
@Suite("A released migration")
struct FrozenMigrationTests {
    /// The steps and the fingerprints of their SQL. New ones are added; what is here stays.
    private static let released: [(name: String, fingerprint: String)] = [
        ("1 first schema", "1b311e47f7952585"),
        ("2 identities", "adf0361d7ac7f009"),
        ("campaigns", "7140752a0d7f4f3f"),
        ("segments", "56d5a810ea8dd74"),
        ("news", "c4c8dd8632b667f0"),
        ("audit log", "d3cd72414baf9629"),
        ("block list", "572ecbbea0ec7169"),
        ("sdk authentication", "da4e9cd714796c58"),
        ("message content", "abd034fb30030dde"),
        ("ledger lanes, leases and counts", "148337a9627ab36a"),
        ("daily counts", "a803cc40a6ce498f"),
        ("subscriptions", "2c465ca1da59aeba"),
        ("key use", "8edf654b06a0a23c"),
        ("lookup", "1c6b91820d43d9a8"),
        ("in-app messages", "34394175fd7edd4"),
        ("request keys", "b912ef2eb94656c2"),
        ("in-app message reports", "51d3dd1f086d1dba"),
        ("in-app message variants", "7e7524a714f7d77"),
        ("frozen audiences", "99185f64d1893759"),
        ("rows set aside", "bf4b585dd074809c"),
        ("names of sends", "32a55e2d7e936986"),
        ("export links", "b3a2828d5983e55"),
        ("apps of events", "13cfc7aea347289b"),
        ("proved devices", "5814706a3788d29"),
        ("catalog selections", "54d15bf21d7df9a0"),
        ("member directory", "7fa630fe86520888"),
        ("sync jobs", "1cd4a6eccad174f1"),
        ("preference centers", "a73cdb81ee6da30c"),
        ("store probe", "99ac28225fd54b8c"),
        ("sign-in attempts", "e01f1ca2fa895652"),
        ("history of persons", "4491125169fb5f6a"),
        ("influenced opens", "8e1f975decdd837d"),
        ("form drafts", "7dbb065883b76661"),
        ("campaign variants", "dc0f43f569f96acb"),
        ("reports of devices", "2fa3b215e6aa6692"),
        ("workspace settings", "f5ecabb8a27139b3"),
        ("drafts of all forms", "a3c0579faa0ed1fb"),
        ("names of news", "d82dcbb299a43ff2"),
        ("platforms of gone devices", "66253ed5d0ae0516"),
        ("identities of in-app variants", "a35332a88ea561e8"),
        ("sending hold", "5e3e7cba0d666b9d"),
        ("pages of push stories", "b05d15377c724915"),
        ("record ids without an age", "c03524d65302e3b7"),
        ("withheld messages", "48c63786327e9b8d"),
        ("saved reports", "2fd7423642db837d"),
        ("journeys", "10751d286f3f2574"),
        ("request keys of journeys", "f05850f83ee22cea"),
        ("ends in journeys", "b668444e7030eca2"),
        ("schedules of journeys", "6075c93577cd2609"),
        ("sessions of members", "803578f282f2af29"),
        ("second factors", "da8142f05b51355e"),
        ("passkeys", "a5176378c63b33ab"),
        ("pushes that are tests", "259d8bf071188070"),
        ("goals of in-app messages", "e6a2d3b3b553c441"),
        ("retention", "6b9eba4c5318f389"),
        ("ends of keys", "a73d4a1bcbce67c4"),
        ("facts", "48bb0c178a4642ee"),
        ("webhooks of facts", "8d56e38ded124dcd"),
        ("files of folders", "24e4d1b8ffc92a8a"),
        ("OpenID Connect", "ca241d38286a5384"),
        ("memberships", "73e353cbce2fa5b9"),
        ("removed events", "c15f481e31c572aa"),
        ("removed sessions", "68de1778f88bbeac"),
        ("removed in-app reports", "f04a5d6d3407cf10"),
        ("removed reports of pushes", "3f82ceb4d1a55878"),
        ("ends of launches", "b6a576c721c5172b"),
        ("closed ledgers", "ef9273fb8086ad7f"),
        ("servers", "8f849795ff98ded5"),
        ("key of secrets", "d0e423c4a931375e"),
        ("content blocks of sends", "6485ee55e22b97df"),
        ("roles of servers", "bb357a39d3a10e37"),
        ("rehearsals", "3b4d453f40a20cdb"),
        ("contents of launches", "680a871dcb1c1fe6"),
        ("recently removed events", "8c8be71c7f8c7cb2"),
        ("events of users", "430bf9ce0bdda227"),
        ("packed sums of removed events", "dbd222384d37628c"),
        ("deleted events at the end", "7361f99038c5341a"),
        ("in-app message reports by user", "c3558c363a961eae"),
        ("recipients of removed messages", "db57f5a160bd23fb"),
        ("events by quarter", "e51efa075cd40a88"),
        ("estimates of new rows", "72d121e7c77fa18b"),
    ]

    /// FNV-1a, 64 bits.
    private static func fingerprint(of sql: String) -> String {
        let hash = sql.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 16)
    }

    @Test("is never edited, renamed or moved")
    func frozen() {
        let steps = Migrations.steps.map { "\($0.name): \(Self.fingerprint(of: $0.sql))" }
        let known = Self.released.map { "\($0.name): \($0.fingerprint)" }
        #expect(Array(steps.prefix(known.count)) == known)
        // One that is not written here yet could still be edited unseen.
        #expect(steps.count == known.count)
        #expect(Set(Migrations.steps.map(\.name)).count == steps.count)
    }
}
