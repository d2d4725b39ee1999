import Foundation
import WebPages

/// The start and end of a publication in words; a dash for no limit.
struct Period {
    let text: String

    init(_ from: Date?, _ end: Date?, _ context: ConsoleContext) {
        func day(_ date: Date) -> String { context.words.day(date, in: context.zone) }
        text =
            switch (from, end) {
            case (nil, nil): "–"
            case (let from?, nil): context.words("news.from", ["date": day(from)])
            case (nil, let end?): context.words("news.until", ["date": day(end)])
            case (let from?, let end?):
                context.words("news.from_until", ["from": day(from), "end": day(end)])
            }
    }
}
