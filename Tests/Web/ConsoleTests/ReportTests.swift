import Console
import HTTPTypes
import SampleWorkspace
import Testing
import WebPages

@Suite("The pages of reports")
struct ReportTests {
    private func address(_ path: ConsolePath, _ fields: [(String, String)]) -> String {
        path.query(FormFields(fields))
    }

    @Test("a funnel without two steps asks for them; with them it shows how many got how far")
    func funnel() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let first = try await browser.get(ConsolePath.funnelReport.path)
            #expect(first.text.contains("Choose at least two steps."))
            #expect(first.text.contains("<option value=\"event:menu_viewed\">menu_viewed</option>"))
            let fields = [
                ("length", "60"), ("step", "session"), ("step", ""), ("step", "event:menu_viewed"),
                ("window", "30"), ("by", "country"),
            ]
            let page = try await browser.get(address(.funnelReport, fields))
            #expect(page.status == .ok)
            #expect(page.text.contains("<b>1. Session</b>"))
            #expect(page.text.contains("<b>2. menu_viewed</b>"))
            #expect(page.text.contains("class=\"funnel-bar\""))
            // What was chosen stays, and the file is of the same question.
            #expect(page.text.contains("<option value=\"event:menu_viewed\" selected>"))
            let file = try await browser.get(address(.reportFile("funnel"), fields))
            #expect(file.headers[.contentType] == "text/csv; charset=utf-8")
            #expect(file.text.contains("group_kind,group,step,users"))
        }
    }

    @Test("a retention and a trend show figures, a picture and a table at the first look")
    func others() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let retention = try await browser.get(ConsolePath.retentionReport.path)
            #expect(retention.text.contains("<table class=\"retention\">"))
            #expect(retention.text.contains("All together"))
            let trend = try await browser.get(
                address(.seriesReport, [("compare", "yes"), ("by", "platform")])
            )
            #expect(trend.text.contains("class=\"bars\" d=\"M"))
            #expect(trend.text.contains("In the period before"))
            #expect(trend.text.contains("class=\"small-chart\""))
            for kind in ["retention", "series"] {
                let file = try await browser.get(ConsolePath.reportFile(kind).path)
                #expect(file.text.contains("group_kind,group,start"), "\(kind)")
            }
        }
    }

    @Test("paths show what comes next or came before, as a picture, a table and whole paths")
    func paths() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let fields = [
                ("length", "60"), ("start", "event:menu_viewed"), ("pathLength", "2"),
                ("window", "30"), ("leaveOut", "session"),
            ]
            let next = try await browser.get(address(.pathsReport, fields))
            #expect(next.status == .ok)
            #expect(next.text.contains("class=\"paths\""))
            #expect(next.text.contains("<ol class=\"path-names\"><li>menu_viewed</li>"))
            #expect(next.text.contains("<option value=\"event:menu_viewed\" selected>"))
            #expect(next.text.contains("value=\"session\" checked>"))
            #expect(!next.text.contains("<td>Session</td>"))
            let before = try await browser.get(
                address(.pathsReport, fields + [("direction", "before")])
            )
            #expect(before.text.contains("<li>menu_viewed</li></ol>"))
            let file = try await browser.get(address(.reportFile("paths"), fields))
            #expect(file.text.contains("step,from_kind,from,to_kind,to,users"))
        }
    }

    @Test("a segment's page shows who is in it, by what is known of most users")
    func segmentUsers() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let page = try await browser.get(ConsolePath.segment("1").path)
            #expect(page.text.contains("data-later=\"\(ConsolePath.segmentUsers("1").path)\""))
            let part = try await browser.get(ConsolePath.segmentUsers("1").path)
            #expect(part.text.contains("<caption>Platform</caption>"))
            #expect(part.text.contains("<caption>Country</caption>"))
            let none = try await browser.get(ConsolePath.segmentUsers("99").path)
            #expect(none.status == .notFound)
        }
    }

    @Test("what nobody can be asked is brought within its bounds, and no report fails")
    func strange() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            for fields in [
                [("unit", "century"), ("length", "-5"), ("figure", "event:nobody did this")],
                [("unit", "hour"), ("length", "99999999999999999999"), ("figure", "event:")],
                [("segment", "99"), ("by", "mood"), ("figure", "event:$purchase")],
                [("length", "4000"), ("first", ""), ("window", "0"), ("intervals", "x")],
            ] {
                for path in [
                    ConsolePath.funnelReport, .retentionReport, .seriesReport, .pathsReport,
                ] {
                    let page = try await browser.get(address(path, fields))
                    #expect(page.status == .ok, "\(fields)")
                }
            }
            let unknown = try await browser.get(ConsolePath.reportFile("moods").path)
            #expect(unknown.status == .notFound)
            let incomplete = try await browser.get(ConsolePath.reportFile("funnel").path)
            #expect(incomplete.status == .notFound)
        }
    }
}
