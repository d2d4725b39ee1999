import Foundation
import WebPages

/// What whoever is signed in on a phone would get in the coming week, by a rehearsal: nothing is sent.
package struct PhoneWeek: Sendable {
    package enum State: Sendable {
        /// From 0 to 1.
        case playing(Double)
        case done([Message])
        case failed(Failure)
    }

    package enum Failure: String, Sendable, CaseIterable {
        /// Nobody is signed in on the phone, or the server does not know them.
        case nobody
        /// Another rehearsal is played.
        case busy
        /// There is too much to be played beside the server, or it took too long.
        case tooLarge
        case broken
    }

    package struct Message: Sendable {
        package var time: Date
        /// The campaign, journey or in-app message.
        package var source: String
        package var isInApp: Bool
        package var title: String
        package var body: String

        package init(time: Date, source: String, isInApp: Bool, title: String, body: String) {
            self.time = time
            self.source = source
            self.isInApp = isInApp
            self.title = title
            self.body = body
        }
    }

    package var user: String
    package var zone: TimeZone
    package var state: State

    package init(user: String, zone: TimeZone, state: State) {
        self.user = user
        self.zone = zone
        self.state = state
    }
}

/// The part of a phone's page that shows a week.
struct PhoneWeekPart {
    struct Playing {
        let percent: Int
        let text: String
    }

    struct Item {
        let time: String
        let source: String
        let inApp: String?
        let title: String
        let body: String
    }

    struct Day {
        let name: String
        let items: [Item]
    }

    let t: Words
    let lead: String
    let playing: Playing?
    let failure: String?
    let days: [Day]
    let isEmpty: Bool

    init(_ week: PhoneWeek, _ words: Words) {
        t = words
        lead = words("week.lead", ["name": week.user])
        var playing: Playing?
        var failure: String?
        var days: [Day] = []
        var isEmpty = false
        switch week.state {
        case .playing(let share):
            playing = Playing(percent: Int(share * 100), text: words("week.playing"))
        case .failed(let reason): failure = words(reason.wordKey)
        case .done(let messages):
            isEmpty = messages.isEmpty
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = week.zone
            let groups = Dictionary(grouping: messages) { calendar.startOfDay(for: $0.time) }
            days = groups.sorted { $0.key < $1.key }.map { day, messages in
                Day(
                    name: words.longDay(day, in: week.zone),
                    items: messages.sorted { $0.time < $1.time }.map { message in
                        Item(
                            time: words.clock(message.time, in: week.zone),
                            source: message.source,
                            inApp: message.isInApp ? words("week.in_app") : nil,
                            title: message.title,
                            body: message.body
                        )
                    }
                )
            }
        }
        self.playing = playing
        self.failure = failure
        self.days = days
        self.isEmpty = isEmpty
    }
}

extension PhoneWeek.Failure {
    fileprivate var wordKey: String {
        switch self {
        case .nobody: "week.nobody"
        case .busy: "week.busy"
        case .tooLarge: "week.too_large"
        case .broken: "week.broken"
        }
    }
}
