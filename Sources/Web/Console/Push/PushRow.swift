import Model
import Sends
import WebPages

/// A push in tables and in live updates.
struct PushRow: Codable {
    let number: Int64
    let address: String
    let title: String
    let message: String
    let audience: String
    let state: String
    let tone: String
    let isRunning: Bool
    /// Whether some of it can still be stopped.
    let isOpen: Bool
    /// Nothing was sent yet: show its time instead of its counts.
    let isReserved: Bool
    let opened: String
    let delivered: String
    let received: String
    let failed: String
    let direct: String
    let influenced: String
    let dismissed: String
    let unknown: String
    let openRate: String
    /// In whole percent, for a bar.
    let openShare: Int
    let done: Int
    let planned: Int
    let progress: String
    let when: String
    let whenExact: String
    let whenMachine: String

    init(_ push: SendReport, context: ConsoleContext) {
        let words = context.words
        let counts = push.counts
        let answered = counts[.accepted] + counts.refused + counts[.unknown]
        number = push.send.id.rawValue
        address = ConsolePath.push(number).path
        title = push.readableTitle(words)
        message = TemplateGist.text(push.message)
        audience = push.recipients(words)
        state = push.heldUntil == nil ? words(push.phase.wordKey) : words("push.state.held")
        tone = push.phase.tone
        isRunning = push.phase == .running
        isOpen = push.phase.isOpen
        isReserved = push.phase == .scheduled
        opened = words.number(counts.allOpens)
        delivered = words.number(counts[.accepted])
        received = words.number(counts.received)
        failed = words.number(counts.refused)
        direct = words.number(counts.opened)
        influenced = words.number(counts.influenced)
        dismissed = words.number(counts.dismissed)
        unknown = words.number(counts[.unknown])
        openRate = words.percent(counts.allOpens, of: counts[.accepted])
        openShare = counts[.accepted] > 0 ? 100 * counts.allOpens / counts[.accepted] : 0
        done = answered
        planned = counts.total
        progress = words(
            "push.progress",
            ["done": words.number(answered), "planned": words.number(planned)]
        )
        let moment = context.moment(push.deliverAt ?? push.send.createdAt)
        when = moment.relative
        whenExact = moment.exact
        whenMachine = moment.machine
    }
}

extension SendCounts {
    /// Rejected by the provider, or skipped.
    var refused: Int { self[.rejected] + self[.skipped] }
}

extension SendReport {
    /// Its title in a list; the app's name where that is shown instead.
    func readableTitle(_ words: Words) -> String {
        title.isEmpty ? words("push.app_name") : TemplateGist.text(title)
    }

    /// Whom it is for, and whether they only look at it.
    func recipients(_ words: Words) -> String {
        let text = audience.text(words)
        return send.content.isTest == true ? words("push.test_audience", ["audience": text]) : text
    }
}
