import Foundation
import Noroshi
import NoroshiOutbox

extension RKZService {
    /// Receives one news item.
    public typealias NewsBlock =
        @MainActor @Sendable (_ news: RKZNewsData?, _ responseStatus: RKZResponseStatus) -> Void
    /// Receives news items.
    public typealias NewsListBlock =
        @MainActor @Sendable (_ newsArray: [RKZNewsData]?, _ responseStatus: RKZResponseStatus)
        -> Void
    /// Receives one page of news items.
    public typealias NewsPageBlock =
        @MainActor @Sendable (
            _ pagingData: RKZPagingData<RKZNewsData>?, _ responseStatus: RKZResponseStatus
        ) -> Void

    /// Reads one news item.
    public func getNews(_ newsId: String, withBlock block: @escaping NewsBlock) {
        fetch(["news_id": newsId]) { list, status in
            guard let values = list?.news.first else {
                let missing = RKZResponseStatus(
                    .validationError,
                    message: "there is no news item \(newsId)"
                )
                block(nil, status.isSuccess ? missing : status)
                return
            }
            block(RKZNewsData(values), status)
        }
    }

    /// Lists published news, at most `limit`; `nil` lists all.
    public func getReleasedNewsList(
        _ limit: NSNumber?,
        searchConditionArray: [RKZSearchCondition]?,
        sortConditionArray: [RKZSortCondition]?,
        withBlock block: @escaping NewsListBlock
    ) {
        var query = Self.query(searchConditionArray, sortConditionArray)
        query["limit"] = limit?.stringValue
        fetch(query) { list, status in block(list?.news.map(RKZNewsData.init), status) }
    }

    /// Lists a page of published news.
    public func getPaginateReleasedNewsList(
        _ limit: NSNumber,
        offset: NSNumber,
        searchConditionArray: [RKZSearchCondition]?,
        sortConditionArray: [RKZSortCondition]?,
        withBlock block: @escaping NewsPageBlock
    ) {
        var query = Self.query(searchConditionArray, sortConditionArray)
        query["limit"] = limit.stringValue
        query["offset"] = offset.stringValue
        let (limit, offset) = (limit.intValue, offset.intValue)
        fetch(query) { list, status in
            let page = list.map { list in
                RKZPagingData(
                    limit: limit,
                    offset: offset,
                    count: list.total,
                    datas: list.news.map(RKZNewsData.init)
                )
            }
            block(page, status)
        }
    }

    /// Lists published news with the user's read state.
    public func getReleasedSegmentNewsList(
        _ limit: NSNumber?,
        userAccessToken: String,
        onlyMatchSegment: Bool,
        searchConditionArray: [RKZSearchCondition]?,
        sortConditionArray: [RKZSortCondition]?,
        withBlock block: @escaping NewsListBlock
    ) {
        var query = Self.query(searchConditionArray, sortConditionArray)
        query["limit"] = limit?.stringValue
        query["user"] = userAccessToken
        query["only_match_segment"] = onlyMatchSegment ? "1" : "0"
        fetch(query) { list, status in block(list?.news.map(RKZNewsData.init), status) }
    }

    /// Marks a news item as read by the user: the event `news_read` with `news_id`.
    public func readNews(
        _ newsId: String,
        tenantId: String? = nil,
        userAccessToken: String,
        withBlock block: @escaping StatusBlock
    ) {
        perform(as: userAccessToken) { noroshi in
            var properties: [String: Any] = ["news_id": newsId]
            properties["news_tenant_id"] = tenantId
            return noroshi.logCustomEvent(name: "news_read", properties: properties).map { _ in }
        } then: {
            block($0.statusCode, $0)
        }
    }

    private func fetch(
        _ query: [String: String],
        then block: @escaping @MainActor @Sendable (RKZNewsList?, RKZResponseStatus) -> Void
    ) {
        let noroshi = noroshi
        Task { @MainActor in
            guard let noroshi else {
                block(
                    nil,
                    RKZResponseStatus(
                        .serviceInitializeError,
                        message: "setTenantKey has to be called first"
                    )
                )
                return
            }
            do {
                let data = try await noroshi.fetch("sdk/v1/news", query: query)
                let decoder = JSONDecoder()
                decoder.dateDecodingStrategy = .iso8601
                block(try decoder.decode(RKZNewsList.self, from: data), RKZResponseStatus(.success))
            } catch let error as DecodingError {
                block(nil, RKZResponseStatus(.consistencyError, message: "\(error)"))
            } catch {
                block(nil, Self.status(of: error))
            }
        }
    }

    /// Conditions in wire format: `column=values∀operator`, `sort=column:0001,…`.
    static func query(
        _ search: [RKZSearchCondition]?,
        _ sort: [RKZSortCondition]?
    ) -> [String: String] {
        var query: [String: String] = [:]
        for condition in search ?? [] {
            let values = condition.searchValueArray.joined(separator: ",")
            query["search[\(condition.searchColumn)]"] =
                condition.searchType == .equal
                ? values : "\(values)∀\(condition.searchType.rawValue)"
        }
        if let sort, !sort.isEmpty {
            query["sort"] =
                sort
                .map { "\($0.column):\($0.isAscending ? "0001" : "0002")" }
                .joined(separator: ",")
        }
        return query
    }
}
