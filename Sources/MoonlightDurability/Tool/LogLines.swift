import Moonlight

/// Prints records as lines of text or JSON.
struct LogLines {
    let isJSON: Bool
    private let coding = EntryCoding<[UInt8], [UInt8]>(effects: .raw, events: .raw)

    init(isJSON: Bool) { self.isJSON = isJSON }

    /// Returns the lines of a record: one of JSON, or one of text for each entry.
    ///
    /// - Parameter id: The member of a fleet; nil for a store.
    func lines(of record: LogRecord, member id: String? = nil) throws(DurabilityError) -> [String] {
        let entries = try coding.entries(of: record)
        guard isJSON else {
            let member = id.map { $0.jsonLiteral + "\t" } ?? ""
            return entries.map { "\(member)\(record.sequence)\t\(text(of: $0).escapingControls)" }
        }
        let list = entries.map(json).joined(separator: ",")
        let member = id.map { "\"member\":\($0.jsonLiteral)," } ?? ""
        return ["{\(member)\"sequence\":\(record.sequence),\"schema\":\(record.schema),\"entries\":[\(list)]}"]
    }

    /// Returns the line of a frame that removes a member of a fleet.
    func removal(of id: String) -> String {
        isJSON ? "{\"member\":\(id.jsonLiteral),\"removed\":true}" : "\(id.jsonLiteral)\tremoved"
    }

    private func text(of entry: LogEntry<[UInt8], [UInt8]>) -> String {
        switch entry {
        case .effect(let bytes): "effect \(value(bytes))"
        case .begun(let work):
            "begun work \(work.number)\(work.job.isEmpty ? "" : ", job \(work.job)"), key \(work.key), attempt \(work.attempt), "
                + "event \(value(work.event))"
        case .ended(let number): "ended work \(number)"
        case .followUp: "event that followed"
        case .answered(let answer): "answered key \(answer.key)\(answer.rejection.map { ", rejected: \($0)" } ?? "")"
        }
    }

    private func json(of entry: LogEntry<[UInt8], [UInt8]>) -> String {
        switch entry {
        case .effect(let bytes): return "{\"effect\":\(value(bytes))}"
        case .begun(let work):
            let job = work.job.isEmpty ? "" : ",\"job\":\(work.job.jsonLiteral)"
            return "{\"begun\":{\"work\":\(work.number),\"attempt\":\(work.attempt),\"key\":\(work.key.jsonLiteral)\(job),"
                + "\"event\":\(value(work.event))}}"
        case .ended(let number): return "{\"ended\":\(number)}"
        case .followUp: return "{\"followUp\":true}"
        case .answered(let answer):
            let rejection = answer.rejection.map { ",\"rejection\":\($0.jsonLiteral)" } ?? ""
            let reading = answer.reading.isEmpty ? "" : ",\"reading\":\(value(answer.reading))"
            return "{\"answered\":{\"key\":\(answer.key.jsonLiteral),\"time\":\(answer.time)\(rejection)\(reading)}}"
        }
    }

    /// Returns the bytes of a value: unchanged if they are JSON, otherwise in hexadecimal digits.
    private func value(_ bytes: [UInt8]) -> String {
        if MoonlightDurability.isJSON(bytes) {
            // Outside of strings, these characters are white space.
            return String(decoding: bytes, as: UTF8.self).unicodeScalars
                .map { ["\t", "\n", "\r"].contains($0) ? " " : $0.isSteering ? escape(of: $0) : String($0) }.joined()
        }
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "\"\(digits)\""
    }

    /// Returns the escape of a control character in a JSON string.
    private func escape(of scalar: Unicode.Scalar) -> String { String(String(scalar).jsonLiteral.dropFirst().dropLast()) }
}
