import News

/// The fields of the news form, by their names in it.
enum NewsField: String, CaseIterable {
    case title, text, url, imageURL, tags, attributes, releaseFrom, releaseEnd
}

/// A field that has to be changed first.
struct NewsFault {
    enum Kind: String, CaseIterable {
        case empty
        case tooLong = "too_long"
        case notAnAddress = "not_an_address"
        case notSecure = "not_secure"
        case tooMany = "too_many"
        case endsBeforeStart = "ends_before_start"
        case notAnObject = "not_an_object"
        case noDate = "no_date"

        var wordKey: String { "news.fault." + rawValue }
    }

    var field: NewsField
    var kind: Kind

    init(_ field: NewsField, _ kind: Kind) {
        self.field = field
        self.kind = kind
    }

    init?(_ problem: NewsProblem) {
        guard let field = NewsField(rawValue: problem.field.rawValue),
            let kind = Kind(rawValue: problem.kind.rawValue)
        else { return nil }
        self.init(field, kind)
    }
}

/// News that the services refuse.
struct NewsRejected: Error {
    var faults: [NewsFault]
}
