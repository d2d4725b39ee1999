import Audience
import Foundation
import Model
import WebPages

/// A journey to begin with.
enum JourneyTemplate: String, CaseIterable {
    case cart, welcome, winBack, onboarding, blank

    var wordKey: String {
        switch self {
        case .cart: "journeys.template.cart"
        case .welcome: "journeys.template.welcome"
        case .winBack: "journeys.template.win_back"
        case .onboarding: "journeys.template.onboarding"
        case .blank: "journeys.template.blank"
        }
    }

    var helpKey: String {
        switch self {
        case .cart: "journeys.template.cart_help"
        case .welcome: "journeys.template.welcome_help"
        case .winBack: "journeys.template.win_back_help"
        case .onboarding: "journeys.template.onboarding_help"
        case .blank: "journeys.template.blank_help"
        }
    }

    var icon: String {
        switch self {
        case .cart: "event"
        case .welcome: "smile"
        case .winBack: "people"
        case .onboarding: "bell"
        case .blank: "plus"
        }
    }

    /// The journey, in the language of whoever begins with it.
    func definition(
        _ site: ConsoleRenderer,
        _ context: ConsoleContext
    ) async throws -> JourneyDefinition {
        var draft = JourneyTemplateDraft(context.words(wordKey), words: context.words)
        func filter(_ text: String) async throws -> SegmentQuery {
            try await site.services.choices.query(.filter(text), in: context.workspace)
        }
        switch self {
        case .blank:
            draft.definition.name = context.words("journeys.new")
        case .cart: draft.buildCart()
        case .welcome: draft.buildWelcome()
        case .winBack: draft.buildWinBack(try await filter("last_session_at < now - 30 days"))
        case .onboarding:
            draft.buildOnboarding(try await filter("device has (push_enabled)"))
        }
        return draft.definition
    }
}

/// A template while it is put together.
private struct JourneyTemplateDraft {
    var definition: JourneyDefinition
    private let words: Words
    private static let hour: TimeInterval = 3_600
    private static let day: TimeInterval = 86_400

    init(_ name: String, words: Words) {
        self.words = words
        definition = JourneyDefinition(
            name: name,
            entry: .event(EventMatch(.sessionStart))
        )
    }

    private func id() -> JourneyStepID { JourneyStepID(UUID()) }

    private mutating func add(
        _ id: JourneyStepID,
        _ kind: JourneyStepKind,
        name: String = "",
        next: JourneyStepID? = nil
    ) {
        definition.steps.append(JourneyStep(id: id, name: name, kind: kind, next: next))
    }

    private func push(_ title: String, _ text: String) -> JourneyStepKind {
        let message = PushMessage(title: words(title), body: words(text))
        return .push(
            JourneyPush(variants: [
                CampaignVariant(
                    apiID: UUID(),
                    name: CampaignForm.letter(0),
                    message: CampaignMessage(PlatformMessage(message))
                )
            ])
        )
    }

    /// Two reminders, until somebody buys.
    mutating func buildCart() {
        definition.entry = .event(EventMatch(.custom(name: "added_to_cart")))
        definition.reentry = .after(Self.day)
        definition.goal = ConversionEvent(
            event: EventMatch(.purchase(product: nil)),
            window: 3 * Self.day
        )
        definition.endsAtGoal = true
        let (wait, first, pause, second) = (id(), id(), id(), id())
        add(wait, .wait(.duration(Self.hour)), next: first)
        add(first, push("journeys.text.cart_title", "journeys.text.cart_text"), next: pause)
        add(pause, .wait(.duration(Self.day)), next: second)
        add(second, push("journeys.text.cart_again_title", "journeys.text.cart_again_text"))
    }

    /// A greeting after the first session, and a hint for those who have not bought by then.
    mutating func buildWelcome() {
        let (wait, greeting, purchase, thanks, hint) = (id(), id(), id(), id(), id())
        definition.goal = ConversionEvent(
            event: EventMatch(.purchase(product: nil)),
            window: 7 * Self.day
        )
        add(wait, .wait(.duration(10 * 60)), next: greeting)
        add(
            greeting,
            push("journeys.text.welcome_title", "journeys.text.welcome_text"),
            next: purchase
        )
        add(
            purchase,
            .wait(
                .event(
                    EventMatch(.purchase(product: nil)),
                    limit: 3 * Self.day,
                    late: hint
                )
            ),
            next: thanks
        )
        add(thanks, push("journeys.text.thanks_title", "journeys.text.thanks_text"))
        add(hint, push("journeys.text.hint_title", "journeys.text.hint_text"))
    }

    /// For those who have stayed away; half of those who still do get another text.
    mutating func buildWinBack(_ away: SegmentQuery) {
        definition.entry = .entering(away)
        definition.reentry = .after(90 * Self.day)
        definition.goal = ConversionEvent(
            event: EventMatch(.sessionStart),
            window: 14 * Self.day
        )
        definition.endsAtGoal = true
        let (evening, first, pause, split, offer, question) = (id(), id(), id(), id(), id(), id())
        if let time = TimeOfDay(18, 0) {
            add(evening, .wait(.clock(JourneyClockTime(time: time))), next: first)
        }
        add(first, push("journeys.text.win_back_title", "journeys.text.win_back_text"), next: pause)
        add(pause, .wait(.duration(7 * Self.day)), next: split)
        add(
            split,
            .split([
                JourneyShare(name: CampaignForm.letter(0), next: offer),
                JourneyShare(name: CampaignForm.letter(1), next: question),
            ])
        )
        add(offer, push("journeys.text.offer_title", "journeys.text.offer_text"))
        add(question, push("journeys.text.question_title", "journeys.text.question_text"))
    }

    /// By push for those who allowed it; in the app for all others.
    mutating func buildOnboarding(_ reachable: SegmentQuery) {
        let unset = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        let (wait, branch, tip, inside, pause, again) = (id(), id(), id(), id(), id(), id())
        add(wait, .wait(.duration(Self.day)), next: branch)
        add(
            branch,
            .branch([
                JourneyPath(
                    name: words("journeys.text.allowed"),
                    condition: .segment(reachable),
                    next: tip
                )
            ]),
            next: inside
        )
        add(tip, push("journeys.text.tip_title", "journeys.text.tip_text"), next: pause)
        add(pause, .wait(.duration(2 * Self.day)), next: again)
        add(again, push("journeys.text.tip_again_title", "journeys.text.tip_again_text"))
        add(inside, .inAppMessage(JourneyInAppMessage(message: unset)))
    }
}
