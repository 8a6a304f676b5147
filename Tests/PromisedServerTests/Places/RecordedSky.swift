import Foundation
import PromisedPlaces
import PromisedSettings

/// A folder with a recorded forecast, the same for every cell and hour, until the test writes another.
final class RecordedSky: Sendable {
    private let folder: URL

    /// A folder with a clear sky at 10 °C.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "promised-sky-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try show(code: 0, temperature: 10)
    }

    deinit {
        // A temporary folder: the system removes what stays here.
        try? FileManager.default.removeItem(at: folder)
    }

    /// Makes the recording the weather of a server, without pauses between requests.
    func configure(_ settings: inout ServerSettings) {
        settings.weather.providers = [.recorded]
        settings.weather.addresses = [WeatherAddress("recorded=\(folder.path)")].compactMap(\.self)
        (settings.limits.requestRate, settings.limits.requestBurst) = (10_000, 100_000)
    }

    /// Sets the weather of the next fetches: a WMO code, and °C.
    func show(code: Int, temperature: Double) throws {
        let hours = 0..<24
        let hourly: [String: Any] = [
            "time": hours.map { 1_795_201_200 + 3_600 * $0 },
            "weather_code": hours.map { _ in code },
            "temperature_2m": hours.map { _ in temperature },
            "wind_speed_10m": hours.map { _ in 1 },
        ]
        let data = try JSONSerialization.data(withJSONObject: ["hourly": hourly])
        try data.write(to: folder.appending(path: "forecast.json"), options: .atomic)
    }
}
