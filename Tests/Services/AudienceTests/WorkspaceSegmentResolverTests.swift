import Audience
import Foundation
import Model
import Segments
import Testing

@Suite("What rules refer to, by name, identifier or number")
struct WorkspaceSegmentResolverTests {
    private let workspace = WorkspaceID(1)
    private let moment = Date(timeIntervalSince1970: 1_790_000_000)

    private func segment(_ id: Int64, _ name: String, _ text: String) throws -> StoredSegment {
        let rule = try SegmentParser.parse(text).rule
        return StoredSegment(
            id: SegmentID(id),
            workspace: workspace,
            apiID: Self.identifier(id),
            content: SegmentContent(
                name: name,
                description: "",
                definition: String(decoding: try SegmentJSON.encode(rule), as: UTF8.self),
                author: "Mio"
            ),
            createdAt: moment,
            updatedAt: moment
        )
    }

    private static func identifier(_ number: Int64) -> UUID {
        UUID(uuid: (0xAB, 0xCD, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8(number)))
    }

    private func list(_ id: Int64, _ name: String) -> UploadedList {
        UploadedList(
            id: UserListID(id),
            workspace: workspace,
            name: name,
            author: "Mio",
            users: 1,
            updatedAt: moment
        )
    }

    private func campaign(_ id: Int64, _ name: String) -> CampaignReference {
        CampaignReference(id: CampaignID(id), apiID: Self.identifier(id), name: name)
    }

    private func text(_ rule: SegmentRule) -> String { SegmentWriter.text(rule) }

    private func parsed(_ text: String) throws -> SegmentRule {
        try SegmentParser.parse(text).rule
    }

