import Model
import WebPages

/// A push as tables show it; also what the live updates carry.
struct PushRow: Codable {
    let number: Int64
    let address: String
    let title: String
    let message: String
    let audience: String
    let state: String
    let tone: String
    let isRunning: Bool
    /// Whether anything of it may still be held back.
    let isOpen: Bool
    /// Nothing has left yet: its time says more than its figures.
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
    let done: Int
    let planned: Int
    let progress: String
    let when: String
    let whenExact: String
    let whenMachine: String

    init(_ push: PushSummary, visit: Visit) {
        let words = visit.words
        let figures = push.figures
        number = push.number
        address = ConsolePath.push(push.number).path
        title = push.title.isEmpty ? words("push.app_name") : push.title
        message = push.message
        audience = push.audience.text(words)
        state = push.heldUntil == nil ? words(push.state.wordKey) : words("push.state.held")
        tone = push.state.tone
        isRunning = push.state == .running
        isOpen = push.state.isOpen
        isReserved = push.state == .scheduled
        opened = words.number(figures.opened)
        delivered = words.number(figures.delivered)
        received = words.number(figures.received)
        failed = words.number(figures.rejected)
        direct = words.number(figures.directOpens)
        influenced = words.number(figures.influencedOpens)
        dismissed = words.number(figures.dismissed)
        unknown = words.number(figures.unknown)
        openRate = words.percent(figures.opened, of: figures.delivered)
        done = figures.answered
        planned = figures.planned
        progress = words(
            "push.progress",
            ["done": words.number(figures.answered), "planned": words.number(figures.planned)]
        )
        let moment = visit.moment(push.deliverAt ?? push.createdAt)
        when = moment.relative
        whenExact = moment.exact
        whenMachine = moment.machine
    }
}
