import Foundation
import Noroshi

/// A news item.
public final class RKZNewsData: NSObject {
    /// The identifier.
    public let news_id: String
    /// The tenant it belongs to.
    public let tenant_id: String?
    /// The headline.
    public let title: String
    /// The text.
    public let description_: String?
    /// The category.
    public let category: String?
    /// Where it leads.
    public let url: String?
    /// When it is published.
    public let release_from_date: Date?
    /// When it ends; `nil` if it does not.
    public let release_end_date: Date?
    /// Whether the user has read it.
    public let readed_flg: Bool
    /// Further fields.
    public let attributes: [String: Any]

    init(_ values: RKZNewsValues) {
        news_id = values.id
        tenant_id = values.tenant
        title = values.title
        description_ = values.text
        category = values.category
        url = values.url
        release_from_date = values.releaseFrom
        release_end_date = values.releaseEnd
        readed_flg = values.isRead ?? false
        attributes = (values.attributes ?? [:]).mapValues(\.anyValue)
    }
}

/// A page of a list.
public final class RKZPagingData<Element>: NSObject {
    /// The most elements that were asked for.
    public let limit: Int
    /// How many elements come before this page.
    public let offset: Int
    /// How many elements there are in all.
    public let result_cnt: Int
    /// The elements of this page.
    public let datas: [Element]

    init(limit: Int, offset: Int, count: Int, datas: [Element]) {
        self.limit = limit
        self.offset = offset
        result_cnt = count
        self.datas = datas
    }
}

/// A condition of a search.
public struct RKZSearchCondition: Sendable, Equatable {
    /// How column and values are compared.
    public enum Kind: String, Sendable {
        /// The value.
        case equal
        /// Not the value.
        case not_equal
        /// One of the values.
        case `in`
        /// None of the values.
        case not_in
        /// The value or less.
        case less_than_include
        /// The value or more.
        case greater_than_include
        /// From the first value to the second, both included.
        case between_include
        /// Between the two values.
        case between_exclude
        /// Begins with the value.
        case like_before
        /// Ends with the value.
        case like_after
        /// Contains the value.
        case like_both
        /// Contains one of the values.
        case like_or
    }

    /// How column and values are compared.
    public var searchType: Kind
    /// The column.
    public var searchColumn: String
    /// The values.
    public var searchValueArray: [String]

    /// A condition on `column`.
    public init(_ type: Kind, column: String, values: [String]) {
        searchType = type
        searchColumn = column
        searchValueArray = values
    }
}

/// An order of a list.
public struct RKZSortCondition: Sendable, Equatable {
    /// The column.
    public var column: String
    /// Whether small values come first.
    public var isAscending: Bool

    /// An order by `column`.
    public init(column: String, isAscending: Bool = true) {
        self.column = column
        self.isAscending = isAscending
    }
}

/// News as they travel: the answer of `GET /sdk/v1/news`.
struct RKZNewsValues: Sendable, Codable {
    var id: String
    var tenant: String?
    var title: String
    var text: String?
    var category: String?
    var url: String?
    var releaseFrom: Date?
    var releaseEnd: Date?
    var isRead: Bool?
    var attributes: [String: JSONValue]?

    enum CodingKeys: String, CodingKey {
        case id = "news_id"
        case tenant = "tenant_id"
        case text = "description"
        case releaseFrom = "release_from_date"
        case releaseEnd = "release_end_date"
        case isRead = "is_read"
        case title, category, url, attributes
    }
}

struct RKZNewsList: Sendable, Codable {
    var news: [RKZNewsValues]
    /// How many there are in all, for pages.
    var total: Int
}
