/// Why the templates and words of pages cannot be used.
package enum WebFileError: Error, CustomStringConvertible, Equatable {
    case unreadable(file: String, reason: String)
    case unknownTemplate(name: String)
    case repeated(key: String)
    case missing(key: String, language: Language)

    package var description: String {
        switch self {
        case .unreadable(let file, let reason):
            "\(file) is neither a template nor a word list: \(reason)"
        case .unknownTemplate(let name): "there is no template named \(name)"
        case .repeated(let key): "the word \(key) is defined twice"
        case .missing(let key, let language): "the word \(key) has no text in \(language.rawValue)"
        }
    }
}
