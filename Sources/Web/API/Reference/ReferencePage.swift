import Foundation
import HTTPTypes
import NoroshiWire
import WebPages

/// The contents of the page at `/docs/api`, generated from the served endpoints.
struct ReferencePage: Sendable {
    struct Group: Sendable {
        var name: String
        var endpoints: [Endpoint]
    }

    struct Endpoint: Sendable {
        var anchor: String
        var method: String
        var path: String
        var summary: String
        var permission: String
        var limit: String
        var hasFields: Bool
        var fieldsTitle: String
        var fields: [SchemaFields.Row]
        var curl: String
        var swift: String?
        var status: String
        var answer: [SchemaFields.Row]
    }

    let groups: [Group]
    let asset: AssetURLs

    init(endpoints: [RESTEndpoint], limits: RateLimits, assets: AssetURLs) {
        asset = assets
        var groups: [Group] = []
        for endpoint in endpoints.sorted(by: { $0.path < $1.path }) {
            let shown = Endpoint(endpoint, limits)
            if let last = groups.indices.last, groups[last].name == endpoint.group {
                groups[last].endpoints.append(shown)
            } else {
                groups.append(Group(name: endpoint.group, endpoints: [shown]))
            }
        }
        self.groups = groups
    }
}

extension ReferencePage.Endpoint {
    fileprivate init(_ endpoint: RESTEndpoint, _ limits: RateLimits) {
        let body = endpoint.hasBody ? SchemaFields(endpoint.request).rows : []
        let parameters = endpoint.parameters.map { parameter in
            var row =
                SchemaFields(.object([parameter.name: parameter.schema])).rows.first
                ?? .init(name: parameter.name, type: "", meaning: "", isRequired: false)
            row.isRequired = parameter.isRequired
            row.meaning =
                parameter.place == .header ? "A header. \(parameter.meaning)" : parameter.meaning
            return row
        }
        let example = RequestExample(endpoint)
        self.init(
            anchor: endpoint.operation,
            method: endpoint.method.rawValue,
            path: endpoint.path,
            summary: endpoint.summary,
            permission: endpoint.permission,
            limit: ([endpoint.limit] + (endpoint.limitsBroadcasts ? [.broadcast] : []))
                .map { Self.words($0, limits) }.joined(separator: ", "),
            hasFields: !(body + parameters).isEmpty,
            fieldsTitle: endpoint.hasBody ? "Body" : "Parameters",
            fields: parameters + body,
            curl: example.curl,
            swift: example.swift,
            status: String(endpoint.success.code),
            answer: SchemaFields(endpoint.answer).rows
        )
    }

    private static func words(_ kind: RateLimiter.Kind, _ limits: RateLimits) -> String {
        let (rule, what) =
            switch kind {
            case .track: (limits.track, "")
            case .export: (limits.export, " for exports")
            case .sdk: (limits.sdk, " of an app's SDKs")
            case .broadcast: (limits.broadcast, " with broadcast")
            case .other: (limits.other, " of all other endpoints together")
            }
        return "\(rule.requests) requests\(what) in \(Int(rule.seconds)) seconds"
    }
}
