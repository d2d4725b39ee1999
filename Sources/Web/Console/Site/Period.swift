import Foundation
import WebPages

/// The start and end of a publication in words; a dash for no limit.
struct Period {
    let text: String

    init(_ from: Date?, _ end: Date?, _ visit: Visit) {
        func day(_ date: Date) -> String { visit.words.day(date, in: visit.zone) }
        text =
            switch (from, end) {
            case (nil, nil): "–"
            case (let from?, nil): visit.words("news.from", ["date": day(from)])
            case (nil, let end?): visit.words("news.until", ["date": day(end)])
            case (let from?, let end?):
                visit.words("news.from_until", ["from": day(from), "end": day(end)])
            }
    }
}
