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
    /// The target of a link.
    public let url: String?
    /// The start of publication.
    public let release_from_date: Date?
    /// The end of publication; `nil` if there is none.
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
    /// Maximum number of requested elements.
    public let limit: Int
    /// Number of elements before this page.
    public let offset: Int
    /// The total number of elements.
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
    /// The comparison of the column with the values.
    public enum Kind: String, Sendable {
        /// Equal to the value.
        case equal
        /// Not equal to the value.
        case not_equal
        /// One of the values.
        case `in`
        /// None of the values.
        case not_in
        /// Less than or equal to the value.
        case less_than_include
        /// Greater than or equal to the value.
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

    /// The comparison of the column with the values.
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
    /// Whether the order is ascending.
    public var isAscending: Bool

    /// An order by `column`.
    public init(column: String, isAscending: Bool = true) {
        self.column = column
        self.isAscending = isAscending
    }
}

/// News on the wire: the response of `GET /sdk/v1/news`.
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
    /// The total number, for pages.
    var total: Int
}
