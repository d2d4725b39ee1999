import Foundation
@_spi(Testing) import NoroshiContent
@_spi(Testing) import NoroshiOutbox
import UIKit

/// The demo app's notification content extension, in the languages of the phone.
final class DemoContentController: NoroshiContentViewController {
    private let chosenConfiguration: NoroshiConfiguration
    private let chosenDependencies: NoroshiDependencies
    private let language: String

    init(
        configuration: NoroshiConfiguration,
        dependencies: NoroshiDependencies,
        language: String
    ) {
        chosenConfiguration = configuration
        chosenDependencies = dependencies
        self.language = language
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        nil
    }

    override var configuration: NoroshiConfiguration? { chosenConfiguration }
    override var dependencies: NoroshiDependencies { chosenDependencies }

    override var words: NoroshiContentWords {
        var words = NoroshiContentWords()
        switch language.prefix(2) {
        case "ja":
            words.register = "登録する"
            words.thanks = "ありがとうございました"
            words.textPlaceholder = "ご回答"
            words.spin = "回す"
            words.card = "カード"
        case "pt":
            words.register = "Cadastrar"
            words.thanks = "Agradecemos"
            words.emailPlaceholder = "nome@example.com"
            words.phonePlaceholder = "+55 11 2345 6789"
            words.textPlaceholder = "Sua resposta"
            words.spin = "Girar"
            words.card = "Carta"
        default:
            break
        }
        return words
    }
}
