import Testing

@testable import ObjectStorage

@Suite("Where a bucket is")
struct BucketAddressTests {
    @Test("is said by an address, whose prefix may be left out")
    func addresses() throws {
        let address = try BucketAddress("s3://tea-house.example/backups/main/")
        #expect(address.bucket == "tea-house.example")
        #expect(address.prefix == "backups/main")
        #expect(address.key("a") == "backups/main/a")
        #expect(address.description == "s3://tea-house.example/backups/main")
        let whole = try BucketAddress("s3://tea")
        #expect(whole.key("a") == "a")
        #expect(whole.description == "s3://tea")
        #expect(try BucketAddress("s3://tea/").prefix == "")
        #expect(!BucketAddress.isOne("/var/backups"))
    }

    @Test(
        "cannot be said by something else",
        arguments: [
            "s3://", "s3:///a", "s3://ab", "s3://Tea", "s3://te_a", "s3://-tea", "s3://te..a",
            "s3://tea//a", "s3://tea/a/../b", "s3://tea/a\u{0}b", "https://tea", "s3://tea/./b",
        ]
    )
    func refused(_ text: String) {
        #expect(throws: BucketError.self) { try BucketAddress(text) }
    }

    @Test("is part of the host at Amazon's, and of the path where an endpoint is named")
    func targets() throws {
        let own = BucketEndpoint(region: "eu-central-1")
        #expect(own.target("tea").host == "tea.s3.eu-central-1.amazonaws.com")
        #expect(own.target("tea").path == "")
        // A certificate for *.s3… is not for te.a.s3….
        #expect(own.target("te.a").host == "s3.eu-central-1.amazonaws.com")
        #expect(own.target("te.a").path == "/te.a")
        #expect(BucketEndpoint(region: "cn-north-1").description.hasSuffix(".amazonaws.com.cn"))
        let other = try BucketEndpoint(url: "http://Store.example:9000/s3/", region: "auto")
        #expect(other.target("tea").host == "store.example:9000")
        #expect(other.target("tea").path == "/s3/tea")
        #expect(other.description == "http://store.example:9000/s3")
        let named = try BucketEndpoint(
            url: "https://store.example:443",
            region: "auto",
            usesPaths: false
        )
        #expect(named.target("tea").host == "tea.store.example")
        let texts = [
            "store.example", "ftp://a", "https://", "https://u:p@a", "https://a?b", "s3://a",
        ]
        for text in texts {
            #expect(throws: BucketError.endpoint(text)) {
                try BucketEndpoint(url: text, region: "auto")
            }
        }
    }

    @Test("is opened with credentials that no text shows")
    func credentials() throws {
        let found = try #require(
            BucketCredentials(
                file: """
                    # mine
                    [other]
                    aws_access_key_id = OTHER
                    aws_secret_access_key = no
                    [default]
                    aws_access_key_id = AKID1
                    AWS_SECRET_ACCESS_KEY=abc/+=
                    aws_session_token = t
                    region = x
                    """
            )
        )
        #expect(found == BucketCredentials(keyID: "AKID1", secret: "abc/+=", token: "t"))
        #expect(BucketCredentials(file: "aws_access_key_id=A\naws_secret_access_key=B") != nil)
        #expect(BucketCredentials(file: "[default]\naws_access_key_id=A") == nil)
        #expect(BucketCredentials(file: "") == nil)
        var dumped = ""
        dump(found, to: &dumped)
        for text in ["\(found)", String(reflecting: found), dumped] {
            #expect(!text.contains("abc") && text.contains("AKID1"))
        }
    }
}
