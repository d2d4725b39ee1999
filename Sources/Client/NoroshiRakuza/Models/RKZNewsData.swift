import Foundation
import Noroshi

/// A news item.
public final class RKZNewsData: NSObject {
    public let news_id: String
    public let tenant_id: String?
    public let title: String
    public let description_: String?
    public let category: String?
    public let url: String?
    public let release_from_date: Date?
    public let release_end_date: Date?
    public let readed_flg: Bool
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
        case equal, not_equal, `in`, not_in, less_than_include, greater_than_include
        case between_include, between_exclude, like_before, like_after, like_both, like_or
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
