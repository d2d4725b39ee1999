/// How many users there are, and how many of them have each value.
package struct CompositionAnswer: Sendable, Hashable {
    package struct Group: Sendable, Hashable {
        package var group: ReportGroup
        package var users: Int

        package init(_ group: ReportGroup, users: Int) {
            self.group = group
            self.users = users
        }
    }

    package var users: Int
    /// Who has several values is in several of them.
    package var groups: [Group]

    package init(users: Int, groups: [Group]) {
        self.users = users
        self.groups = groups
    }

    package func table(_ name: ReportTable.Name) -> ReportTable {
        ReportTable(
            columns: ["group_kind", "group", "users"],
            rows: [["all", "", String(users)]]
                + groups.map { [$0.group.kind, name($0.group), String($0.users)] }
        )
    }
}
