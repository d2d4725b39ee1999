import Foundation
import Model
import Sends
import WebPages

/// One push: its counts, states, errors and contents.
struct PushDetailPage {
    struct Dispatch {
        let user: String
        let userAddress: String
        let device: String
        let state: String
        let tone: String
        let reason: String?
        let when: String
        let whenExact: String
        let whenMachine: String

        init(_ row: DispatchReport, context: ConsoleContext) {
            let moment = context.moment(row.changedAt)
            user = row.userName
            userAddress = ConsolePath.user(String(row.profile.rawValue)).path
            device = row.device
            state = context.words(row.progress.wordKey)
            tone = row.progress.tone
            reason = row.reason
            when = moment.relative
            whenExact = moment.exact
            whenMachine = moment.machine
        }
    }

    struct Failure {
        let reason: String
        let advice: String
        let count: String
        let address: String
    }

    /// A page of the push's story.
    struct StoryOpens {
        let page: String
        let title: String
        let opens: String
    }

    /// The option to take back a push for some seconds.
    struct Undo {
        let address: String
        let seconds: Int
        let text: String
    }

    let undo: Undo?
    let row: PushRow
    let banner: Banner
    let lines: [PushReviewPage.Line]
    let failures: [Failure]
    let hasFailures: Bool
    let story: [StoryOpens]
    let hasStory: Bool
    let dispatches: [Dispatch]
    let hasDispatches: Bool
    /// Why none are shown.
    let noDispatches: String
    let funnel: MessageFunnelPart?
    let opens: OpenCurvePart?
    let hasBegun: Bool
    /// Whether it is finished and nothing was rejected.
    let isAllAccepted: Bool
    let mayCancel: Bool
    let editAddress: String?
    let pauseAddress: String?
    let resumeAddress: String?
    let recipientsAddress: String
    let whyAddress: String
    let campaignAddress: String?
    let mayWrite: Bool
    let cancelAddress: String
    let duplicateAddress: String
    let historyAddress: String
    let changesAddress: String

    init(
        _ push: SendReport,
        ledger: SendLedger,
        funnel: MessageFunnel,
        opens: OpenCurve?,
        context: ConsoleContext
    ) {
        let words = context.words
        let send = push.send
        let number = String(send.id.rawValue)
        let form = PushForm(send.content, audience: push.audience)
        row = PushRow(push, context: context)
        banner = Banner(
            title: push.title.isEmpty ? row.title : push.title,
            subtitle: form.text.subtitle,
            message: push.message
        )
        lines = Self.lines(push, form, context)
        failures = ledger.failures.map {
            Failure(
                reason: $0.reason,
                advice: Self.advice($0.reason, words),
                count: words.number($0.count),
                address: ConsolePath.recipients(number).query(
                    FormFields([("reason", $0.reason)])
                )
            )
        }
        hasFailures = !failures.isEmpty
        story = ledger.storyOpens.enumerated().map { index, opens in
            StoryOpens(
                page: words.number(index + 1),
                title: form.story.indices.contains(index) ? form.story[index].title : "",
                opens: words.number(opens)
            )
        }
        hasStory = !story.isEmpty
        dispatches = ledger.isRemoved ? [] : ledger.latest.map { Dispatch($0, context: context) }
        hasDispatches = !dispatches.isEmpty
        noDispatches = words(
            ledger.isRemoved ? "push.recipients_removed" : "push.dispatches_none"
        )
        hasBegun = send.startedAt != nil
        self.funnel = hasBegun ? MessageFunnelPart(funnel, words: words) : nil
        self.opens = OpenCurvePart(opens, words: words)
        isAllAccepted = push.phase == .done
        mayWrite = context.hasRole(atLeast: .marketer)
        mayCancel = mayWrite && push.phase.isOpen
        undo = push.heldUntil.flatMap { time in
            guard context.hasRole(atLeast: .marketer) else { return nil }
            // Both in whole milliseconds, as stored: a fraction would show 61 of 60.
            let wait = max(0, time.milliseconds - context.now.milliseconds)
            let left = Int((wait + 999) / 1_000)
            return Undo(
                address: ConsolePath.undoPush(number).path,
                seconds: left,
                text: words.counted("push.held", left)
            )
        }
        let isOwn = send.content.launch == nil
        editAddress =
            mayWrite && isOwn && push.phase == .scheduled && push.heldUntil == nil
            ? ConsolePath.editPush(number).path : nil
        pauseAddress =
            mayWrite && push.phase == .running ? ConsolePath.pausePush(number).path : nil
        resumeAddress =
            mayWrite && push.phase == .paused ? ConsolePath.resumePush(number).path : nil
        whyAddress = DeliveryExplanationSubject.push(send.id).address
        recipientsAddress = ConsolePath.recipients(number).path
        campaignAddress = send.content.launch.map {
            ConsolePath.campaign(String($0.campaign.rawValue)).path
        }
        cancelAddress = ConsolePath.cancelPush(number).path
        duplicateAddress = ConsolePath.duplicatePush(number).path
        historyAddress = ConsolePath.pushHistory.path
        changesAddress = ConsolePath.pushChanges.path
    }

    private static func lines(
        _ push: SendReport,
        _ form: PushForm,
        _ context: ConsoleContext
    ) -> [PushReviewPage.Line] {
        let words = context.words
        var lines = [
            PushReviewPage.Line(
                label: words("compose.audience"),
                value: push.recipients(words)
            )
        ]
        lines += PushContentLines(form, words: words).lines
        lines.append(.init(label: words("push.author"), value: push.send.content.author))
        let dates: [(key: String, date: Date?)] = [
            ("push.created", push.send.createdAt),
            ("compose.deliver_at", push.deliverAt),
            ("push.started", push.send.startedAt),
            ("push.finished", push.send.finishedAt),
        ]
        for (key, date) in dates {
            guard let date else { continue }
            let text = words.dateAndTime(date, in: context.zone)
            lines.append(.init(label: words(key), value: text))
        }
        return lines
    }

    /// The meaning of a provider's reason for the sender.
    private static func advice(_ reason: String, _ words: Words) -> String {
        switch reason {
        case _ where GoneDevice.isSaid(by: reason):
            words("advice.unregistered")
        case "BadDeviceToken", "DeviceTokenNotForTopic":
            words("advice.bad_token")
        case "UnprovedDevice":
            words("advice.unproved")
        case "PayloadTooLarge":
            words("advice.too_large")
        case "TooManyRequests", "TooManyProviderTokenUpdates":
            words("advice.too_many")
        case "ExpiredProviderToken", "InvalidProviderToken", "MissingProviderToken",
            "BadCertificate", "BadCertificateEnvironment":
            words("advice.credentials")
        case "InternalServerError", "ServiceUnavailable", "Shutdown":
            words("advice.provider")
        default:
            words("advice.other")
        }
    }
}
