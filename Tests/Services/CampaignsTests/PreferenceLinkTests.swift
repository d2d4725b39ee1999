import Campaigns
import Crypto
import Foundation
import Model
import Testing

@Suite("A link to somebody's preferences")
struct PreferenceLinkTests {
    private let links = PreferenceLinks(key: SymmetricKey(data: Data(repeating: 7, count: 32)))

    @Test(
        "names the workspace, the page and the user it was made for",
        arguments: [0, 1, 255, 256, 65_537, .max, -1, .min] as [Int64]
    )
    func roundTrip(workspace: Int64) {
        let link = PreferenceLink(workspace: WorkspaceID(workspace), center: UUID(), user: UUID())
        let token = links.token(of: link)
        #expect(links.link(token) == link)
        // It is a part of a path.
        #expect(
            token.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        )
        #expect(links.token(of: link) == token)
    }

    @Test("is good only as it was signed, by this server")
    func signature() throws {
        let link = PreferenceLink(workspace: WorkspaceID(3), center: UUID(), user: UUID())
        let token = links.token(of: link)
        let others = PreferenceLinks(key: SymmetricKey(data: Data(repeating: 8, count: 32)))
        #expect(others.link(token) == nil)
        #expect(links.link("") == nil)
        #expect(links.link(String(token.dropLast())) == nil)
        #expect(links.link(String(token.dropFirst())) == nil)
        #expect(links.link(token + "A") == nil)
        for index in token.indices {
            var changed = token
            let other: Character = token[index] == "B" ? "C" : "B"
            changed.replaceSubrange(index...index, with: String(other))
            #expect(links.link(changed) == nil, "\(changed)")
        }
    }
}
