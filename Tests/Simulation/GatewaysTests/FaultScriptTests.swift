import Foundation
import Gateways
import Testing

@Suite("A fault script is read, or the mistake in it is named with its place")
struct FaultScriptTests {
    private func read(_ json: String) throws(FaultScriptError) -> FaultScript {
        try FaultScript(json: Data(json.utf8))
    }

    @Test("every key has its meaning")
    func everyKey() throws {
        let script = try read(
            """
            {"seed": 7, "latency_ms": 20, "faults": [
              {"token": "ab", "probability": 0.5, "skip": 1, "times": 2, "after_seconds": 3,
               "for_seconds": 4.5, "status": 410, "reason": "Unregistered", "retry_after": 5,
               "timestamp": 1700000000000, "delay_ms": 6},
              {"stall": true}, {"lose_answer": true}, {"reset": 7}, {"goaway": "Shutdown"},
              {"drop": true}, {"delay_ms": 1}]}
            """
        )
        #expect(script.seed == 7)
        #expect(script.latencyMilliseconds == 20)
        let first = try #require(script.faults.first)
        #expect(first.token == "ab" && first.probability == 0.5)
        #expect(first.skip == 1 && first.times == 2)
        #expect(first.afterSeconds == 3 && first.forSeconds == 4.5)
        #expect(first.status == 410 && first.reason == "Unregistered")
        #expect(first.retryAfter == 5 && first.timestamp == 1_700_000_000_000)
        #expect(first.delayMilliseconds == 6)
        #expect(script.faults.count == 7)
        #expect(try read("{}") == FaultScript())
    }

    @Test(
        "a mistake says where it is and what belongs there",
        arguments: [
            ("{\"faults\": [\n  {\"status\": 500,}\n]}", "line 2, column 18"),
            ("", "line 1, column 1"), ("[]", "not a JSON object"),
            (#"{"fault": []}"#, #""fault" is not a key"#),
            (#"{"latency": 5}"#, "latency_ms"),
            (#"{"latency_ms": -5}"#, "latency_ms is negative"),
            (
                #"{"faults": [{"status": 500}, {"probabilty": 1, "drop": true}]}"#,
                #""faults[1].probabilty""#
            ),
            (#"{"faults": [{"status": "x"}]}"#, #"faults[0].status"#),
            (
                #"{"faults": [{"status": 410}, {"probability": 2, "status": 500}]}"#,
                "faults[1]: probability is 2"
            ),
            (#"{"faults": [{"status": 99}]}"#, "between 200 and 599"),
            (#"{"faults": [{"times": -1, "drop": true}]}"#, "times is negative"),
            (#"{"faults": [{"for_seconds": -1, "drop": true}]}"#, "for_seconds is negative"),
            (#"{"faults": [{"retry_after": -1, "status": 429}]}"#, "retry_after is negative"),
            (#"{"faults": [{"token": "ab"}]}"#, "nothing happens"),
            (#"{"faults": [{"drop": true, "status": 500}]}"#, "status and drop"),
            (#"{"faults": [{"drop": true, "retry_after": 5}]}"#, "give its status"),
            (#"{"faults": [{"delay_ms": 5, "reason": "Slow"}]}"#, "give its status"),
        ]
    )
    func mistakes(json: String, words: String) {
        let error = #expect(throws: FaultScriptError.self) { _ = try read(json) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "taken")")
    }
}
