import PromisedProtocol

extension Report {
    static func weatherStatus(_ status: WireAdminWeatherStatus) -> Report {
        Report(Document(status), items: status.providers.map { Document($0) }) { style in
            let table = Table(
                ["PROVIDER", "STATE", .number("FAILURES"), "ASKED AGAIN"],
                whenEmpty: "weather is off: the server asks no provider",
                of: status.providers
            ) { provider in
                [
                    "\(provider.name)", Table.Cell(provider.state.word, provider.state.tone), "\(provider.failures)",
                    Table.Cell(MomentText.full(provider.retryAt, if: provider.hasRetryAt)),
                ]
            }
            guard !status.providers.isEmpty else { return table.text(style) }
            let spent = "\(status.requestsSpent) of \(MeasureText.count(Int(status.dailyRequests), "request")) today"
            let open = MeasureText.count(Int(status.fetches), "fetch", "fetches")
            return "\(table.text(style))\n\n\(spent), \(open) in progress"
        }
    }

    /// The outlook fetched for a place.
    static func weather(_ outlook: WireOutlook) -> Report {
        Report(Document(outlook)) { style in
            var fields = FieldList()
            fields.add("weather", outlook.weatherState.word, outlook.weatherState.tone)
            guard outlook.hasWeather else { return fields.text(style) }
            fields.add("provider", outlook.weather.source)
            fields.add("fetched", MomentText.full(outlook.weather.fetchedAt, if: outlook.weather.hasFetchedAt))
            fields.add("credit", outlook.weather.attribution)
            let hours = Table(
                ["HOUR", .number("°C"), .number("RAIN %"), .number("RAIN mm"), .number("WIND m/s")],
                of: outlook.weather.hours
            ) { hour in
                [
                    Table.Cell(MomentText.full(hour.at, if: hour.hasAt)),
                    "\(number(hour.temperatureCelsius, if: hour.hasTemperatureCelsius))",
                    "\(number(hour.precipitationPercent, if: hour.hasPrecipitationPercent))",
                    "\(number(hour.precipitationMm, if: hour.hasPrecipitationMm))",
                    "\(number(hour.windMps, if: hour.hasWindMps))",
                ]
            }
            return hours.rows.isEmpty ? fields.text(style) : "\(fields.text(style))\n\n\(hours.text(style))"
        }
    }

    private static func number(_ value: Double, if isThere: Bool) -> String {
        isThere ? MeasureText.number(value, decimals: 1) : ""
    }
}
