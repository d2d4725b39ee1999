import Foundation
import Model
import WebPages

/// The composer page of a push.
struct PushComposerPage {
    struct Fault {
        let field: String
        let label: String
        let text: String
    }

    /// A field with its error, if any.
    struct Field {
        let value: String
        let fault: String?
    }

    struct Pair {
        let key: String
        let value: String
        let position: Int
    }

    struct StoryRow {
        let position: Int
        let image: String
        let title: String
        let subtitle: String
        let url: String

        /// The rows of a story: those that are written, or as many empty ones as a story needs.
        static func all(_ story: [StoryFields]) -> [StoryRow] {
            let blank = max(0, StoryPage.count.lowerBound - story.count)
            let none = StoryFields(image: "", title: "", subtitle: "", url: "")
            return (story + Array(repeating: none, count: blank)).enumerated().map {
                StoryRow(
                    position: $0 + 1,
                    image: $1.image,
                    title: $1.title,
                    subtitle: $1.subtitle,
                    url: $1.url
                )
            }
        }
    }

    struct News {
        let id: String
        let tenant: String
        let text: String
        let address: String
    }

    let heading: String
    let form: PushForm
    let news: News?
    let faults: [Fault]
    let hasFaults: Bool
    let languages: LanguageTabs
    let title: Field
    let subtitle: Field
    let message: Field
    let url: Field
    let badge: Field
    let customJSON: Field
    let category: Field
    let image: Field
    let user: Field
    let filter: Field
    let deliverAt: Field
    let threadID: Field
    let collapseID: Field
    let pairs: [Pair]
    let pairsFault: String?
    /// The pages of a story: those that are written, or as many empty ones as a story needs.
    let story: [StoryRow]
    let hasStory: Bool
    let storyFault: String?
    let storyMost: Int
    /// What the names of the story's fields begin with.
    let storyPrefix = ""
    let badges: [FormChoice]
    let isBadgeSet: Bool
    let buttons: [FormChoice]
    let isCustomCategory: Bool
    let interruptions: [FormChoice]
    let sounds: [FormChoice]
    let extractions: [FormChoice]
    let isEveryone: Bool
    /// The label of the choice of all users, which means different users in different forms.
    var everyone: String
    var everyoneHelp: String
    /// Neither everyone nor one user.
    let isMatching: Bool
    /// How users are found where it is matching; that by attributes is offered first.
    let isAttributes: Bool
    let isContacts: Bool
    let conditions: ConditionRows
    let isUser: Bool
    let isFilter: Bool
    let isSegment: Bool
    let hasSegments: Bool
    let segments: [FormChoice]
    let segmentFault: String?
    /// Whether the workspace has a control group.
    let asksControlGroup: Bool
    let isScheduled: Bool
    let insertMenu: InsertMenu
    let emoji: [String]
    let deliverHelp: String
    let earliest: String
    let hasMore: Bool
    let reviewAddress: String
    let previewAddress: String
    let testAddress: String
    let reachAddress: String
    /// Where users to look through and all previews come from.
    let sampleAddress: String
    let everyAddress: String
    let choicesAddress: String
    /// The draft in which it is stored while it is edited; `nil` as part of another form.
    var draft: DraftFrame?
    let cancelAddress: String
    let clock: String
    let date: String
    let banner: Banner

