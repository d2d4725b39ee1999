import Foundation
import Model
import NoroshiWire
import Testing

@Suite("A user's name")
struct FullNameTests {
    private static func name(_ first: String?, _ last: String?) -> String {
        var profile = Profile(
            id: ProfileID(1),
            workspace: WorkspaceID(1),
            publicID: UUID(),
            externalID: nil,
            anonymousID: nil,
            createdAt: .distantPast
        )
        profile.standard[.firstName] = first.map(JSONValue.string)
        profile.standard[.lastName] = last.map(JSONValue.string)
        return profile.fullName
    }

    @Test(
        "has the family name first where people write it so; foreign names in katakana do not",
        arguments: [
            ("Ada", "Lovelace", "Ada Lovelace"), ("美咲", "中村", "中村 美咲"),
            ("さくら", "ヤマダ", "ヤマダ さくら"), ("민준", "김", "김 민준"),
            ("アダ", "ラブレス", "アダ ラブレス"), ("José", "Araújo", "José Araújo"),
            (nil, "中村", "中村"), ("Ada", nil, "Ada"), ("", "Lovelace", "Lovelace"), (nil, nil, ""),
        ]
    )
    func order(first: String?, last: String?, name: String) {
        #expect(Self.name(first, last) == name)
    }
}
