import Campaigns
import Foundation
import Liquid
import Model
import NoroshiWire
import Testing

@Suite("A push with texts in several languages")
struct TranslationTests {
    private static let message = {
        var message = PushMessage(title: "Hello", body: "Tea for {{${first_name}}}")
        message.uri = "tea://{{${language}}}"
        message.translations = [
            "ja": PushTranslation(title: "こんにちは", body: "{{${first_name}}}さんのお茶"),
            "pt": PushTranslation(body: "Chá"),
            "fr": PushTranslation(),
        ]
        return message
    }()

    private func rendered(
        _ message: PushMessage,
        _ language: String?,
        shown: String? = nil
    ) async throws -> PushMessage? {
        var profile = Profile(
            id: ProfileID(1),
            workspace: WorkspaceID(1),
            publicID: UUID(),
            externalID: "yuki",
            anonymousID: nil,
            createdAt: .distantPast
        )
        profile.standard[.firstName] = "Yuki"
        profile.standard[.language] = language.map(JSONValue.string)
        let outcome = try await PushTemplates(parsing: message).render(
            for: ProfileVariables(profile: profile, language: shown),
            now: .distantPast,
            by: MessageRenderer()
        )
        guard case .message(let found) = outcome else { return nil }
        return found
    }

    @Test(
        "each user gets the own language, with or without its region, and the message's where there is none",
        arguments: [
            ("ja", "こんにちは", "Yukiさんのお茶", "tea://ja"),
            ("JA-JP", "こんにちは", "Yukiさんのお茶", "tea://JA-JP"),
            // What a language leaves empty is as in the message.
            ("pt-BR", "Hello", "Chá", "tea://pt-BR"), ("pt_PT", "Hello", "Chá", "tea://pt_PT"),
            ("fr", "Hello", "Tea for Yuki", "tea://fr"),
            ("de", "Hello", "Tea for Yuki", "tea://de"),
            (nil, "Hello", "Tea for Yuki", "tea://"),
        ] as [(String?, String, String, String)]
    )
    func chosen(language: String?, title: String, body: String, uri: String) async throws {
        let found = try #require(try await rendered(Self.message, language))
        #expect([found.title, found.body, found.uri] == [title, body, uri])
        // Nothing of the other languages is stored, sent or counted with it.
        #expect(found.translations == nil)
    }

    @Test("another language than the user's can be looked at")
    func shown() async throws {
        let found = try #require(try await rendered(Self.message, "ja", shown: "pt"))
        #expect([found.body, found.uri] == ["Chá", "tea://pt"])
    }

    @Test("texts without Liquid differ by language all the same")
    func plain() async throws {
        var message = PushMessage(body: "Tea")
        message.translations = ["ja": PushTranslation(body: "お茶")]
        #expect(try PushTemplates(parsing: message).isPersonal)
        #expect(try await rendered(message, "ja")?.body == "お茶")
        #expect(try await rendered(message, "en")?.body == "Tea")
    }

    @Test("a text that tells languages apart by itself stays as it is")
    func handWritten() async throws {
        let text = "{% if ${language} == 'ja' %}お茶{% else %}Tea{% endif %}"
        #expect(try await rendered(PushMessage(body: text), "ja")?.body == "お茶")
        #expect(try await rendered(PushMessage(body: text), "en")?.body == "Tea")
    }

    @Test("what cannot be read is named with its language")
    func faults() {
        var message = Self.message
        message.translations?["ja"]?.title = "{{"
        message.translations?["pt"]?.body = "{% if %}"
        #expect {
            try PushTemplates(parsing: message)
        } throws: { error in
            (error as? ValidationError)?.problems.map(\.path.description)
                == ["translations.ja.title", "translations.pt.body"]
        }
    }

    @Test("content blocks are looked for in every language")
    func blocks() throws {
        var message = PushMessage(body: "{{content_blocks.${footer}}}")
        message.translations = ["ja": PushTranslation(body: "{{content_blocks.${owari}}}")]
        #expect(try PushTemplates(parsing: message).contentBlocks == ["footer", "owari"])
        #expect(PushTemplates.texts(of: message).contains("{{content_blocks.${owari}}}"))
    }

    @Test("a message that was stored before there were languages is read")
    func earlier() throws {
        let stored = try JSONEncoder().encode(PushMessage(title: "A", body: "B"))
        #expect(!String(decoding: stored, as: UTF8.self).contains("translations"))
        #expect(try JSONDecoder().decode(PushMessage.self, from: stored).translations == nil)
    }
}
