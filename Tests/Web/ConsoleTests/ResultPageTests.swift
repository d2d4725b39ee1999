import Foundation
import HTTPTypes
import Model
import Ports
import Reports
import SampleWorkspace
import Testing
import WebPages

@testable import Analytics
@testable import Console

@Suite("Pictures of what came of messages")
struct ResultPageTests {
    private func words() throws -> Words { try Localizations(console: .embedded)[.english] }

    // MARK: Funnel

    @Test("a funnel has a bar for each step, and the control group where it can be compared")
    func funnel() throws {
        let part = try #require(
            MessageFunnelPart(
                MessageFunnel(
                    steps: [
                        .init(.targeted, 1_000), .init(.delivered, 900), .init(.received, 0),
                        .init(.opened, 2), .init(.converted, 100),
                    ],
                    control: .init(users: 50, converted: 1)
                ),
                words: try words()
            )
        )
        #expect(part.steps.map(\.share) == ["100%", "90%", "0%", "0.2%", "10%"])
        #expect(part.steps.map(\.control) == ["50", "–", "–", "–", "1"])
        #expect(part.bars.count == 5 && part.links.count == 4 && part.controlBars.count == 2)
        #expect(part.bars[0].contains("V0.0") && part.bars[1].contains("V10.0"))
        // Nothing has no height, and hardly anything can be seen.
        #expect(part.bars[2].contains("V100.0") && part.bars[3].contains("V98.5"))
        #expect(
            part.note == "Control group: 1 of 50 converted (2%); of those targeted 10%."
        )
    }

    @Test("a funnel of nobody is not drawn, and one without conversions says nothing of them")
    func small() throws {
        let nobody = MessageFunnel(steps: [.init(.shown, 0), .init(.clicked, 0)])
        #expect(try MessageFunnelPart(nobody, words: words()) == nil)
        let shown = MessageFunnel(
            steps: [.init(.shown, 3), .init(.clicked, 1)],
            control: .init(users: 4, converted: nil)
        )
        let part = try #require(MessageFunnelPart(shown, words: try words()))
        #expect(part.note == nil && part.hasControl)
        #expect(part.controlBars.count == 1)
    }

    @Test("the time of half of the opens stands in words, and a moment is no curve")
    func curve() throws {
        let curve = OpenCurve(unit: 1_800, opens: [0, 4, 6], total: 9, halfTime: 2_460)
        let part = try #require(OpenCurvePart(curve, words: try words()))
        #expect(part.halfTime == "Half of all opens came within 41 min of delivery.")
        #expect(part.chart.columns.map(\.label) == ["0 sec", "30 min", "1 hr"])
        let moment = OpenCurve(unit: 60, opens: [0], total: 0, halfTime: nil)
        #expect(try OpenCurvePart(moment, words: words()) == nil)
        #expect(try OpenCurvePart(nil, words: words()) == nil)
    }

    @Test("the pages of a push, a campaign and an in-app message draw them with a table behind")
    func pages() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await SampleWorkspace.launchCampaign(of: store)
            try await browser.logIn()
            for (path, texts) in [
                (ConsolePath.push(9).path, ["Targeted", "Opens after delivery"]),
                (
                    ConsolePath.campaign("4").path,
                    ["Targeted", "Converted", "Control group:", "Opens after delivery"]
                ),
                (ConsolePath.inAppMessage(SampleWorkspace.name(1)).path, ["Shown", "Tapped"]),
            ] {
                let page = try await browser.get(path)
                #expect(page.status == .ok)
                for text in texts + ["class=\"stages\"", "View as table"] {
                    #expect(page.text.contains(text), "\(text) on \(path)")
                }
            }
        }
    }

    // MARK: Charts

    @Test("an interval is called as people call it, on the calendar of its zone")
    func intervals() throws {
        let zone = try #require(TimeZone(identifier: "Pacific/Kiritimati"))
        // 1 March 2027 in Kiritimati, a Monday.
        let end = Date(timeIntervalSince1970: 1_803_812_400)
        func names(_ language: Language) throws -> [String] {
            let words = try Localizations(console: .embedded)[language]
            return try ReportUnit.allCases.map { unit in
                let period = ReportPeriod(unit, length: 1, endingAt: end, in: zone)
                let start = try #require(try period.boundaries().first)
                // Before AM stands a narrow space.
                return words.name(of: period.interval(at: start)).replacing("\u{202F}", with: " ")
            }
        }
        #expect(try names(.english) == ["3/1, 1 AM", "Mar 1", "Week of Mar 1", "Mar 2027"])
        #expect(try names(.japanese) == ["3/1 1時", "3月1日", "3月1日からの週", "2027年3月"])
        #expect(
            try names(.portuguese)[1...] == ["1 de mar.", "Semana de 1 de mar.", "mar. de 2027"]
        )
    }

    @Test("a scale is round, and no amount is too large or too small to be drawn")
    func scale() throws {
        for (highest, top) in [
            (0, 4), (4, 4), (5, 8), (9, 20), (21, 40), (81, 100), (100, 100), (101, 200),
            (240, 400), (999_999, 1_000_000),
        ] { #expect(LineChart.niceTop(highest) == top, "\(highest)") }
        let chart = LineChart(
            name: "",
            labels: ["a", "b", "c"],
            series: [.init(name: "", style: "strong", values: [.max, -5, LineChart.whole(1e300)])],
            previous: [],
            words: try words()
        )
        #expect(chart.columns.count == 3)
        #expect(!chart.lines[0].path.contains("nan"))
        #expect(LineChart.whole(nil) == 0)
    }

    @Test("columns of the series in front are narrower, and nothing has none")
    func columns() throws {
        let chart = LineChart(
            name: "",
            labels: ["a", "b"],
            series: [
                .init(name: "", style: "quiet-line", values: [8, 0]),
                .init(name: "", style: "strong", values: [4, 0]),
            ],
            previous: [],
            shape: .columns,
            words: try words()
        )
        #expect(chart.lines.map(\.path) == ["", ""])
        #expect(
            chart.lines.map(\.bars)
                == ["M50.0 240.0v-240.0h400.0v240.0z", "M150.0 240.0v-120.0h200.0v120.0z"]
        )
    }

    // MARK: Overview

    private func overview(
        _ now: (delivered: Int, opened: Int, sessions: Int),
        before: (delivered: Int, opened: Int, sessions: Int),
        revenue: Overview.Revenue? = nil
    ) throws -> OverviewFigures {
        func day(_ counts: (delivered: Int, opened: Int, sessions: Int)) -> PeriodCounts {
            PeriodCounts(
                start: Date(timeIntervalSince1970: 0),
                sessions: counts.sessions,
                newUsers: 0,
                delivered: counts.delivered,
                opened: counts.opened
            )
        }
        return OverviewFigures(
            Overview(
                users: 1,
                reachableDevices: 1,
                days: [day(now)],
                previousDays: [day(before)],
                revenue: revenue
            ),
            try words()
        )
    }

    @Test("each figure is compared with the period before, and new where there was hardly anything")
    func comparison() throws {
        let figures = try overview((200, 50, 110), before: (100, 20, 10))
        #expect(figures.answer.map(\.value) == ["25%", "200", "50"])
        #expect(figures.answer.map(\.change) == ["5 points", "100%", "150%"])
        // From 10 to 110 is 1,000 % more.
        #expect(figures.activity.map(\.change) == [nil, nil, nil, "new"])
        let first = try overview((200, 50, 0), before: (0, 0, 5))
        #expect(first.answer.map(\.change) == [nil, "new", "new"])
        #expect(first.activity.last?.change == "100%")
        #expect(first.activity.last?.isRise == false)
        let still = try overview((0, 0, 0), before: (0, 0, 0))
        #expect(still.answer.map(\.value) == ["–", "0", "0"])
        #expect((still.answer + still.activity).compactMap(\.change) == [])
    }

    @Test("revenue stands with its currency, also where more was given back than brought in")
    func revenue() throws {
        let figures = try overview(
            (0, 0, 0),
            before: (0, 0, 0),
            revenue: .init(currency: "JPY", amount: -20, previous: 40, days: [10, -30])
        )
        let revenue = try #require(figures.activity.last)
        #expect(revenue.label == "Revenue, JPY")
        #expect(revenue.value == "-20" && revenue.change == "150%" && !revenue.isRise)
        #expect(revenue.chart?.label == "10, -30")
        // A day alone draws nothing.
        #expect(figures.activity.dropLast().allSatisfy { $0.chart == nil })
    }

    @Test("the period is chosen by its address", arguments: ["7", "30", "90", "", "5000", "-1"])
    func period(days: String) async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let page = try await browser.get(ConsolePath.overview.path + "?days=\(days)")
            #expect(page.status == .ok)
            let shown = ["7", "90"].contains(days) ? days : "30"
            #expect(page.text.contains("aria-current=\"true\">\(shown) days"))
            #expect(page.text.contains("last \(shown) days"))
        }
    }

    // MARK: Events

    @Test(
        "a page with figures of users says that they are still being read",
        arguments: [
            ConsolePath.retentionReport.path, ConsolePath.seriesReport.path,
            ConsolePath.eventDetail.path + "?name=menu_viewed",
            ConsolePath.attributeDetail.path + "?name=shops",
        ]
    )
    func notReady(address: String) async throws {
        try await ConsoleBrowser.open(readsUsers: false) { browser, _ in
            try await browser.logIn()
            let page = try await browser.get(address)
            #expect(page.status == .ok)
            #expect(page.text.contains("The users are still being read"))
        }
    }

    @Test("an event's page shows how often, its properties, who did it last and how to log it")
    func event() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let path = ConsolePath.eventDetail.path
            let list = try await browser.get(ConsolePath.events.path)
            #expect(list.text.contains("href=\"\(path)?name=menu_viewed\""))
            let page = try await browser.get(path + "?name=menu_viewed&days=90")
            #expect(page.status == .ok)
            for text in [
                "last 90 days", "&quot;kyoto&quot; (40)", "noroshi.logCustomEvent(name:",
                "POST /users/track", "Who did it last", "yuki",
            ] { #expect(page.text.contains(text), "\(text)") }
            for name in ["nosuch", "", "$session_start"] {
                let answer = try await browser.get(
                    path + "?name=\(name.replacing("$", with: "%24"))"
                )
                #expect(answer.status == .notFound, "\(name)")
            }
        }
    }

    @Test("an attribute's page shows how many users have which value")
    func attribute() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let path = ConsolePath.attributeDetail.path
            let list = try await browser.get(ConsolePath.attributes.path)
            #expect(list.text.contains("href=\"\(path)?name=shops\""))
            let page = try await browser.get(path + "?name=shops")
            #expect(page.status == .ok)
            for text in ["Users by value", "<b>kyoto</b>", "<b>gion</b>"] {
                #expect(page.text.contains(text), "\(text)")
            }
            #expect(try await browser.get(path + "?name=nosuch").status == .notFound)
        }
    }

    @Test("code is valid, whatever the event and its values are called")
    func code() {
        let codes = EventCode(
            "say \"hi\" / あ",
            [
                EventPropertySummary(
                    name: "n",
                    events: 1,
                    types: ["number": 1],
                    values: [.init(json: "3", events: 1)]
                ),
                EventPropertySummary(name: "list", events: 1, types: ["list": 1], values: []),
            ]
        ).codes.map(\.text)
        #expect(
            codes == [
                #"noroshi.logCustomEvent(name: "say \"hi\" / あ", properties: ["n": 3])"#,
                #"await noroshi.logCustomEvent("say \"hi\" / あ", {"n": 3});"#,
                #"{"events": [{"external_id": "…", "name": "say \"hi\" / あ", "time": "…", "properties": {"n": 3}}]}"#,
            ]
        )
    }

    // MARK: Campaigns

    @Test("the list of campaigns shows their results and can be ordered by them")
    func list() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await SampleWorkspace.launchCampaign(of: store)
            try await browser.logIn()
            let path = ConsolePath.campaigns.path
            func names(_ order: String) async throws -> [String] {
                let text = try await browser.get(path + "?order=\(order)").text
                return text.components(separatedBy: "class=\"row-link\" href=").dropFirst().map {
                    let name = $0.components(separatedBy: ">").dropFirst().first ?? ""
                    return String(name.prefix { $0 != "<" })
                }
            }
            let newest = ["Weekly menu", "Cart reminder", "誕生日クーポン", "Welcome"]
            #expect(try await names("") == newest)
            #expect(try await names("nosuch") == newest)
            #expect(
                try await names("name") == ["Cart reminder", "Weekly menu", "Welcome", "誕生日クーポン"]
            )
            // The only one that was launched comes first.
            for order in ["delivered", "openRate", "lastSent"] {
                #expect(try await names(order) == newest, "\(order)")
            }
            let page = try await browser.get(path + "?order=delivered")
            #expect(page.text.contains("aria-sort=\"descending\""))
            let address = ConsolePath.campaignConversion("4").path
            #expect(page.text.contains("data-later=\"\(address)\""))
            #expect(!page.text.contains(ConsolePath.campaignConversion("1").path))
            let part = try await browser.get(address)
            #expect(part.status == .ok && part.text.hasSuffix("%"), "\(part.text)")
        }
    }

    @Test("an experiment is a file, with a row for each group and each comparison")
    func file() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await SampleWorkspace.launchCampaign(of: store)
            try await browser.logIn()
            let answer = try await browser.get(ConsolePath.exportExperiment("4").path)
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "text/csv; charset=utf-8")
            let lines = answer.text.split(separator: "\r\n").map {
                $0.split(
                    separator: ",",
                    omittingEmptySubsequences: false
                )
            }
            #expect(lines.first?.last == "outcome")
            #expect(lines.allSatisfy { $0.count == 15 })
            // Two conversions of three groups in three pairs each; opens and direct opens of two variants.
            #expect(lines.filter { $0[1] == "group" }.count == 10)
            #expect(lines.filter { $0[1] == "comparison" }.count == 8)
        }
    }
}
