#if canImport(UIKit)
import Foundation
import NoroshiExtensions
import UIKit

/// Draws the interactive pattern of a match game: a grid of cards.
@MainActor
final class MatchView: UIStackView {
    private var game: NoroshiMatchGame
    private let words: NoroshiContentWords
    private let perform: ([NoroshiPatternEffect]) -> Void
    private(set) var buttons: [UIButton] = []
    private var isReported = false

    init(
        _ game: NoroshiMatchGame,
        words: NoroshiContentWords,
        columns: Int = 4,
        perform: @escaping ([NoroshiPatternEffect]) -> Void
    ) {
        self.game = game
        self.words = words
        self.perform = perform
        super.init(frame: .zero)
        axis = .vertical
        spacing = 8
        for start in stride(from: 0, to: game.cards.count, by: columns) {
            let row = UIStackView()
            row.axis = .horizontal
            row.spacing = 8
            row.distribution = .fillEqually
            for index in start..<min(start + columns, game.cards.count) {
                let button = UIButton(type: .system)
                button.addAction(
                    UIAction { [weak self] _ in self?.turn(index) },
                    for: .touchUpInside
                )
                buttons.append(button)
                row.addArrangedSubview(button)
            }
            addArrangedSubview(row)
        }
        update()
    }

    @available(*, unavailable)
    required init(coder: NSCoder) {
        preconditionFailure("the view is made in code")
    }

    private func turn(_ index: Int) {
        _ = game.turn(index)
        update()
        if game.isSolved, !isReported {
            isReported = true
            perform(game.result())
        }
    }

    private func update() {
        for (index, (button, card)) in zip(buttons, game.cards).enumerated() {
            let isOpen = card.isFaceUp || card.isMatched
            button.setTitle(isOpen ? card.face : "?", for: .normal)
            button.accessibilityLabel =
                "\(words.card) \(index + 1)" + (isOpen ? ": \(card.face)" : "")
            button.isEnabled = !card.isMatched
        }
    }
}
#endif
