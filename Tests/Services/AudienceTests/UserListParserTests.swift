import Audience
import Testing

@Suite("The identifiers of an uploaded list")
struct UserListParserTests {
    @Test(
        "are the first column of a file, each once, without its heading",
        arguments: [
            ("a\nb\na\n", ["a", "b"]), ("external_id,name\na,Ada\nb;Ben\nc\tCy", ["a", "b", "c"]),
            ("\u{FEFF}ID\r\na\r\n", ["a"]), ("\u{FEFF}a\nid\n", ["a", "id"]),
            ("  a , b\n\n\t b\n", ["a", "b"]),
            ("\"a,b\",1\n\"say \"\"tea\"\"\"\n", ["a,b", "say \"tea\""]),
            ("\"\"\n\"a\"x\n", ["a"]), ("", []),
        ]
    )
    func reading(text: String, ids: [String]) {
        #expect(UserListParser.read(text) == ids)
    }
}
