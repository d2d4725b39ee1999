#if canImport(UIKit)
import Foundation
import NoroshiExtensions
import UIKit

/// Draws the pattern of a push story: the picture and the words of a page, and two arrows.
@MainActor
final class StoryView: UIStackView {
    private(set) var story: NoroshiPushStory
    private let picture: (_ page: Int) -> UIImage?
    private let sleep: @Sendable (TimeInterval) async throws -> Void
    private let turned: () -> Void

    let pageControl = UIControl(frame: .zero)
    let imageView = UIImageView(image: nil)
    let titleLabel = UILabel.noroshi(.headline)
    let subtitleLabel = UILabel.noroshi(.body)
    let placeLabel = UILabel.noroshi(.footnote)
    let previousButton = UIButton(type: .system)
    let nextButton = UIButton(type: .system)

    /// - Parameters:
    ///   - picture: The picture of a page, from 1, read when it is shown: an extension has little
    ///     memory.
    ///   - turned: Called after another page is drawn, whose height may differ.
    ///   - open: Called with the effects of a tap on a page.
    init(
        _ story: NoroshiPushStory,
        words: NoroshiContentWords,
        picture: @escaping (_ page: Int) -> UIImage?,
        sleep: @escaping @Sendable (TimeInterval) async throws -> Void,
        turned: @escaping () -> Void,
        open: @escaping ([NoroshiPatternEffect]) -> Void
    ) {
        self.story = story
        self.picture = picture
        self.sleep = sleep
        self.turned = turned
        super.init(frame: .zero)
        axis = .vertical
        spacing = 12
        previousButton.setTitle(words.previous, for: .normal)
        nextButton.setTitle(words.next, for: .normal)
        let bar = UIStackView(arrangedSubviews: [previousButton, placeLabel, nextButton])
        bar.distribution = .fillEqually
        placeLabel.textAlignment = .center
        addArrangedSubview(makePage())
        addArrangedSubview(bar)
        pageControl.addAction(
            UIAction { [weak self] _ in
                guard let self else { return }
                open(self.story.open())
            },
            for: .touchUpInside
        )
        previousButton.addAction(
            UIAction { [weak self] _ in self?.turn { $0.turnBack() } },
            for: .touchUpInside
        )
        nextButton.addAction(
            UIAction { [weak self] _ in self?.turn { $0.turnForward() } },
            for: .touchUpInside
        )
        draw()
        advance()
    }

    @available(*, unavailable)
    required init(coder: NSCoder) {
        preconditionFailure("the view is made in code")
    }

    /// The picture and the words, which a tap opens together.
    private func makePage() -> UIView {
        let content = UIStackView(arrangedSubviews: [imageView, titleLabel, subtitleLabel])
        content.axis = .vertical
        content.spacing = 8
        // The control gets the touches, not what it shows.
        content.isUserInteractionEnabled = false
        content.translatesAutoresizingMaskIntoConstraints = false
        imageView.contentMode = .scaleAspectFill
        imageView.clipsToBounds = true
        pageControl.isAccessibilityElement = true
        pageControl.addSubview(content)
        NSLayoutConstraint.activate([
            content.topAnchor.constraint(equalTo: pageControl.topAnchor),
            content.leadingAnchor.constraint(equalTo: pageControl.leadingAnchor),
            content.trailingAnchor.constraint(equalTo: pageControl.trailingAnchor),
            content.bottomAnchor.constraint(equalTo: pageControl.bottomAnchor),
            imageView.heightAnchor.constraint(equalTo: imageView.widthAnchor, multiplier: 0.5),
        ])
        return pageControl
    }

    private func turn(_ change: (inout NoroshiPushStory) -> Void) {
        change(&story)
        draw()
        turned()
        // The focus of VoiceOver stays on the arrow.
        UIAccessibility.post(
            notification: .announcement,
            argument: pageControl.accessibilityLabel
        )
    }

    private func draw() {
        let page = story.page
        imageView.image = picture(story.number)
        imageView.isHidden = imageView.image == nil
        titleLabel.text = page.title
        titleLabel.isHidden = page.title.isEmpty
        subtitleLabel.text = page.subtitle
        subtitleLabel.isHidden = page.subtitle.isEmpty
        let place = "\(story.number) / \(story.pages.count)"
        placeLabel.text = place
        pageControl.accessibilityLabel = [page.title, page.subtitle, place]
            .filter { !$0.isEmpty }
            .joined(separator: ", ")
    }

    /// Turns the pages by themselves until the user does, or the last one is reached. For whoever
    /// listens to VoiceOver they wait: a page that is read must not be taken away.
    private func advance() {
        Task { [weak self, sleep] in
            while self?.story.isAdvancing == true {
                // The wait is not cancelled; an injected wait that throws counts as finished.
                try? await sleep(NoroshiPushStory.pageSeconds)
                guard let self else { return }
                if !UIAccessibility.isVoiceOverRunning, story.advance() {
                    draw()
                    turned()
                }
            }
        }
    }
}
#endif
