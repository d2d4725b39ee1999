import Campaigns
import Console
import Foundation
import Liquid
import Reasons
import Testing
import WebPages

@Suite struct ServiceWordTests {
    private static func book() throws -> Localizations {
        try Localizations(console: .embedded)
    }

    private static let deep = Reason(
        MessageReason.blockUnusable,
        [
            "name": "legal",
            "reason": .reason(
                LiquidError(.argument, .undefinedFilter, ["name": "shout"]).whole
            ),
        ]
    )

    @Test(
        "a reason is said in the member's language, with what it names and the reasons within it",
        arguments: [
            (
                Language.english,
                "The content block 'legal' cannot be used: Liquid error: undefined filter shout"
            ),
            (.japanese, "コンテンツブロック「legal」は使用できません：Liquid のエラー：フィルター「shout」はありません。"),
            (
                .portuguese,
                "O bloco de conteúdo “legal” não pode ser usado: Erro no Liquid: "
                    + "Não existe o filtro shout."
            ),
        ]
    )
    func said(language: Language, text: String) throws {
        #expect(try Self.book()[language](Self.deep) == text)
    }

    @Test("every code has words in each language, with the places of its English sentence")
    func codes() throws {
        var words: [String: [String: String]] = [:]
        for file in WebFiles.embedded.folder("Console/Words") {
            let list = try JSONDecoder().decode(
                [String: [String: String]].self,
                from: Data(file.bytes)
            )
            words.merge(list) { first, _ in first }
        }
        for code in ReasonFamily.allCases.flatMap(\.codes) {
            for language in Language.allCases where language != .english {
                let text = words[Localizations.reasonBranch + code.key]?[language.rawValue]
                #expect(
                    text.map(Reason.places) == Reason.places(in: code.rawValue),
                    "\(code.key) in \(language.rawValue)"
                )
            }
        }
    }

    @Test("a type of codes has a family of its own")
    func families() {
        for family in ReasonFamily.allCases {
            #expect(family.codes.isEmpty == family.isForPrograms)
            #expect(family.codes.allSatisfy { type(of: $0).family == family })
        }
    }
}