    init(
        form: PushForm,
        newsTitle: String?,
        faults: [FormFieldError],
        conditionVocabulary: ConditionRows.Vocabulary,
        insertMenu: InsertMenu,
        segments: [StoredSegment],
        hasControlGroup: Bool,
        context: ConsoleContext
    ) {
        let words = context.words
        asksControlGroup = hasControlGroup
        func fault(_ field: PushField) -> String? {
            faults.first { $0.field == field.rawValue }.map { $0.text }
        }
        func field(_ field: PushField, _ value: String) -> Field {
            Field(value: value, fault: fault(field))
        }
        heading =
            form.editing.isEmpty
            ? words("push.new") : words("push.numbered", ["number": form.editing])
        self.form = form
        self.faults = faults.map { fault in
            Fault(
                field: fault.field,
                label: PushField(rawValue: fault.field).map { words($0.wordKey) } ?? "",
                text: fault.text
            )
        }
        hasFaults = !faults.isEmpty
        news = form.news.map {
            News(
                id: $0.id,
                tenant: $0.tenantID ?? "",
                text: newsTitle ?? "#\($0.id)",
                address: ConsolePath.newsItem($0.id).path
            )
        }
        languages = LanguageTabs(form.text.translations, context: context)
        title = field(.title, form.text.title)
        subtitle = field(.subtitle, form.text.subtitle)
        message = field(.message, form.text.message)
        url = field(.url, form.text.url)
        badge = field(.badge, form.badge.number)
        customJSON = field(.customJSON, form.customJSON)
        category = field(.category, form.buttons.category)
        image = field(.image, form.text.image)
        user = field(.user, form.audience.user)
        filter = field(.filter, form.audience.filter)
        deliverAt = field(.deliverAt, form.deliverAt)
        threadID = field(.threadID, form.threadID)
        collapseID = field(.collapseID, form.collapseID)
        let blank = PushPair(key: "", value: "")
        pairs = (form.pairs + [blank]).enumerated().map { index, pair in
            Pair(key: pair.key, value: pair.value, position: index + 1)
        }
        pairsFault = fault(.pairs)
        story = StoryRow.all(form.story)
        hasStory = !form.story.isEmpty
        storyFault = fault(.story)
        storyMost = StoryPage.count.upperBound
        badges = [
            (BadgeFields.Kind.unchanged, words("badge.unchanged")),
            (.set, words("badge.set")),
            (.clear, words("badge.clear")),
        ]
        .map { kind, label in
            FormChoice(value: kind.rawValue, label: label, isChosen: form.badge.kind == kind)
        }
        isBadgeSet = form.badge.kind == .set
        buttons = ButtonPreset.allCases.map {
            FormChoice(
                value: $0.rawValue,
                label: $0.choiceText(words),
                isChosen: $0 == form.buttons.preset
            )
        }
        isCustomCategory = form.buttons.preset == .custom
        interruptions = PushForm.Interruption.allCases.map {
            FormChoice(
                value: $0.rawValue,
                label: words($0.wordKey),
                isChosen: $0 == form.interruption
            )
        }
        sounds = [
            (PushForm.Sound.standard, words("sound.standard")), (.silent, words("sound.silent")),
        ]
        .map { FormChoice(value: $0.rawValue, label: $1, isChosen: $0 == form.sound) }
        extractions = [
            (PushForm.Extraction.whenSent, words("extraction.when_sent")),
            (.whenReserved, words("extraction.when_reserved")),
        ]
        .map { FormChoice(value: $0.rawValue, label: $1, isChosen: $0 == form.extraction) }
        everyone = words("compose.everyone")
        everyoneHelp = words("compose.everyone_help")
        isEveryone = form.audience.kind == .everyone
        isMatching = ![.everyone, .user].contains(form.audience.kind)
        isAttributes = !isMatching || form.audience.kind == .attributes
        isContacts = form.audience.kind == .contacts
        conditions = ConditionRows(
            form.audience.conditions,
            attributeFault: fault(.attributes),
            eventFault: fault(.contacts),
            conditionVocabulary,
            words: words
        )
        isUser = form.audience.kind == .user
        isFilter = form.audience.kind == .filter
        isSegment = form.audience.kind == .segment
        hasSegments = !segments.isEmpty
        self.segments = segments.map { segment in
            FormChoice(
                value: "\(segment.id)",
                label: segment.content.name,
                isChosen: "\(segment.id)" == form.audience.segment
            )
        }
        segmentFault = fault(.segment)
        isScheduled = form.isScheduled
        self.insertMenu = insertMenu
        emoji = ["🎉", "👋", "🔥", "⏰", "🎁", "💬", "❤️", "⭐️", "☕️", "🛍️", "🚚", "✅"]
        deliverHelp = words("compose.deliver_at_help", ["zone": context.zone.identifier])
        earliest = DateTimeLocalFormat.text(context.now, in: context.zone)
        let laterFields: [PushField] = [
            .customJSON, .category, .image, .story, .threadID, .collapseID,
        ]
        hasMore =
            !form.customJSON.isEmpty || form.buttons.preset != .none || !form.text.image.isEmpty
            || !form.story.isEmpty || !form.threadID.isEmpty || !form.collapseID.isEmpty
            || !form.text.subtitle.isEmpty || form.interruption != .active
            || form.sound != .standard
            || laterFields.contains { fault($0) != nil }
        reviewAddress = ConsolePath.reviewPush.path
        previewAddress = ConsolePath.previewPush.path
        testAddress = ConsolePath.testPush.path
        reachAddress = ConsolePath.pushReach.path
        sampleAddress = ConsolePath.pushSample.path
        everyAddress = ConsolePath.everyPreview.path
        choicesAddress = ConsolePath.userChoices.path
        cancelAddress = ConsolePath.pushHistory.path
        clock = words.clock(context.now, in: context.zone)
        date = words.longDay(context.now, in: context.zone)
        banner = Banner(
            title: form.text.title.isEmpty ? words("push.app_name") : form.text.title,
            subtitle: form.text.subtitle,
            message: form.text.message.isEmpty
                ? words("compose.placeholder_preview") : form.text.message
        )
    }
}
