import Foundation
import WebPages

/// The page around one phone; the phone itself is drawn by its script from ``PhoneState``.
struct PhonePage {
    struct Choice {
        let name: String
        let address: String
        let isCurrent: Bool
    }

    struct LanguageOption {
        let tag: String
        let name: String
        let isChosen: Bool
    }

    struct Jump {
        let label: String
        let seconds: Int
    }

    struct Clock {
        let address: String
        let jumps: [Jump]
    }

    let t: Words
    let asset: AssetURLs
    let languageTag: String
    let name: String
    let phones: [Choice]
    let languages: [LanguageOption]
    let phonesAddress: String
    let consoleAddress: String
    let changesAddress: String
    let actionsAddress: String
    let weekAddress: String
    /// `nil` if the clock cannot be moved.
    let clock: Clock?
    /// The texts on the phone in every language, since the phone's language can be changed.
    let deviceWords: String

    init(
        state: PhoneState,
        phones: [PhoneSummary],
        language: Language,
        book: Localizations,
        assets: AssetURLs,
        consoleAddress: String
    ) {
        t = book[language]
        asset = assets
        languageTag = language.rawValue
        name = state.name
        self.phones = phones.map {
            Choice(
                name: $0.name,
                address: PhonePath.phone($0.id).path,
                isCurrent: $0.id == state.id
            )
        }
        languages = Language.allCases.map {
            LanguageOption(
                tag: $0.rawValue,
                name: $0.ownName,
                isChosen: $0.rawValue == state.language
            )
        }
        phonesAddress = PhonePath.phones.path
        self.consoleAddress = consoleAddress
        changesAddress = PhonePath.changes(state.id).path
        actionsAddress = PhonePath.actions(state.id).path
        weekAddress = PhonePath.week(state.id).path
        clock =
            state.secondsAhead == nil
            ? nil
            : Clock(
                address: PhonePath.clock.path,
                jumps: [("page.hour", 3_600), ("page.day", 86_400), ("page.week", 7 * 86_400)].map {
                    [t = book[language]] in Jump(label: t($0), seconds: $1)
                }
            )
        deviceWords = Self.deviceWords(book)
    }

    private static func deviceWords(_ book: Localizations) -> String {
        var words: [String: [String: String]] = [:]
        for language in Language.allCases {
            words[language.rawValue] = book[language].texts(below: "device")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let data = (try? encoder.encode(words)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }
}