    @Test("a segment is found by number, by name in any case, and by identifier")
    func segments() throws {
        let book = WorkspaceSegmentResolver(
            segments: [try segment(1, "Gold", "age > 1"), try segment(2, "Silver", "age > 2")],
            lists: []
        )
        let rule = try parsed("age > 2")
        for key in ["2", "Silver", "sILVER", Self.identifier(2).uuidString] {
            #expect(book.rule(ofSegment: key) == rule, "\(key)")
        }
        for key in ["3", "Bronze", "", Self.identifier(3).uuidString] {
            #expect(book.rule(ofSegment: key) == nil, "\(key)")
        }
        #expect(
            text(book.resolved(try parsed(#"in segment "silver" and in segment "Bronze""#)))
                == #"in segment "2" and in segment "Bronze""#
        )
        #expect(
            text(book.named(try parsed(#"in segment "2" and not in segment "7""#)))
                == #"in segment "Silver" and not in segment "7""#
        )
    }

    @Test("a name outranks an identifier that another segment has")
    func names() throws {
        let book = WorkspaceSegmentResolver(
            segments: [
                try segment(1, "Gold", "age > 1"),
                try segment(2, Self.identifier(1).uuidString, "age > 2"),
            ],
            lists: []
        )
        #expect(
            text(book.resolved(try parsed("in segment \"\(Self.identifier(1).uuidString)\"")))
                == #"in segment "2""#
        )
    }

    @Test("a segment that cannot be read is as good as none, and the others are there")
    func unreadable() throws {
        var broken = try segment(1, "Broken", "age > 1")
        broken.content.definition = "{"
        let book = WorkspaceSegmentResolver(
            segments: [broken, try segment(2, "Silver", "age > 2")],
            lists: []
        )
        #expect(book.rule(ofSegment: "1") == nil && book.rule(ofSegment: "Broken") == nil)
        #expect(book.rule(ofSegment: "2") != nil)
    }

    @Test("a list is there by number and by name, and has the users whose memberships it is among")
    func lists() throws {
        let book = WorkspaceSegmentResolver(
            segments: [],
            lists: [list(1, "Summer"), list(2, "Winter")],
            memberships: [UserListID(2), UserListID(9)]
        )
        for (key, isThere, isMember) in [
            ("1", true, false), ("summer", true, false), ("2", true, true),
            ("WINTER", true, true), ("Autumn", false, false), ("3", false, false),
        ] {
            #expect(book.hasList(key) == isThere, "\(key)")
            #expect(book.list(key, contains: 7) == isMember, "\(key)")
        }
        #expect(
            text(book.resolved(try parsed(#"in list "winter" or in list "Autumn""#)))
                == #"in list "2" or in list "Autumn""#
        )
        #expect(text(book.named(try parsed(#"in list "1""#))) == #"in list "Summer""#)
    }

    @Test("a campaign is there by number, name and identifier, and a push of none by its number")
    func campaigns() {
        let book = WorkspaceSegmentResolver(
            segments: [],
            lists: [],
            campaigns: [campaign(4, "Sencha"), campaign(6, "6th")]
        )
        for key in [
            "4", "sencha", Self.identifier(4).uuidString, "6TH", "push 12", "push -1",
        ] {
            #expect(book.hasCampaign(key), "\(key)")
        }
        for key in ["5", "Hojicha", "push", "push ", "push x", "push12", "12", "posh 12", ""] {
            #expect(!book.hasCampaign(key), "\(key)")
        }
    }

    @Test("of campaigns with one name the newest is meant, the others are shown by their numbers")
    func sameName() throws {
        let book = WorkspaceSegmentResolver(
            segments: [],
            lists: [],
            campaigns: [campaign(1, "Sencha"), campaign(3, "sencha"), campaign(2, "Sencha")]
        )
        #expect(
            text(book.resolved(try parsed(#"campaign "SENCHA" received"#)))
                == text(try parsed(#"campaign "3" received"#))
        )
        for (number, name) in [("1", "1"), ("2", "2"), ("3", "sencha")] {
            #expect(
                text(book.named(try parsed("campaign \"\(number)\" received")))
                    == text(try parsed("campaign \"\(name)\" received"))
            )
        }
    }

    @Test("a campaign whose name is a number is shown by its own")
    func numberAsName() throws {
        let book = WorkspaceSegmentResolver(
            segments: [],
            lists: [],
            campaigns: [campaign(1, "2"), campaign(2, "Sencha")]
        )
        #expect(
            text(book.resolved(try parsed(#"campaign "2" received"#)))
                == text(try parsed(#"campaign "2" received"#))
        )
        #expect(
            text(book.named(try parsed(#"campaign "1" received"#)))
                == text(try parsed(#"campaign "1" received"#))
        )
        #expect(
            text(book.named(try parsed(#"campaign "2" received"#)))
                == text(try parsed(#"campaign "Sencha" received"#))
        )
    }

    @Test("a reference to what is not there is a problem with its place in the text")
    func problems() throws {
        let book = WorkspaceSegmentResolver(
            segments: [try segment(1, "Gold", "age > 1")],
            lists: [list(1, "Summer")],
            campaigns: [campaign(1, "Sencha")]
        )
        for good in [
            #"in segment "gold""#, #"in list "summer""#, #"campaign "sencha" received"#,
        ] {
            #expect(throws: Never.self) { try book.rule(text: good) }
        }
        for bad in [
            #"in segment "silver""#, #"in list "winter""#, #"campaign "hojicha" received"#,
        ] {
            let problem = #expect(throws: SegmentError.self) {
                try book.rule(text: "age > 1 and " + bad)
            }
            #expect((problem?.range?.lowerBound).map { $0 >= 12 } == true, "\(bad)")
        }
        // A segment that refers to itself, by either form.
        #expect(throws: SegmentError.self) {
            try book.rule(text: #"in segment "gold""#, of: SegmentID(1))
        }
        let json = String(
            decoding: try SegmentJSON.encode(try parsed(#"in segment "Gold""#)),
            as: UTF8.self
        )
        #expect(throws: SegmentError.self) { try book.rule(json: json, of: SegmentID(1)) }
        #expect(throws: Never.self) { try book.rule(json: json, of: SegmentID(2)) }
    }
}
