import Model

/// The fields of the news form, by their names in it.
enum NewsField: String, CaseIterable {
    case title, text, url, imageURL, tags, attributes, releaseFrom, releaseEnd

    /// The name of the field that shows what a path leads to.
    static func name(of path: FieldPath) -> String {
        guard case .news(let field) = path else { return "" }
        let own: NewsField =
            switch field {
            case .title: .title
            case .text: .text
            case .url: .url
            case .tags: .tags
            case .imageURL: .imageURL
            case .releaseEnd: .releaseEnd
            }
        return own.rawValue
    }
}
